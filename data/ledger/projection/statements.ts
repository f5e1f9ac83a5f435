import type { StopPriceChange } from '../../../domain/ledger/records.ts';
import type { UnsettledPlace } from '../../../domain/ledger/unsettled.ts';
import { assignments, insertStatement, ROWS, type RowStatement, rowStatement } from './row-statement.ts';
import type {
  BalanceRow,
  BandRow,
  BarRow,
  BookedExecutionRow,
  BrokerBreakRow,
  EndedFamilyRow,
  EventRow,
  FactsRow,
  FactsVersionRow,
  FamilyRelationRow,
  IdRow,
  LedgerTransactionRow,
  LotRow,
  MarketHaltRow,
  MarketRow,
  OrderRow,
  OrderStateRow,
  RateRow,
  RealizedProfitRow,
  ResolvedBreakRow,
  RestrictedSaleRow,
  RevokedKeyRow,
  TableRows,
  TradeAdjustmentRow,
  TradeRow,
  TransferRequestRow,
  TransferRow,
  TransferStateRow,
  UnsettledRow,
  VenueRow,
} from './table-rows.ts';

/** The statements that write the rows of every table, in the order in which they run; none for a table without rows. */
export function statementsOf(d1: D1Database, rows: TableRows): D1PreparedStatement[] {
  return [
    ...INSERT_ORDERS.prepare(d1, rows.orders),
    ...UPDATE_ORDERS.prepare(d1, rows.orderStates),
    ...SET_STOP_PRICES.prepare(d1, rows.stopPrices),
    ...FREE_CLIENT_ORDER_IDS.prepare(d1, rows.releasedOrders),
    ...INSERT_TRADES.prepare(d1, rows.trades),
    ...INSERT_TRADE_EVENTS.prepare(d1, rows.announcedTrades),
    ...INSERT_TRADE_ADJUSTMENTS.prepare(d1, rows.tradeAdjustments),
    ...ADD_REALIZED.prepare(d1, rows.realizedProfits),
    ...ADJUST_REALIZED.prepare(d1, rows.adjustedSales),
    ...INSERT_RESTRICTED_SALES.prepare(d1, rows.restrictedSales),
    ...INSERT_BROKER_BREAKS.prepare(d1, rows.brokerBreaks),
    ...RESOLVE_BROKER_BREAKS.prepare(d1, rows.resolvedBreaks),
    ...INSERT_BOOKED_EXECUTIONS.prepare(d1, rows.bookedExecutions),
    ...ROLL_BARS.prepare(d1, rows.bars),
    ...SET_BALANCES.prepare(d1, rows.balances),
    ...SET_LOTS.prepare(d1, rows.lots),
    ...DELETE_LOTS.prepare(d1, rows.goneLots),
    ...SET_UNSETTLED.prepare(d1, rows.unsettled),
    ...DELETE_SETTLED.prepare(d1, rows.settled),
    ...INSERT_TRANSFERS.prepare(d1, rows.transfers),
    ...INSERT_TRANSFER_REQUESTS.prepare(d1, rows.transferRequests),
    ...SET_TRANSFER_STATES.prepare(d1, rows.transferStates),
    ...INSERT_LEDGER_TRANSACTIONS.prepare(d1, rows.ledgerTransactions),
    ...SET_FACTS_VERSIONS.prepare(d1, rows.factsVersions),
    ...SET_FACTS.prepare(d1, rows.facts),
    ...INSERT_FAMILY_RELATIONS.prepare(d1, rows.familyRelations),
    ...END_FAMILY_RELATIONS.prepare(d1, rows.endedFamily),
    ...REVOKE_KEYS.prepare(d1, rows.revokedKeys),
    ...SET_MARKETS.prepare(d1, rows.markets),
    ...SET_MARKET_HALTS.prepare(d1, rows.marketHalts),
    ...SET_BANDS.prepare(d1, rows.bands),
    ...SET_VENUE.prepare(d1, rows.venue),
    ...INSERT_RATES.prepare(d1, rows.rates),
    ...INSERT_EVENTS.prepare(d1, rows.events),
  ];
}

/** A row that is there already stays as it is: an id names one thing. */
const KEEP = 'ON CONFLICT DO NOTHING';

