import { z } from 'zod';
import type { WebhookEvent } from '../../domain/webhooks/webhook-event.ts';
import { BRIDGE_EVENT_PAYLOADS } from './bridge-events.ts';
import { EventHead, Hash, Party, Recipient, StatedDate, Time, TransferAgent } from './fields.ts';
import { TradeExecuted } from './trade-executed.ts';

/** Of every payload but that of trades. */
const EVENT_PAYLOAD_VERSION = '1.0.0';

function headOf<Type extends WebhookEvent>(type: Type) {
  return z.strictObject({
    ...EventHead.shape,
    event_type: z.literal(type),
    version: z.literal(EVENT_PAYLOAD_VERSION),
  });
}

/** Of what became of a trade: who has taken the trade's own message by now. */
function settlementHeadOf<Type extends WebhookEvent>(type: Type) {
  return z.strictObject({ ...headOf(type).shape, recipients: z.array(Recipient) });
}

const SettlementRecorded = z
  .strictObject({
    webhook_event: settlementHeadOf('settlement.recorded'),
    trade_id: z.string(),
    tx_hash: Hash,
    block_number: z.number().int(),
  })
  .meta({ id: 'settlement.recorded', title: 'The settlement was submitted on chain' });

const SettlementCorrection = z.strictObject({
  type: z.literal('correction'),
  price_per_share: z.number().describe('What the trade stands at.'),
  gross_trade_amount: z.number(),
  reason: z.string(),
  adjusted_at: Time,
});

const SettlementFinalized = z
  .strictObject({
    webhook_event: settlementHeadOf('settlement.finalized'),
    trade_id: z.string(),
    status: z.enum(['SETTLED', 'FAILED', 'REVERSED']),
    tx_hash: Hash.nullable().describe('Of the transaction that has recorded the trade; null while none is confirmed.'),
    adjustment: SettlementCorrection.optional().describe(
      'Only where the trade was corrected: told once for the correction, with the status, which stays. What came before has the price at which it was executed.',
    ),
  })
  .meta({ id: 'settlement.finalized', title: 'The status of a settlement has changed, or its trade was corrected' });

const TransferInitiated = z
  .strictObject({
    webhook_event: headOf('transfer.initiated'),
    transfer_instruction_id: z.string(),
    trade_id: z.string(),
    buyer: Party,
    seller: Party,
    units: z.number(),
    security: z.strictObject({
      security_id: z.string(),
      asset_name: z.string(),
      share_class: z.string(),
      cusip: z.string().nullable(),
      isin: z.string().nullable(),
      issuer_name: z.string(),
    }),
    transfer_agent: TransferAgent,
  })
  .meta({ id: 'transfer.initiated', title: 'A trade has settled and its transfer waits for the agent' });

const TransferCompleted = z
  .strictObject({
    webhook_event: headOf('transfer.completed'),
    transfer_instruction_id: z.string(),
    trade_id: z.string(),
    security_id: z.string(),
    units: z.number(),
    status: z.literal('completed'),
    record_date: StatedDate,
    new_certificate_number: z.string().nullable(),
    legend_applied: z.boolean(),
    cap_table_updated_at: Time,
  })
  .meta({ id: 'transfer.completed', title: 'The agent has recorded a transfer on the cap table' });

const DividendDeclared = z
  .strictObject({
    webhook_event: headOf('dividend.declared'),
    corporate_action_id: z.string(),
    security_id: z.string(),
    record_date: StatedDate,
    payment_date: StatedDate,
    amount_per_share: z.number(),
    currency: z.string(),
    description: z.string(),
  })
  .meta({ id: 'dividend.declared', title: 'The issuer has declared a dividend' });

const CorporateActionAnnounced = z
  .strictObject({
    webhook_event: headOf('corporate_action.announced'),
    corporate_action_id: z.string(),
    security_id: z.string(),
    action_type: z.string(),
    effective_date: StatedDate,
    ratio_from: z.number().int().nullable(),
    ratio_to: z.number().int().nullable(),
    counterparty: z.string().nullable().describe('Of a merger: into whom.'),
    cash_per_share: z.number().nullable().describe('Of a merger for cash, in `currency`.'),
    currency: z.string().nullable(),
    surviving_security_id: z
      .string()
      .nullable()
      .describe('Of a merger for shares: of `ratio_from` shares come `ratio_to` of this security.'),
    asset_name: z.string().nullable().describe('Of a change of names, as `cusip` and `isin`; null where it stays.'),
    cusip: z.string().nullable(),
    isin: z.string().nullable(),
    description: z.string(),
  })
  .meta({ id: 'corporate_action.announced', title: 'A split, a merger or the like was announced' });

