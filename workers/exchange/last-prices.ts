import type { Database } from '../../data/database.ts';
import { latestDayBars } from '../../data/markets/bars.ts';

/** Last trade price of each market, scaled, as far as it has settled; a market without a trade is left out. */
export async function lastPrices(db: Database, markets: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const bars = await latestDayBars(db, markets);
  return new Map(Array.from(bars, ([market, [latest]]) => [market, latest?.close ?? 0]));
}