const INSERT_ORDERS: RowStatement<OrderRow> = insertStatement<OrderRow>()(
  'orders',
  [
    'id',
    'account',
    'owner',
    'keyId',
    'book',
    'assetId',
    'open',
    'status',
    'side',
    'type',
    'timeInForce',
    'quantity',
    'price',
    'stopPrice',
    'expiresAt',
    'clientOrderId',
    'filled',
    'filledNotional',
    'fee',
    'reserveAsset',
    'reserve',
    'allowanceAsset',
    'allowance',
    'positionAsset',
    'position',
    'restricted',
    'preIpo',
    'code',
    'createdAt',
    'updatedAt',
    'executedAt',
    'cancelledAt',
    'remaining',
  ],
  KEEP,
);

const STATE_FIELDS = [
  'open',
  'status',
  'filled',
  'filledNotional',
  'fee',
  'reserve',
  'allowance',
  'position',
  'restricted',
  'quantity',
  'price',
  'code',
  'updatedAt',
  'executedAt',
  'cancelledAt',
  'remaining',
] as const;

const UPDATE_ORDERS = rowStatement<OrderStateRow>()(
  ['id', ...STATE_FIELDS],
  (state) => `UPDATE orders SET ${assignments(STATE_FIELDS, state)} FROM ${ROWS} WHERE orders.id = ${state.id}`,
);

const SET_STOP_PRICES = rowStatement<StopPriceChange>()(
  ['id', 'stopPrice'],
  ({ id, stopPrice }) => `UPDATE orders SET stop_price = ${stopPrice} FROM ${ROWS} WHERE orders.id = ${id}`,
);

const FREE_CLIENT_ORDER_IDS = rowStatement<IdRow>()(
  ['id'],
  ({ id }) => `UPDATE orders SET client_order_id = NULL FROM ${ROWS} WHERE orders.id = ${id}`,
);

const INSERT_TRADES: RowStatement<TradeRow> = insertStatement<TradeRow>()(
  'trades',
  [
    'id',
    'book',
    'sequence',
    'assetId',
    'quoteAsset',
    'price',
    'quantity',
    'notional',
    'takerSide',
    'buyOrder',
    'sellOrder',
    'buyer',
    'seller',
    'buyerFee',
    'sellerFee',
    'sellerCost',
    'executedAt',
    'buyFilled',
    'buyRemaining',
    'sellFilled',
    'sellRemaining',
    'rateVersion',
    'allowance',
    'settlesOn',
  ],
  KEEP,
);

/** Of trades that have just been inserted. */
const INSERT_TRADE_EVENTS = rowStatement<IdRow>()(
  ['id'],
  ({ id }) => `
INSERT INTO domain_events (id, type, subject, payload, created_at)
SELECT t.id, 'trade.executed', t.asset_id,
       json_object('trade_id', t.id, 'book', t.book, 'asset', t.asset_id, 'currency', t.quote_asset, 'price', t.price,
                   'quantity', t.quantity, 'notional', t.notional, 'taker_side', t.taker_side, 'buy_order', t.buy_order,
                   'sell_order', t.sell_order, 'buyer', t.buyer, 'seller', t.seller, 'buyer_fee', t.buyer_fee,
                   'seller_fee', t.seller_fee, 'executed_at', t.executed_at),
       t.executed_at
FROM ${ROWS} CROSS JOIN trades t WHERE t.id = ${id} ${KEEP}`,
);

const INSERT_TRADE_ADJUSTMENTS = insertStatement<TradeAdjustmentRow>()(
  'trade_adjustments',
  [
    'tradeId',
    'id',
    'type',
    'price',
    'quantity',
    'notional',
    'buyerFee',
    'sellerFee',
    'reason',
    'createdAt',
    'sequence',
    'buyer',
    'seller',
    'unsettled',
  ],
  KEEP,
);

const ADD = 'ON CONFLICT DO UPDATE SET profit = profit + excluded.profit';

const ADD_REALIZED = insertStatement<RealizedProfitRow>()(
  'realized_profits',
  ['account', 'asset', 'quoteAsset', 'profit'],
  ADD,
);

/** Of trades whose adjustment has just been inserted: what they stand at less what they settled at, and nothing of one taken back. */
const ADJUST_REALIZED = rowStatement<IdRow>()(
  ['id'],
  ({ id }) => `
INSERT INTO realized_profits (account, asset, quote_asset, profit)
SELECT t.seller, t.asset_id, t.quote_asset,
       sum(CASE d.type WHEN 'bust' THEN t.seller_cost ELSE d.notional - d.seller_fee END - t.notional + t.seller_fee)
FROM ${ROWS} CROSS JOIN trades t JOIN trade_adjustments d ON d.trade_id = t.id
WHERE t.id = ${id} AND t.seller_cost IS NOT NULL AND t.rate_version IS NULL GROUP BY t.seller, t.asset_id, t.quote_asset
${ADD}`,
);

