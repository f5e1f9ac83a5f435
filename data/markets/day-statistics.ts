import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import { bars } from '../schema/markets.ts';

/** Scaled by the market's scales; null where nothing traded. */
export interface DayStatistics {
  readonly volume: number;
  readonly quoteVolume: number;
  readonly high: number | null;
  readonly low: number | null;
  /** Last price before `since`, or else the first one after it. */
  readonly before: number | null;
}

/** What a book has traded since a time, to the minute, from its one-minute bars. */
export async function dayStatistics(db: Database, book: string, since_ms: number): Promise<DayStatistics> {
  const minutes = and(eq(bars.book, book), eq(bars.interval, '1m'));
  const within = and(minutes, gte(bars.bucket, since_ms));
  const [totals, closeBefore, openWithin] = await db.batch([
    db
      .select({
        volume: sql<number>`coalesce(sum(${bars.volume}), 0)`,
        quoteVolume: sql<number>`coalesce(sum(${bars.quoteVolume}), 0)`,
        high: sql<number | null>`max(${bars.high})`,
        low: sql<number | null>`min(${bars.low})`,
      })
      .from(bars)
      .where(within),
    db
      .select({ price: bars.close })
      .from(bars)
      .where(and(minutes, lt(bars.bucket, since_ms)))
      .orderBy(desc(bars.bucket))
      .limit(1),
    db.select({ price: bars.open }).from(bars).where(within).orderBy(bars.bucket).limit(1),
  ]);
  const total = totals[0] ?? { volume: 0, quoteVolume: 0, high: null, low: null };
  return { ...total, before: closeBefore[0]?.price ?? openWithin[0]?.price ?? null };
}

/**
 * The same of many books at once, from their bars of an hour, and so since the full hour before that time: some 25 rows of each are read. A book that nothing has traded in has zeros
 * and nulls.
 */
export async function hourlyStatistics(
  db: Database,
  books: readonly string[],
  since_ms: number,
): Promise<ReadonlyMap<string, DayStatistics>> {
  const since = sql`CAST(${since_ms - (since_ms % HOUR_MS)} AS INTEGER)`;
  const rows = await db.all<DayStatistics & { readonly book: string }>(sql`
    SELECT wanted.value AS book, coalesce(sum(b.volume), 0) AS volume, coalesce(sum(b.quote_volume), 0) AS quoteVolume,
           max(b.high) AS high, min(b.low) AS low,
           coalesce(
             (SELECT close FROM bars WHERE book = wanted.value AND interval = '1h' AND bucket < ${since} ORDER BY bucket DESC LIMIT 1),
             (SELECT open FROM bars WHERE book = wanted.value AND interval = '1h' AND bucket >= ${since} ORDER BY bucket LIMIT 1)
           ) AS before
    FROM json_each(${JSON.stringify(books)}) wanted
    LEFT JOIN bars b ON b.book = wanted.value AND b.interval = '1h' AND b.bucket >= ${since}
    GROUP BY wanted.value`);
  return new Map(rows.map(({ book, ...statistics }) => [book, statistics]));
}
