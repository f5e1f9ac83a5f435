import { type SQL, sql } from 'drizzle-orm';
import type { TransferType } from '../../domain/accounts/transfer-type.ts';
import type { AssetCategory } from '../../domain/assets/asset.ts';
import { SIDES, type Side } from '../../domain/orders/order.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';

/** A deposit, withdrawal or trade of an account. Scaled integers, each by its own scale; Unix milliseconds. */
export interface TransactionRow {
  readonly id: string;
  readonly type: TransferType | 'trade';
  readonly assetId: string;
  readonly assetCategory: AssetCategory;
  /** Null for what is no trade. */
  readonly side: Side | null;
  readonly quantity: number;
  readonly quantityScale: number;
  readonly price: number;
  readonly priceScale: number;
  /** Quote units; 0 for what is no trade. */
  readonly total: number;
  readonly fee: number;
  readonly quoteScale: number;
  /** Symbol of what a trade was paid in; null for what is no trade. */
  readonly currency: string | null;
  /** Dollars that the shares of a sale had cost; null where that is not known, and for others. */
  readonly costBasis: number | null;
  readonly cashScale: number;
  /** At which a sale for another currency than dollars settled; null for others. */
  readonly rateNumerator: number | null;
  readonly rateDenominator: number | null;
  /** Of a transfer its own; of a trade that of its settlement, or `busted`. A corrected trade shows what it stands at. */
  readonly status: string;
  readonly createdAt: number;
  /** Day on which a trade settles, or has settled, where that is not its own time; null for others. */
  readonly settlesOn: number | null;
  /** 0 while a trade has not settled. */
  readonly isSettled: number;
  /** When a trade was taken back or corrected, and the place of that among all of the account; null for others. */
  readonly adjustedAt: number | null;
  readonly adjustmentPlace: number | null;
}

