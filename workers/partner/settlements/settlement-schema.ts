import { z } from '@hono/zod-openapi';
import type { ShownSettlement } from '../../../application/partner/settlements/read-settlements.ts';
import type { TradeParty } from '../../../data/webhooks/trade-parties.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { SETTLEMENT_STATUSES } from '../../../domain/partner/settlement-state.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { SETTLEMENT, SETTLEMENT_PARTY, SETTLEMENT_TRANSACTIONS, SETTLEMENT_VERIFICATION } from '../examples.ts';

const PartyView = z
  .object({
    investor_id: z.string(),
    account_id: z.string(),
    broker_dealer: z.object({ firm_name: z.string(), crd_number: z.string() }),
  })
  .openapi('SettlementParty', { example: SETTLEMENT_PARTY });

const HASH = /^0x[0-9a-f]{64}$/;

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
    blockchain_transaction_id: z.string().regex(HASH).openapi({
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
        tx_hash: z.string().regex(HASH),
        block_number: z.number().int(),
        submitted_at: z.iso.datetime(),
      }),
    ),
  })
  .openapi('SettlementTransactions', { example: SETTLEMENT_TRANSACTIONS });

/** P-STL-04 */
export const SettlementVerificationView = z
  .object({
    settlement_id: z.uuid(),
    blockchain_transaction_id: z.string().regex(HASH),
    status: z.enum(['not_recorded', 'verified', 'mismatch']).openapi({
      description: '`not_recorded`: nothing of it stands on chain. No registry is connected to this venue yet.',
    }),
    explorer_links: z.array(z.url()),
  })
  .openapi('SettlementVerification', { example: SETTLEMENT_VERIFICATION });

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
    blockchain_transaction_id: hash,
  };
}

function partyView({ investorId, accountId, firmName, crdNumber }: TradeParty): z.infer<typeof PartyView> {
  return {
    investor_id: investorId,
    account_id: accountId,
    broker_dealer: { firm_name: firmName, crd_number: crdNumber },
  };
}

/** Another partner's is not there either. */
export function noSuchSettlement(): ApiError {
  return apiError('NOT_FOUND', 'settlement does not exist');
}
