import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { BarInterval } from '../../domain/charts/bar-interval.ts';
import type { Database } from '../database.ts';
import { bars } from '../schema/markets.ts';

export type BarRow = typeof bars.$inferSelect;

/** Bars of a market from a bar start on, oldest first, at most `limit`. */
export function listBars(
  db: Database,
  wanted: { readonly book: string; readonly interval: BarInterval; readonly from: number; readonly limit: number },
): Promise<BarRow[]> {
  return db
    .select()
    .from(bars)
    .where(and(eq(bars.book, wanted.book), eq(bars.interval, wanted.interval), gte(bars.bucket, wanted.from)))
    .orderBy(asc(bars.bucket))
    .limit(wanted.limit);
}

/** Bars of a market that start at `from` or later and before `before`, newest first, at most `limit`. */
export function listLatestBars(
  db: Database,
  wanted: {
    readonly book: string;
    readonly interval: BarInterval;
    readonly from: number;
    readonly before: number | null;
    readonly limit: number;
  },
): Promise<BarRow[]> {
  const { book, interval, from, before, limit } = wanted;
  const within = before === null ? undefined : lt(bars.bucket, before);
  return db
    .select()
    .from(bars)
    .where(and(eq(bars.book, book), eq(bars.interval, interval), gte(bars.bucket, from), within))
    .orderBy(desc(bars.bucket))
    .limit(limit);
}

/** The two latest daily bars of each market, latest first. */
export async function latestDayBars(db: Database, books: readonly string[]): Promise<ReadonlyMap<string, BarRow[]>> {
  const rows = await db.all<BarRow>(sql`
    SELECT b.book, b.interval, b.bucket, b.open, b.high, b.low, b.close, b.volume, b.quote_volume AS quoteVolume, b.trades
    FROM json_each(${JSON.stringify(books)}) wanted
    JOIN bars b ON b.book = wanted.value AND b.interval = '1d' AND b.bucket IN (
      SELECT bucket FROM bars WHERE book = wanted.value AND interval = '1d' ORDER BY bucket DESC LIMIT 2)
    ORDER BY b.bucket DESC`);
  const byBook = new Map<string, BarRow[]>();
  for (const row of rows) {
    const list = byBook.get(row.book) ?? [];
    list.push(row);
    byBook.set(row.book, list);
  }
  return byBook;
}
