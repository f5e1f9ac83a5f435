/** What anybody may have a source of prices asked for: quotes that are shown, and books and charts. */
export type ShownPrices = 'quotes' | 'charts';

/** In percent of the source's calls a minute. What is left is for the quotes around which collars of orders lie: whoever looks at prices takes nothing of it. */
const SHARES: Readonly<Record<ShownPrices, number>> = { quotes: 30, charts: 30 };

/** Calls a minute that go to what is shown, of a source that takes so many. */
export function shownCallsMax(shown: ShownPrices, callsPerMinute: number): number {
  return Math.floor((callsPerMinute * SHARES[shown]) / 100);
}
