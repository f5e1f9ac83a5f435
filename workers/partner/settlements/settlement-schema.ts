import { z } from '@hono/zod-openapi';
import type { RegistryReading } from '../../../application/partner/settlements/read-registry.ts';
import type { ShownSettlement } from '../../../application/partner/settlements/read-settlements.ts';
import type { TradeParty } from '../../../data/webhooks/trade-parties.ts';
import { ADJUSTMENT_TYPES } from '../../../domain/ledger/adjustment-type.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { SETTLEMENT_STATUSES } from '../../../domain/partner/settlement-state.ts';
import type { Finality } from '../../../durable-objects/sequencer/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { COMMITTEE_MEMBERS, type CommitteeMembers } from '../../../protocol/receipts/committees-document.ts';
import { ReceiptDocument } from '../../../protocol/receipts/receipt-document.ts';
import { orNull } from '../../responses/or-null.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import {
  RECEIPT,
  SETTLEMENT,
  SETTLEMENT_ADJUSTMENT,
  SETTLEMENT_PARTY,
  SETTLEMENT_TRANSACTIONS,
  SETTLEMENT_VERIFICATION,
} from '../examples.ts';

const PartyView = z
  .object({
    investor_id: z.string(),
    account_id: z.string(),
    broker_dealer: z.object({ firm_name: z.string(), crd_number: z.string() }),
  })
  .openapi('SettlementParty', { example: SETTLEMENT_PARTY });

const HASH = /^0x[0-9a-f]{64}$/;
const HASH_WORDS = 'must be 0x and 64 hexadecimal digits in lower case';

const FinalityView = z.enum(['pending', 'final', 'checkpoint_final']).nullable().openapi({
  description:
    '`final`: 16 of the committee’s 20 members have voted for its block; who these are, `finality_members` says. It is a record that stays: an operator may still take the trade back or correct it, which is recorded in a later block. `checkpoint_final`: its block stands in a checkpoint with a hybrid certificate, too. `pending`: in no final block yet. Null: not known at present.',
});

const FinalityMembersView = z.enum(COMMITTEE_MEMBERS).nullable().openapi({
  description:
    'Who the members of that committee are. `embedded`: all twenty in one object of the venue, by one secret, so that `final` is the venue’s own word. `objects`: each in an object of the venue’s, with a key of its own. `places`: some or all in processes of their own. Null while it is not final, and where it is not known.',
});

const AdjustmentView = z
  .object({
    type: z.enum(ADJUSTMENT_TYPES).openapi({
      description:
        '`bust`: the trade was taken back, and nothing of it stands. `correction`: it stands at another price.',
    }),
    price_per_share: z.number().nullable().openapi({ description: 'What it stands at; null of a bust.' }),
    gross_trade_amount: z.number().nullable(),
    reason: z.string(),
    adjusted_at: z.iso.datetime(),
  })
  .openapi('SettlementAdjustment', { example: SETTLEMENT_ADJUSTMENT });

export const SettlementView = z
  .object({
    settlement_id: z.uuid().openapi({ description: 'Of its trade, too.' }),
    trade_id: z.uuid(),
    security_id: z.uuid(),
    status: z.enum(SETTLEMENT_STATUSES).openapi({
      description:
        '`pending` until its transfer is completed, where an agent keeps the register; SETTLED at once where none does. `recorded` and FAILED are of the chain.',
    }),
    settlement_type: z.literal('bilateral'),
    number_of_shares: z.number(),
    price_per_share: z.number(),
    gross_trade_amount: z.number(),
    settlement_currency: z.string(),
    buyer: PartyView,
    seller: PartyView,
    executed_at: z.iso.datetime(),
    settled_at: z.iso.datetime().nullable(),
    reversed_at: z.iso.datetime().nullable(),
    reversal_reason: z.string().nullable(),
    reversed_by: z.enum(['transfer_agent', 'operator']).nullable(),
    adjustment: orNull(AdjustmentView).openapi({
      description: 'What was made of the trade since it was executed; price and amount above are those of the trade.',
    }),
    finality: FinalityView,
    finality_members: FinalityMembersView,
    blockchain_transaction_id: z.string().regex(HASH, HASH_WORDS).openapi({
      description: 'SHA-256 of the settlement record: under it the registry on chain knows the settlement.',
    }),
  })
  .openapi('Settlement', { example: SETTLEMENT });

/** P-STL-03 */
export const SettlementTransactionsView = z
  .object({
    settlement_id: z.uuid(),
    transactions: z.array(
      z.object({
        tx_hash: z.string().regex(HASH, HASH_WORDS),
        block_number: z.number().int(),
        submitted_at: z.iso.datetime().openapi({ description: 'Time of its block.' }),
        explorer_link: z.url().nullable(),
      }),
    ),
  })
  .openapi('SettlementTransactions', { example: SETTLEMENT_TRANSACTIONS });

