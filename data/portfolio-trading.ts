import { sql } from 'drizzle-orm';
import { CASH_SYMBOL } from '../domain/portfolio/cash.ts';
import { type NetTrading, tradingLoss } from '../domain/portfolio/trading-loss.ts';
import type { Database } from './database.ts';
import { DAY_MS, lastKeyDay } from './key-positions.ts';
import { tradeIdsFrom } from './trade-ids-from.ts';

export interface DailyLoss {
  /** Quote units; 0 for a gain. */
  readonly loss: number;
  /** Decimals of the quote currency. */
  readonly scale: number;
}

/**
 * What an API key has lost since 00:00 UTC: by the settled fills of its orders, and on what earlier ones had left it with, all that is
 * held valued at the last price. In markets against cash.
 */
export async function readDailyLoss(
  db: Database,
  key: { readonly account: string; readonly keyId: string },
  now: number,
): Promise<DailyLoss> {
  const trading = await readTradingOfKey(db, key, now);
  return { loss: tradingLoss(trading), scale: trading[0]?.market.quoteScale ?? 0 };
}

async function readTradingOfKey(
  db: Database,
  key: { readonly account: string; readonly keyId: string },
  now: number,
): Promise<NetTrading[]> {
  const { account, keyId } = key;
  const midnight = now - (now % DAY_MS);
  const today = tradeIdsFrom(midnight);
  const last = await lastKeyDay(db, key, now);
  const from = tradeIdsFrom(last * DAY_MS);
  const rows = await db.all<{
    quantity: number;
    cash: number;
    overnight: number;
    last: number;
    lastBefore: number | null;
    priceScale: number;
    quantityScale: number;
    quoteScale: number;
  }>(sql`
    WITH fills AS (
      SELECT t.id, t.book, t.quantity, -(t.notional + t.buyer_fee) AS cash FROM trades t LEFT JOIN orders o ON o.id = t.buy_order
 LEFT JOIN traded_orders d ON d.id = t.buy_order
      WHERE t.buyer = ${account} AND t.id >= ${from} AND coalesce(o.key_id, d.key_id) = ${keyId}
      UNION ALL
      SELECT t.id, t.book, -t.quantity, t.notional - t.seller_fee FROM trades t LEFT JOIN orders o ON o.id = t.sell_order
 LEFT JOIN traded_orders d ON d.id = t.sell_order
      WHERE t.seller = ${account} AND t.id >= ${from} AND coalesce(o.key_id, d.key_id) = ${keyId}),
    moves AS (
      SELECT book, quantity, cash, 0 AS overnight FROM fills WHERE id >= ${today}
      UNION ALL
      SELECT book, 0, 0, quantity FROM fills WHERE id < ${today}
      UNION ALL
      SELECT book, 0, 0, quantity FROM key_positions WHERE key_id = ${keyId} AND day = ${last})
    SELECT SUM(f.quantity) AS quantity, SUM(f.cash) AS cash, MAX(0, SUM(f.overnight)) AS overnight,
           m.price_scale AS priceScale, a.scale AS quantityScale, q.scale AS quoteScale,
           (SELECT b.close FROM bars b WHERE b.book = f.book AND b.interval = '1d' ORDER BY b.bucket DESC LIMIT 1) AS last,
           (SELECT b.close FROM bars b WHERE b.book = f.book AND b.interval = '1d' AND b.bucket < ${midnight}
            ORDER BY b.bucket DESC LIMIT 1) AS lastBefore
    FROM moves f JOIN markets m ON m.symbol = f.book JOIN assets a ON a.id = m.base_asset
    JOIN assets q ON q.id = m.quote_asset AND q.symbol = ${CASH_SYMBOL}
    GROUP BY f.book`);
  return rows.map(({ quantity, cash, overnight, last: price, lastBefore, ...market }) => ({
    market,
    quantity,
    cash,
    overnight,
    last: price,
    lastBefore: lastBefore ?? price,
  }));
}