export interface TransactionFilter {
  readonly account: string;
  /** `transfer`: deposits and withdrawals. */
  readonly type: TransactionRow['type'] | 'transfer' | 'all';
  /** The last transaction of the page before. */
  readonly before: { readonly createdAt: number; readonly id: string } | null;
  /** Unix milliseconds: at or after the one, before the other; null for no bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly limit: number;
}

/** Transactions of an account, newest first. */
export function listTransactions(
  db: Database,
  { account, type, before, from, to, limit }: TransactionFilter,
): Promise<TransactionRow[]> {
  const transfers = sql`
    SELECT t.id, t.type, t.asset AS assetId, a.category AS assetCategory, NULL AS side, t.amount AS quantity, a.scale AS quantityScale,
           0 AS price, 0 AS priceScale, 0 AS total, 0 AS fee, 0 AS quoteScale,
           NULL AS currency, NULL AS costBasis, 0 AS cashScale, NULL AS rateNumerator, NULL AS rateDenominator, t.status, t.created_at AS createdAt,
           NULL AS settlesOn, 1 AS isSettled, NULL AS adjustedAt, NULL AS adjustmentPlace
    FROM transfers t JOIN assets a ON a.id = t.asset
    WHERE t.account = ${account}${type === 'all' || type === 'transfer' ? sql`` : sql` AND t.type = ${type}`}`;
  const parts = [
    ...(type === 'trade' ? [] : [transfers]),
    ...(type === 'trade' || type === 'all'
      ? [
          ...SIDES.map(
            (side) => sql`${tradesOf(side)} WHERE ${side === 'buy' ? sql`x.buyer` : sql`x.seller`} = ${account}`,
          ),
          sql`${BOOKED} WHERE e.account = ${account}`,
        ]
      : []),
  ];
  const conditions = [
    sql`true`,
    ...(from === null ? [] : [sql`createdAt >= CAST(${from} AS INTEGER)`]),
    ...(to === null ? [] : [sql`createdAt < CAST(${to} AS INTEGER)`]),
    ...(before === null
      ? []
      : [
          sql`(createdAt < CAST(${before.createdAt} AS INTEGER) OR (createdAt = CAST(${before.createdAt} AS INTEGER) AND id < ${before.id}))`,
        ]),
  ];
  return db.all<TransactionRow>(sql`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY createdAt DESC, id DESC LIMIT CAST(${limit} AS INTEGER)`);
}

export interface AdjustedTransactionFilter {
  readonly account: string;
  /** Only what was adjusted behind this place. */
  readonly after: number;
  readonly limit: number;
}

/** The account's trades that were taken back or corrected, in the sequence in which that was done. Each side is read along its index. */
export function listAdjustedTransactions(
  db: Database,
  { account, after, limit }: AdjustedTransactionFilter,
): Promise<TransactionRow[]> {
  const sequence = Math.floor(after / PLACES_PER_ADJUSTMENT);
  const sides = SIDES.map((side) => {
    const party = side === 'buy' ? sql`d.buyer` : sql`d.seller`;
    return sql`${tradesOf(side)} WHERE ${party} = ${account} AND d.sequence >= CAST(${sequence} AS INTEGER)`;
  });
  return db.all<TransactionRow>(sql`
    SELECT * FROM (${sql.join(sides, sql` UNION ALL `)}) WHERE adjustmentPlace > CAST(${after} AS INTEGER)
    ORDER BY adjustmentPlace LIMIT CAST(${limit} AS INTEGER)`);
}

/** Both sides of a trade may be one account's: each has its place. */
const PLACES_PER_ADJUSTMENT = 2;

/** Trades by what one side did in them, as they stand. */
function tradesOf(side: Side): SQL {
  const fee =
    side === 'buy'
      ? sql`CASE d.type WHEN 'correction' THEN d.buyer_fee ELSE x.buyer_fee END`
      : sql`CASE d.type WHEN 'correction' THEN d.seller_fee ELSE x.seller_fee END`;
  const isKnown = sql`${side} = 'sell' AND (q.id = cash.id OR r.version IS NOT NULL)`;
  return sql`
    SELECT x.id, 'trade' AS type, x.asset_id AS assetId, a.category AS assetCategory, ${side} AS side, x.quantity,
           a.scale AS quantityScale, CASE d.type WHEN 'correction' THEN d.price ELSE x.price END AS price, m.price_scale AS priceScale,
           CASE d.type WHEN 'correction' THEN d.notional ELSE x.notional END AS total, ${fee} AS fee,
           q.scale AS quoteScale, q.symbol AS currency, CASE WHEN ${isKnown} THEN x.seller_cost END AS costBasis,
           cash.scale AS cashScale, r.numerator AS rateNumerator, r.denominator AS rateDenominator,
           CASE d.type WHEN 'bust' THEN 'busted' ELSE s.status END AS status, x.executed_at AS createdAt,
           x.settles_on AS settlesOn, s.status = 'SETTLED' AS isSettled, d.created_at AS adjustedAt, d.sequence * ${sql.raw(String(PLACES_PER_ADJUSTMENT))} + (${side} = 'sell') AS adjustmentPlace
    FROM trades x JOIN assets a ON a.id = x.asset_id JOIN markets m ON m.symbol = x.book JOIN assets q ON q.id = x.quote_asset
    JOIN assets cash ON cash.symbol = ${CASH_SYMBOL} LEFT JOIN rates r ON r.asset = x.quote_asset AND r.version = x.rate_version
    LEFT JOIN settlements s ON s.trade_id = x.id LEFT JOIN trade_adjustments d ON d.trade_id = x.id`;
}

/** Executions that were booked for a break: trades without an order, at the time of their booking. */
const BOOKED = sql`
  SELECT e.id, 'trade' AS type, e.asset_id AS assetId, a.category AS assetCategory, e.side, e.quantity, a.scale AS quantityScale, e.price,
         m.price_scale AS priceScale, e.notional AS total, 0 AS fee, q.scale AS quoteScale, q.symbol AS currency,
         CASE WHEN q.id = cash.id OR r.version IS NOT NULL THEN e.seller_cost END AS costBasis, cash.scale AS cashScale,
         r.numerator AS rateNumerator, r.denominator AS rateDenominator, 'completed' AS status, e.created_at AS createdAt,
         e.settles_on AS settlesOn,
         e.settles_on IS NULL OR NOT EXISTS (
           SELECT 1 FROM unsettled_sums u WHERE u.account = e.account AND u.settles_on = e.settles_on
             AND u.asset = CASE e.side WHEN 'buy' THEN e.asset_id ELSE e.quote_asset END
             AND u.kind = CASE e.side WHEN 'buy' THEN 'shares' ELSE 'cash' END) AS isSettled,
         NULL AS adjustedAt, NULL AS adjustmentPlace
  FROM booked_executions e JOIN assets a ON a.id = e.asset_id JOIN markets m ON m.symbol = e.book JOIN assets q ON q.id = e.quote_asset
  JOIN assets cash ON cash.symbol = ${CASH_SYMBOL} LEFT JOIN rates r ON r.asset = e.quote_asset AND r.version = e.rate_version`;