/** P-STL-04 */
export const SettlementVerificationView = z
  .object({
    settlement_id: z.uuid(),
    blockchain_transaction_id: z.string().regex(HASH, HASH_WORDS),
    status: z.enum(['not_recorded', 'verified', 'mismatch', 'unavailable']).openapi({
      description:
        'What the registry on chain says, read for this answer. `verified`: it has this record under the trade’s id. `not_recorded`: nothing of the trade yet. `mismatch`: something of it, and not this record. `unavailable`: the chain does not answer.',
    }),
    settlement_status: z.enum(SETTLEMENT_STATUSES).openapi({
      description:
        'What has become of the settlement: REVERSED where its trade was taken back, whatever `status` says of the record.',
    }),
    adjustment: orNull(
      AdjustmentView.extend({
        status: z.enum(['not_recorded', 'verified', 'unavailable']).openapi({
          description: 'Whether the registry on chain has the record of it.',
        }),
      }).openapi('VerifiedAdjustment', { example: { ...SETTLEMENT_ADJUSTMENT, status: 'verified' } }),
    ),
    finality: FinalityView,
    finality_members: FinalityMembersView,
    block: z
      .object({ height: z.int(), hash: z.string().regex(HASH, HASH_WORDS), slot: z.iso.datetime() })
      .nullable()
      .openapi({
        description: 'The final block that has it, and the millisecond that the block is of. GET …/receipt proves it.',
      }),
    registry_address: z.string().nullable().openapi({
      description: 'Where anybody can read it: `getTxsByUUID(settlement_id)`. Null where the venue has no registry.',
    }),
    explorer_links: z.array(z.url()),
  })
  .openapi('SettlementVerification', { example: SETTLEMENT_VERIFICATION });

export const ReceiptView = z.strictObject(ReceiptDocument.shape).openapi('Receipt', { example: RECEIPT });

export function settlementView(shown: ShownSettlement): z.infer<typeof SettlementView> {
  const { settlement, market, hash, buyer, seller } = shown;
  return {
    settlement_id: settlement.id,
    trade_id: settlement.id,
    security_id: settlement.security,
    status: settlement.status,
    settlement_type: 'bilateral',
    number_of_shares: fromScaled(settlement.quantity, market.quantityScale),
    price_per_share: fromScaled(settlement.price, market.priceScale),
    gross_trade_amount: fromScaled(settlement.notional, market.quoteScale),
    settlement_currency: shown.currencyCode,
    buyer: partyView(buyer),
    seller: partyView(seller),
    executed_at: isoTime(settlement.executedAt),
    settled_at: isoTimeOrNull(settlement.settledAt),
    reversed_at: isoTimeOrNull(settlement.reversedAt),
    reversal_reason: settlement.reason,
    reversed_by: settlement.reversedBy,
    adjustment: adjustmentView(shown),
    finality: shown.finality?.state ?? null,
    finality_members: finalityMembers(shown.finality),
    blockchain_transaction_id: hash,
  };
}

function adjustmentView({ adjustment, market }: ShownSettlement): z.infer<typeof AdjustmentView> | null {
  if (adjustment === null) return null;
  const { type, price, notional, reason, createdAt } = adjustment;
  const stands = type === 'correction';
  return {
    type,
    price_per_share: stands ? fromScaled(price, market.priceScale) : null,
    gross_trade_amount: stands ? fromScaled(notional, market.quoteScale) : null,
    reason,
    adjusted_at: isoTime(createdAt),
  };
}

function finalityMembers(finality: Finality | null): CommitteeMembers | null {
  return finality === null || finality.state === 'pending' ? null : finality.members;
}

/** Where a venue shows the chain. */
type ChainEnv = Pick<Env, 'REGISTRY_ADDRESS' | 'EXPLORER_TRANSACTION_URL'>;

export function verificationView(
  env: ChainEnv,
  shown: ShownSettlement,
  { status, adjustmentStatus = 'not_recorded', transactions }: RegistryReading,
): z.infer<typeof SettlementVerificationView> {
  const { settlement, hash, finality } = shown;
  const adjustment = adjustmentView(shown);
  const block = finality === null || finality.state === 'pending' ? null : finality.block;
  return {
    settlement_id: settlement.id,
    blockchain_transaction_id: hash,
    status,
    settlement_status: settlement.status,
    adjustment: adjustment === null ? null : { ...adjustment, status: adjustmentStatus },
    finality: finality?.state ?? null,
    finality_members: finalityMembers(finality),
    block: block === null ? null : { height: block.height, hash: `0x${block.hash}`, slot: isoTime(block.slot) },
    registry_address: env.REGISTRY_ADDRESS === '' ? null : env.REGISTRY_ADDRESS,
    explorer_links: transactions.flatMap(({ transaction }) => explorerLink(env, transaction) ?? []),
  };
}

export function transactionsView(
  env: ChainEnv,
  { settlement }: ShownSettlement,
  { transactions }: RegistryReading,
): z.infer<typeof SettlementTransactionsView> {
  return {
    settlement_id: settlement.id,
    transactions: transactions.map(({ transaction, blockNumber, recordedAt }) => ({
      tx_hash: transaction,
      block_number: blockNumber,
      submitted_at: isoTime(recordedAt),
      explorer_link: explorerLink(env, transaction),
    })),
  };
}

function explorerLink({ EXPLORER_TRANSACTION_URL: template }: ChainEnv, transaction: string): string | null {
  return template === '' ? null : template.replace('{hash}', transaction);
}

function partyView({ investorId, accountId, firmName, crdNumber }: TradeParty): z.infer<typeof PartyView> {
  return {
    investor_id: investorId,
    account_id: accountId,
    broker_dealer: { firm_name: firmName, crd_number: crdNumber },
  };
}

/** A receipt is there once the settlement is final. */
export function notFinal(): ApiError {
  return apiError('CONFLICT', 'the settlement, or what was made of it since, stands in no final block yet', {
    finality: 'pending',
  });
}

/** Another partner's is not there either. */
export function noSuchSettlement(): ApiError {
  return apiError('NOT_FOUND', 'settlement does not exist');
}