const CapacityAlert = z
  .strictObject({
    webhook_event: headOf('event.capacity_alert'),
    event_id: z.string(),
    room_id: z.string(),
    alert_id: z.string().describe('As `GET /events/{id}/alerts` has it while its start stays.'),
    status: z
      .enum(['raised', 'cleared', 'withdrawn'])
      .describe(
        '`raised`: more people are in the room than it holds. `cleared`: no more. `withdrawn`: a correction says that there never were.',
      ),
    capacity: z.number().int(),
    occupancy: z.number().int().nullable().describe('The most people since it started; null once it is withdrawn.'),
    started_at: Time,
    ended_at: Time.nullable().describe('Once it is cleared.'),
  })
  .meta({ id: 'event.capacity_alert', title: 'A room holds more people than its capacity, or no more' });

const ReviewOpened = z
  .strictObject({
    webhook_event: headOf('event.review_opened'),
    event_id: z.string(),
    room_id: z.string(),
    camera_id: z.string(),
    review_ids: z.array(z.string()).describe('Of the first hundred; all are in `GET /events/{id}/reviews`.'),
    opened: z.number().int().describe('How many reviews were opened.'),
    opened_at: Time.describe('When the first of them was.'),
  })
  .meta({ id: 'event.review_opened', title: 'Doubtful recognitions of a camera wait for a person' });

/** What each event's message is, published as JSON Schemas. */
export const EVENT_PAYLOADS = {
  'trade.executed': TradeExecuted,
  'settlement.recorded': SettlementRecorded,
  'settlement.finalized': SettlementFinalized,
  'transfer.initiated': TransferInitiated,
  'transfer.completed': TransferCompleted,
  'dividend.declared': DividendDeclared,
  'corporate_action.announced': CorporateActionAnnounced,
  ...BRIDGE_EVENT_PAYLOADS,
  'event.capacity_alert': CapacityAlert,
  'event.review_opened': ReviewOpened,
} as const satisfies Readonly<Record<WebhookEvent, z.ZodType>>;

type Body<Type extends keyof typeof EVENT_PAYLOADS> = Omit<z.infer<(typeof EVENT_PAYLOADS)[Type]>, 'webhook_event'>;

/**
 * What `domain_events` keeps of an event: the message without its head, and without what is known from its security and its trade
 * (durable-objects/webhook-dispatch/event-payload.ts).
 */
interface EventFactsByType {
  'settlement.recorded': Body<'settlement.recorded'>;
  'settlement.finalized': Body<'settlement.finalized'>;
  'transfer.initiated': Pick<Body<'transfer.initiated'>, 'transfer_instruction_id' | 'trade_id'>;
  'transfer.completed': Omit<Body<'transfer.completed'>, 'security_id'>;
  'dividend.declared': Omit<Body<'dividend.declared'>, 'security_id'>;
  'corporate_action.announced': Omit<Body<'corporate_action.announced'>, 'security_id'>;
  /** Of the events database, whole (data/events/outgoing/outgoing-events.ts). */
  'event.capacity_alert': Body<'event.capacity_alert'>;
  'event.review_opened': Body<'event.review_opened'>;
}

export type EventFacts<Type extends keyof EventFactsByType> = EventFactsByType[Type];

/** A test of an endpoint: no event of the exchange. */
export const WebhookTest = z
  .strictObject({
    webhook_event: z.strictObject({ ...EventHead.shape, event_type: z.literal('webhook.test') }),
    message: z.string(),
  })
  .meta({ id: 'webhook.test', title: 'A test that the owner of the endpoint asked for' });

/** JSON Schema 2020-12 of a payload. */
export function jsonSchemaOf(payload: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(payload, { target: 'draft-2020-12' }) as Record<string, unknown>;
}
