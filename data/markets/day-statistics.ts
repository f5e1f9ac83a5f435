import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
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
