import { sql } from 'drizzle-orm';
import { CASH_SYMBOL } from '../domain/portfolio/cash.ts';
import type { NetTrading } from '../domain/portfolio/trading-loss.ts';
import type { Database } from './database.ts';

/** What the settled fills of an API key's orders since a time came to, market by market, in markets against cash. */
export async function readTradingOfKey(
  db: Database,
  key: { readonly account: string; readonly keyId: string },
  since: number,
): Promise<NetTrading[]> {
  // Ids of trades begin with the time of the trade, so the index on (party, id) finds those since then.
  const time = since.toString(16).padStart(12, '0');
  const from = `${time.slice(0, 8)}-${time.slice(8)}`;
  const rows = await db.all<{
    quantity: number;
    cash: number;
    last: number;
    priceScale: number;
    quantityScale: number;
    quoteScale: number;
  }>(sql`
    WITH fills AS (
      SELECT t.book, t.quantity, -(t.notional + t.buyer_fee) AS cash FROM trades t JOIN orders o ON o.id = t.buy_order
      WHERE t.buyer = ${key.account} AND t.id >= ${from} AND o.key_id = ${key.keyId}
      UNION ALL
      SELECT t.book, -t.quantity, t.notional - t.seller_fee FROM trades t JOIN orders o ON o.id = t.sell_order
      WHERE t.seller = ${key.account} AND t.id >= ${from} AND o.key_id = ${key.keyId})
    SELECT SUM(f.quantity) AS quantity, SUM(f.cash) AS cash, m.price_scale AS priceScale, a.scale AS quantityScale, q.scale AS quoteScale,
           (SELECT b.close FROM bars b WHERE b.book = f.book AND b.interval = '1d' ORDER BY b.bucket DESC LIMIT 1) AS last
    FROM fills f JOIN markets m ON m.symbol = f.book JOIN assets a ON a.id = m.base_asset
    JOIN assets q ON q.id = m.quote_asset AND q.symbol = ${CASH_SYMBOL}
    GROUP BY f.book`);
  return rows.map(({ quantity, cash, last, ...market }) => ({ quantity, cash, last, market }));
}