const INSERT_RESTRICTED_SALES = rowStatement<RestrictedSaleRow>()(
  ['id', 'trade', 'asset', 'buyOrder', 'buyer', 'quantity', 'restrictionEndsAt', 'offeringType', 'at'],
  (sale) => `
INSERT INTO restricted_sales (lot, trade, asset, buy_order, buyer, quantity, restriction_ends_at, offering_type, at)
SELECT ${sale.id}, ${sale.trade}, ${sale.asset}, ${sale.buyOrder}, ${sale.buyer}, ${sale.quantity}, ${sale.restrictionEndsAt},
       ${sale.offeringType}, ${sale.at}
FROM ${ROWS} WHERE true ${KEEP}`,
);

const INSERT_BROKER_BREAKS = insertStatement<BrokerBreakRow>()(
  'broker_breaks',
  [
    'book',
    'id',
    'kind',
    'orderId',
    'executionId',
    'detail',
    'at',
    'side',
    'price',
    'quantity',
    'knownSide',
    'knownPrice',
    'knownQuantity',
  ],
  KEEP,
);

const RESOLUTION_FIELDS = ['resolvedAt', 'resolvedBy', 'resolution', 'reason', 'resolutionId'] as const;

const RESOLVE_BROKER_BREAKS = rowStatement<ResolvedBreakRow>()(
  ['id', 'book', ...RESOLUTION_FIELDS],
  (row) =>
    `UPDATE broker_breaks SET ${assignments(RESOLUTION_FIELDS, row)} FROM ${ROWS} WHERE broker_breaks.book = ${row.book} AND broker_breaks.id = ${row.id}`,
);

const INSERT_BOOKED_EXECUTIONS = insertStatement<BookedExecutionRow>()(
  'booked_executions',
  [
    'id',
    'book',
    'breakId',
    'executionId',
    'account',
    'side',
    'assetId',
    'quoteAsset',
    'price',
    'quantity',
    'notional',
    'sellerCost',
    'rateVersion',
    'executedAt',
    'settlesOn',
    'createdAt',
  ],
  KEEP,
);

const ROLL_BARS = insertStatement<BarRow>()(
  'bars',
  ['book', 'interval', 'bucket', 'open', 'high', 'low', 'close', 'volume', 'quoteVolume', 'trades'],
  `ON CONFLICT DO UPDATE SET high = max(high, excluded.high), low = min(low, excluded.low), close = excluded.close,
     volume = volume + excluded.volume, quote_volume = quote_volume + excluded.quote_volume, trades = trades + excluded.trades`,
);

const SET_BALANCES = insertStatement<BalanceRow>()(
  'balances',
  ['account', 'asset', 'boundary', 'available', 'held', 'cost'],
  'ON CONFLICT DO UPDATE SET available = excluded.available, held = excluded.held, cost = excluded.cost',
);

/** Whose a lot is and where it comes from never changes. */
const SET_LOTS = insertStatement<LotRow>()(
  'lots',
  ['id', 'account', 'asset', 'quantity', 'reserved', 'cost', 'acquiredAt', 'restrictionEndsAt', 'offeringType'],
  `ON CONFLICT DO UPDATE SET asset = excluded.asset, quantity = excluded.quantity, reserved = excluded.reserved, cost = excluded.cost,
    restriction_ends_at = excluded.restriction_ends_at`,
);

const DELETE_LOTS = rowStatement<IdRow>()(
  ['id'],
  ({ id }) => `DELETE FROM lots WHERE id IN (SELECT ${id} FROM ${ROWS})`,
);

const PLACE = ['account', 'asset', 'kind', 'settlesOn'] as const;

const SET_UNSETTLED = insertStatement<UnsettledRow>()(
  'unsettled_sums',
  [...PLACE, 'amount'],
  'ON CONFLICT DO UPDATE SET amount = excluded.amount',
);

const DELETE_SETTLED = rowStatement<UnsettledPlace>()(
  PLACE,
  ({ account, asset, kind, settlesOn }) =>
    `DELETE FROM unsettled_sums WHERE (account, asset, kind, settles_on) IN (SELECT ${account}, ${asset}, ${kind}, ${settlesOn} FROM ${ROWS})`,
);

const INSERT_TRANSFERS = insertStatement<TransferRow>()(
  'transfers',
  ['id', 'account', 'type', 'asset', 'amount', 'status', 'reference', 'createdAt'],
  KEEP,
);

const INSERT_TRANSFER_REQUESTS = insertStatement<TransferRequestRow>()(
  'transfer_requests',
  ['id', 'account', 'type', 'asset', 'amount', 'state', 'reference', 'reason', 'createdAt', 'updatedAt'],
  KEEP,
);

