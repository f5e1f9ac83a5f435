import { type SQL, sql } from 'drizzle-orm';
import type { Side } from '../../domain/orders/order.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';
import { idsFrom } from '../ids-from.ts';

/** What sales for cash of a day of UTC have realised, as the trades stand. */
export interface RealizedDay {
  readonly day: number;
  /** Units of cash. */
  readonly profit: number;
  /** Sales that are left out: nobody knows what their shares had cost, or they were for another currency. */
  readonly unknown: number;
}

/** By day, from a midnight of UTC on. */
export function listRealizedByDay(db: Database, account: string, from: number): Promise<RealizedDay[]> {
  return db.all<RealizedDay>(sql`
    SELECT at - at % 86400000 AS day, sum(CASE WHEN isKnown THEN profit ELSE 0 END) AS profit, sum(NOT isKnown) AS unknown FROM (
      SELECT x.executed_at AS at, x.seller_cost IS NOT NULL AND x.quote_asset = cash.id AS isKnown,
             CASE WHEN d.type = 'bust' THEN 0
                  ELSE coalesce(d.notional, x.notional) - coalesce(d.seller_fee, x.seller_fee) - coalesce(x.seller_cost, 0) END AS profit
      FROM trades x JOIN assets cash ON cash.symbol = ${CASH_SYMBOL} LEFT JOIN trade_adjustments d ON d.trade_id = x.id
      WHERE x.seller = ${account} AND x.id >= ${idsFrom(from)} AND x.executed_at >= CAST(${from} AS INTEGER)
      UNION ALL
      SELECT e.created_at, e.seller_cost IS NOT NULL AND e.quote_asset = cash.id, e.notional - coalesce(e.seller_cost, 0)
      FROM booked_executions e JOIN assets cash ON cash.symbol = ${CASH_SYMBOL}
      WHERE e.account = ${account} AND e.side = 'sell' AND e.created_at >= CAST(${from} AS INTEGER))
    GROUP BY day`);
}

/** A sale of a span with what its shares had cost, as the trade stands. Scaled integers. */
export interface SaleRow {
  readonly tradeId: string;
  readonly at: number;
  readonly assetId: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly quantityScale: number;
  /** Quote units, after the fee. */
  readonly proceeds: number;
  readonly quoteScale: number;
  readonly currency: string;
  /** Dollars; null where that is not known. */
  readonly cost: number | null;
  readonly cashScale: number;
  /** At which a sale for another currency settled; null for dollars, and where none was stated. */
  readonly rateNumerator: number | null;
  readonly rateDenominator: number | null;
}

export interface SaleSpan {
  readonly account: string;
  readonly from: number;
  readonly to: number;
  /** The last one of the page before. */
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

const SELL: Side = 'sell';

/** Sales of a span that stand, oldest first; what was taken back is none. Each table is read from where the page begins, as far as it goes. */
export function listSales(db: Database, { account, from, to, after, limit }: SaleSpan): Promise<SaleRow[]> {
  const since = after === null ? from : Math.min(Math.max(after.at, from), to);
  const most = sql`CAST(${limit} AS INTEGER)`;
  const within = (at: SQL, id: SQL) => {
    const span = sql`${at} >= CAST(${since} AS INTEGER) AND ${at} < CAST(${to} AS INTEGER)`;
    if (after === null) return span;
    const last = sql`CAST(${after.at} AS INTEGER)`;
    return sql`${span} AND (${at} > ${last} OR (${at} = ${last} AND ${id} > ${after.id}))`;
  };
  return db.all<SaleRow>(sql`
    SELECT s.*, a.symbol, a.scale AS quantityScale, q.scale AS quoteScale, q.symbol AS currency, cash.scale AS cashScale,
           r.numerator AS rateNumerator, r.denominator AS rateDenominator,
           CASE WHEN q.id = cash.id OR r.version IS NOT NULL THEN s.paid END AS cost
    FROM (SELECT * FROM (
        SELECT x.id AS tradeId, x.executed_at AS at, x.asset_id AS assetId, x.quantity, x.quote_asset AS quote, x.rate_version AS rate,
               coalesce(d.notional, x.notional) - coalesce(d.seller_fee, x.seller_fee) AS proceeds, x.seller_cost AS paid
        FROM trades x LEFT JOIN trade_adjustments d ON d.trade_id = x.id
        WHERE x.seller = ${account} AND x.id >= ${idsFrom(since)} AND x.id < ${idsFrom(to)} AND ${within(sql`x.executed_at`, sql`x.id`)}
          AND coalesce(d.type, '') <> 'bust' ORDER BY x.id LIMIT ${most})
      UNION ALL
      SELECT * FROM (
        SELECT e.id, e.created_at, e.asset_id, e.quantity, e.quote_asset, e.rate_version, e.notional, e.seller_cost
        FROM booked_executions e WHERE e.account = ${account} AND e.side = ${SELL} AND ${within(sql`e.created_at`, sql`e.id`)}
        ORDER BY e.created_at, e.id LIMIT ${most})
      ORDER BY at, tradeId LIMIT ${most}) s
    JOIN assets a ON a.id = s.assetId JOIN assets q ON q.id = s.quote JOIN assets cash ON cash.symbol = ${CASH_SYMBOL}
    LEFT JOIN rates r ON r.asset = s.quote AND r.version = s.rate
    ORDER BY s.at, s.tradeId`);
}
