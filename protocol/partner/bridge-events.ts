import { z } from 'zod';
import { CHAIN_NAMES } from '../../domain/bridge/chains/chain-name.ts';
import type { BridgeEvent } from '../../domain/bridge/told-changes.ts';
import { REFUND_REASONS, TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import { EventHead, Time } from './fields.ts';

const VERSION = '1.0.0';

const Place = z.union([
  z.strictObject({ account_id: z.string().describe('Of one of your customers.') }),
  z.strictObject({
    chain: z.enum(CHAIN_NAMES),
    address: z.string(),
    memo: z.string().optional().describe('What the payment there carries. Absent for nothing.'),
  }),
]);

/** What every event of a transfer says, as `GET /bridge/api/v1/transfer/{id}` spells it. */
const FIELDS = {
  transfer_id: z.string(),
  sequence: z
    .number()
    .int()
    .describe('Place among the events of this transfer: 1 for the first, and one more for each further one.'),
  hostname: z.string().describe('Of the tenant at which it was asked for.'),
  state: z.enum(TRANSFER_STATES).describe('As it stood right after the change.'),
  from: z.enum(TRANSFER_STATES).nullable().describe('The state before the change; null where it has begun.'),
  cause: z
    .string()
    .nullable()
    .describe('What happened, as `history` has it, such as `funds_seen`; null where it has begun.'),
  changed_at: Time,
  asset: z.string().describe('Symbol.'),
  source: Place,
  destination: Place,
  quote: z.strictObject({
    amount_in: z.string().describe('What has to come, in the smallest unit of the source.'),
    fee: z.string().describe('What of `amount_in` the transfer costs, in the same unit.'),
    amount_out: z.string().describe('What is paid, in the smallest unit of the destination.'),
    expires_at: Time,
  }),
  commitment: z.string().describe('SHA-256 of the terms.'),
  funds: z
    .strictObject({
      reference: z.string().describe('Transaction on the source and place in it; of an account, the transfer’s id.'),
      amount: z.string().describe('What has come, in the smallest unit of the source.'),
      is_lost: z.boolean(),
    })
    .nullable()
    .describe('Null until they are seen.'),
  payment: z
    .strictObject({
      kind: z.enum(['payout', 'refund']),
      reference: z.string(),
      transaction: z
        .string()
        .nullable()
        .describe('Its hash on the chain. Null until it is handed in, and where the ledger pays.'),
    })
    .nullable()
    .describe('What goes out: null before it has its reference.'),
  other_funds: z
    .array(z.strictObject({ payer: z.string(), reference: z.string(), amount: z.string() }))
    .describe('Of `paid_by_other`: what somebody else than `source.address` has paid in, 20 at most. Else empty.'),
  returned_to: z.string().nullable().describe('Who gets `funds` back in place of `source.address`. Null for nobody.'),
  refund_reason: z.enum(REFUND_REASONS).nullable().describe('Why its funds go back. Null where they do not.'),
  debit_refusal: z.string().nullable().describe('Why the ledger has not taken its funds from the account.'),
  is_uncovered: z.boolean().describe('It was paid, and its funds were lost afterwards.'),
  waits_until: Time.nullable().describe('When its state ends by itself.'),
  created_at: Time,
};

const TITLES: Readonly<Record<BridgeEvent, string>> = {
  'bridge.transfer.awaiting_funds':
    'A transfer has begun, or its funds were lost before anything was paid, and it waits for funds',
  'bridge.transfer.confirming': 'The funds of a transfer are seen on the source',
  'bridge.transfer.attesting': 'The funds of a transfer are deep enough, and signers look for themselves',
  'bridge.transfer.queued': 'The daily limit has no room for a transfer now',
  'bridge.transfer.challenge': 'A transfer may be vetoed',
  'bridge.transfer.co_signing': 'A transfer waits for the hardware module',
  'bridge.transfer.broadcast': 'The payout of a transfer was handed in on the destination',
  'bridge.transfer.confirmed': 'A transfer was paid',
  'bridge.transfer.refundable': 'A transfer is not paid, and its funds go back',
  'bridge.transfer.refund_broadcast': 'The refund of a transfer was handed in on the source',
  'bridge.transfer.refunded': 'The funds of a transfer have gone back',
  'bridge.transfer.expired': 'A transfer has ended without funds of its payer',
  'bridge.transfer.paid_by_other': 'Somebody else than the payer of a transfer has paid in for it',
  'bridge.transfer.cancelling': 'A payment of a transfer has its reference, and is to be cancelled',
  'bridge.transfer.uncovered': 'The funds of a transfer were lost after it was paid or given back',
  'bridge.transfer.covered': 'The funds of a transfer that were lost are there again',
};

function payloadOf<Type extends BridgeEvent>(type: Type) {
  return z
    .strictObject({
      webhook_event: z.strictObject({
        ...EventHead.shape,
        event_type: z.literal(type),
        version: z.literal(VERSION),
      }),
      ...FIELDS,
    })
    .meta({ id: type, title: TITLES[type] });
}

/** What each event of a transfer of the bridge is. */
export const BRIDGE_EVENT_PAYLOADS = {
  'bridge.transfer.awaiting_funds': payloadOf('bridge.transfer.awaiting_funds'),
  'bridge.transfer.confirming': payloadOf('bridge.transfer.confirming'),
  'bridge.transfer.attesting': payloadOf('bridge.transfer.attesting'),
  'bridge.transfer.queued': payloadOf('bridge.transfer.queued'),
  'bridge.transfer.challenge': payloadOf('bridge.transfer.challenge'),
  'bridge.transfer.co_signing': payloadOf('bridge.transfer.co_signing'),
  'bridge.transfer.broadcast': payloadOf('bridge.transfer.broadcast'),
  'bridge.transfer.confirmed': payloadOf('bridge.transfer.confirmed'),
  'bridge.transfer.refundable': payloadOf('bridge.transfer.refundable'),
  'bridge.transfer.refund_broadcast': payloadOf('bridge.transfer.refund_broadcast'),
  'bridge.transfer.refunded': payloadOf('bridge.transfer.refunded'),
  'bridge.transfer.expired': payloadOf('bridge.transfer.expired'),
  'bridge.transfer.paid_by_other': payloadOf('bridge.transfer.paid_by_other'),
  'bridge.transfer.cancelling': payloadOf('bridge.transfer.cancelling'),
  'bridge.transfer.uncovered': payloadOf('bridge.transfer.uncovered'),
  'bridge.transfer.covered': payloadOf('bridge.transfer.covered'),
} as const satisfies { readonly [Type in BridgeEvent]: z.ZodType };

/** What `domain_events` keeps of an event of a transfer: the message without its head. */
export type BridgeFacts = z.infer<z.ZodObject<typeof FIELDS, z.core.$strict>>;