const FAMILY_END_FIELDS = ['endedAt', 'endedBy', 'endedReason'] as const;

const INSERT_FAMILY_RELATIONS = insertStatement<FamilyRelationRow>()(
  'family_relations',
  ['id', 'account', 'relative', 'relationship', 'evidence', 'recordedBy', 'createdAt', ...FAMILY_END_FIELDS],
  KEEP,
);

const END_FAMILY_RELATIONS = rowStatement<EndedFamilyRow>()(
  ['id', ...FAMILY_END_FIELDS],
  (row) =>
    `UPDATE family_relations SET ${assignments(FAMILY_END_FIELDS, row)} FROM ${ROWS} WHERE family_relations.id = ${row.id}`,
);

const TRANSFER_STATE_FIELDS = ['state', 'reason', 'updatedAt'] as const;

const SET_TRANSFER_STATES = rowStatement<TransferStateRow>()(
  ['id', ...TRANSFER_STATE_FIELDS],
  (row) =>
    `UPDATE transfer_requests SET ${assignments(TRANSFER_STATE_FIELDS, row)} FROM ${ROWS} WHERE transfer_requests.id = ${row.id}`,
);

const INSERT_LEDGER_TRANSACTIONS = insertStatement<LedgerTransactionRow>()(
  'ledger_transactions',
  ['id', 'kind', 'account', 'asset', 'amount', 'boundary', 'createdAt', 'commitment'],
  KEEP,
);

const SET_FACTS_VERSIONS = rowStatement<FactsVersionRow>()(
  ['id', 'factsVersion'],
  ({ id, factsVersion }) =>
    `UPDATE accounts SET facts_version = ${factsVersion} FROM ${ROWS} WHERE accounts.id = ${id}`,
);

const FACT_FIELDS = [
  'kycStatus',
  'accreditationStatus',
  'accreditationType',
  'usPerson',
  'annualIncome',
  'netWorth',
  'frozen',
] as const;

const SET_FACTS = rowStatement<FactsRow>()(
  ['id', ...FACT_FIELDS],
  (facts) => `UPDATE accounts SET ${assignments(FACT_FIELDS, facts)} FROM ${ROWS} WHERE accounts.id = ${facts.id}`,
);

const REVOKE_KEYS = rowStatement<RevokedKeyRow>()(
  ['id', 'revokedAt'],
  ({ id, revokedAt }) => `
UPDATE api_keys SET status = 'revoked', revoked_at = ${revokedAt} FROM ${ROWS} WHERE api_keys.id = ${id} AND api_keys.status = 'active'`,
);

const RULE_FIELDS = [
  'status',
  'quantityMin',
  'quantityMax',
  'makerFeeBps',
  'takerFeeBps',
  'bandBps',
  'bandHaltSeconds',
  'tradingHours',
  'referencePrice',
  'referenceStatement',
  'rulesVersion',
] as const;

const SET_MARKETS = rowStatement<MarketRow>()(
  ['symbol', ...RULE_FIELDS],
  (rules) =>
    `UPDATE markets SET ${assignments(RULE_FIELDS, rules)} FROM ${ROWS} WHERE markets.symbol = ${rules.symbol}`,
);

const SET_MARKET_HALTS = rowStatement<MarketHaltRow>()(
  ['symbol', 'haltedUntil'],
  ({ symbol, haltedUntil }) =>
    `UPDATE markets SET halted_until = ${haltedUntil} FROM ${ROWS} WHERE markets.symbol = ${symbol}`,
);

const BAND_FIELDS = ['bandReference', 'bandTarget', 'bandToldAt', 'bandStatement'] as const;

const SET_BANDS = rowStatement<BandRow>()(
  ['symbol', ...BAND_FIELDS],
  (band) => `UPDATE markets SET ${assignments(BAND_FIELDS, band)} FROM ${ROWS} WHERE markets.symbol = ${band.symbol}`,
);

const SET_VENUE = rowStatement<VenueRow>()(
  ['id', 'halted'],
  ({ id, halted }) => `UPDATE venue SET halted = ${halted} FROM ${ROWS} WHERE venue.id = ${id}`,
);

const INSERT_RATES = insertStatement<RateRow>()(
  'rates',
  ['asset', 'version', 'numerator', 'denominator', 'statedAt'],
  KEEP,
);

const INSERT_EVENTS = insertStatement<EventRow>()(
  'domain_events',
  ['id', 'type', 'subject', 'payload', 'createdAt'],
  KEEP,
);
