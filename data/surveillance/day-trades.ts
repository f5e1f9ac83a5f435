import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import type { WatchedTrade } from '../../domain/surveillance/finding.ts';
import type { Database } from '../database.ts';
import { trades } from '../schema/orders.ts';

/**
 * Sequence of the first trade of a market at a time or later; one above the last where there is none. Time rises with the sequence of a market, which is gapless:
 * it is found by halving, so that no index by time is needed.
 */
export async function firstSequenceAt(db: Database, book: string, at: number): Promise<number> {
  const row = await db.get<{ first: number }>(sql`
    WITH RECURSIVE search (low, high) AS (
      SELECT 0, 1 + coalesce((SELECT max(sequence) FROM trades WHERE book = ${book}), 0)
      UNION ALL
      SELECT CASE WHEN t.executed_at < CAST(${at} AS INTEGER) THEN (low + high) / 2 ELSE low END,
             CASE WHEN t.executed_at < CAST(${at} AS INTEGER) THEN high ELSE (low + high) / 2 END
      FROM search LEFT JOIN trades t ON t.book = ${book} AND t.sequence = (low + high) / 2
      WHERE high - low > 1)
    SELECT high AS first FROM search WHERE high - low <= 1`);
  if (row === undefined) throw new Error(`the trades of ${book} could not be searched`);
  return row.first;
}

/** Trades of a market from one sequence until before another, in order. They stand as they settled: what was taken back later was still done. */
export function listTradesBetween(
  db: Database,
  book: string,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<WatchedTrade[]> {
  return db
    .select({
      id: trades.id,
      price: trades.price,
      quantity: trades.quantity,
      buyOrder: trades.buyOrder,
      sellOrder: trades.sellOrder,
      buyer: trades.buyer,
      seller: trades.seller,
      executedAt: trades.executedAt,
    })
    .from(trades)
    .where(and(eq(trades.book, book), gte(trades.sequence, from), lt(trades.sequence, to)))
    .orderBy(asc(trades.sequence))
    .limit(limit);
}

/** Price of one trade of a market; null where there is none of that sequence. */
export async function priceAt(db: Database, book: string, sequence: number): Promise<number | null> {
  const of = and(eq(trades.book, book), eq(trades.sequence, sequence));
  return (await db.select({ price: trades.price }).from(trades).where(of).get())?.price ?? null;
}
