import type { ComplianceFacts } from '../../../domain/accounts/account.ts';
import type { StopPriceChange } from '../../../domain/ledger/records.ts';
import type { UnsettledPlace } from '../../../domain/ledger/unsettled.ts';
import type { accounts, familyRelations, transferRequests, transfers } from '../../schema/accounts.ts';
import type { domainEvents } from '../../schema/audit.ts';
import type { bookedExecutions, brokerBreaks } from '../../schema/broker.ts';
import type { restrictedSales } from '../../schema/compliance.ts';
import type { apiKeys } from '../../schema/identity.ts';
import type { balances, ledgerTransactions, lots, realizedProfits, unsettledSums } from '../../schema/ledger.ts';
import type { bars, markets, rates, venue } from '../../schema/markets.ts';
import type { orders, tradeAdjustments, trades } from '../../schema/orders.ts';

export type OrderRow = typeof orders.$inferSelect;

/** What changes of an order once it has been admitted. */
export type OrderStateRow = Pick<
  OrderRow,
  | 'id'
  | 'open'
  | 'status'
  | 'filled'
  | 'filledNotional'
  | 'fee'
  | 'reserve'
  | 'allowance'
  | 'position'
  | 'restricted'
  | 'quantity'
  | 'price'
  | 'code'
  | 'updatedAt'
  | 'executedAt'
  | 'cancelledAt'
  | 'remaining'
>;

export type TradeRow = typeof trades.$inferSelect;
export type TradeAdjustmentRow = typeof tradeAdjustments.$inferSelect;
export type RealizedProfitRow = typeof realizedProfits.$inferSelect;
export type RestrictedSaleRow = typeof restrictedSales.$inferSelect;
type BreakResolutionField = 'resolvedAt' | 'resolvedBy' | 'resolution' | 'reason' | 'resolutionId';
export type BrokerBreakRow = Omit<typeof brokerBreaks.$inferSelect, BreakResolutionField>;
export type ResolvedBreakRow = Pick<typeof brokerBreaks.$inferSelect, 'book' | 'id' | BreakResolutionField>;
export type BookedExecutionRow = typeof bookedExecutions.$inferSelect;
export type UnsettledRow = typeof unsettledSums.$inferSelect;
export type BarRow = typeof bars.$inferSelect;
export type BalanceRow = typeof balances.$inferSelect;
export type LotRow = typeof lots.$inferSelect;
export type TransferRow = typeof transfers.$inferSelect;
export type TransferRequestRow = typeof transferRequests.$inferSelect;
export type TransferStateRow = Pick<TransferRequestRow, 'id' | 'state' | 'reason' | 'updatedAt'>;
export type LedgerTransactionRow = typeof ledgerTransactions.$inferSelect;
export type EventRow = Omit<typeof domainEvents.$inferSelect, 'dispatchedAt'>;
export type FactsVersionRow = Pick<typeof accounts.$inferSelect, 'id' | 'factsVersion'>;
export type FactsRow = Pick<typeof accounts.$inferSelect, 'id' | keyof ComplianceFacts>;
export type FamilyRelationRow = typeof familyRelations.$inferSelect;
export type EndedFamilyRow = Pick<FamilyRelationRow, 'id' | 'endedAt' | 'endedBy' | 'endedReason'>;
export type RevokedKeyRow = Pick<typeof apiKeys.$inferSelect, 'id' | 'revokedAt'>;
export type MarketRow = Omit<
  typeof markets.$inferSelect,
  | 'route'
  | 'baseAsset'
  | 'quoteAsset'
  | 'priceScale'
  | 'tickSize'
  | 'lotSize'
  | 'haltedUntil'
  | 'bandReference'
  | 'bandTarget'
  | 'bandToldAt'
  | 'bandStatement'
  | 'createdAt'
>;
export type BandRow = Pick<
  typeof markets.$inferSelect,
  'symbol' | 'bandReference' | 'bandTarget' | 'bandToldAt' | 'bandStatement'
>;
export type MarketHaltRow = { readonly symbol: string; readonly haltedUntil: number };
export type RateRow = typeof rates.$inferSelect;
export type VenueRow = typeof venue.$inferSelect;

/** A row named by its id alone. */
export interface IdRow {
  readonly id: string;
}

/** What journal rows come to in each table of D1; at most one row for each key. */
export interface TableRows {
  /** Admitted or refused in these journal rows, as they stand at their end. */
  readonly orders: readonly OrderRow[];
  /** Of orders from before. */
  readonly orderStates: readonly OrderStateRow[];
  /** Of orders from before. */
  readonly stopPrices: readonly StopPriceChange[];
  /** Orders from before that were never matched: they give up their client order id. */
  readonly releasedOrders: readonly IdRow[];
  readonly trades: readonly TradeRow[];
  /** Those of `trades` that go out as events. */
  readonly announcedTrades: readonly IdRow[];
  readonly tradeAdjustments: readonly TradeAdjustmentRow[];
  /** To be added to what has been realised; adjustments of these journal rows are none of it. */
  readonly realizedProfits: readonly RealizedProfitRow[];
  /** Trades of `tradeAdjustments` that an account has sold: by what they now stand at differs from what was realised. */
  readonly adjustedSales: readonly IdRow[];
  readonly restrictedSales: readonly RestrictedSaleRow[];
  readonly brokerBreaks: readonly BrokerBreakRow[];
  readonly resolvedBreaks: readonly ResolvedBreakRow[];
  readonly bookedExecutions: readonly BookedExecutionRow[];
  /** To be added to the bar that is there. */
  readonly bars: readonly BarRow[];
  readonly balances: readonly BalanceRow[];
  readonly lots: readonly LotRow[];
  /** Lots of which nothing is left. */
  readonly goneLots: readonly IdRow[];
  readonly unsettled: readonly UnsettledRow[];
  /** Places of which all has settled. */
  readonly settled: readonly UnsettledPlace[];
  readonly transfers: readonly TransferRow[];
  readonly transferRequests: readonly TransferRequestRow[];
  /** As they stand at the end of these journal rows. */
  readonly transferStates: readonly TransferStateRow[];
  readonly ledgerTransactions: readonly LedgerTransactionRow[];
  readonly factsVersions: readonly FactsVersionRow[];
  readonly facts: readonly FactsRow[];
  readonly familyRelations: readonly FamilyRelationRow[];
  readonly endedFamily: readonly EndedFamilyRow[];
  readonly revokedKeys: readonly RevokedKeyRow[];
  readonly markets: readonly MarketRow[];
  /** Halts that books have begun by themselves. */
  readonly marketHalts: readonly MarketHaltRow[];
  /** What the bands of books lie around. */
  readonly bands: readonly BandRow[];
  readonly venue: readonly VenueRow[];
  readonly rates: readonly RateRow[];
  readonly events: readonly EventRow[];
}
