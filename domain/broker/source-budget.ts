/** What anybody may have a source of prices asked for: quotes that are shown, books and charts, books for previews of orders, closes of the past. */
export type ShownPrices = 'quotes' | 'charts' | 'previews' | 'closes';

/** In percent of the source's calls a minute. What is left is for the quotes around which collars of orders lie: whoever looks at prices takes nothing of it. */
const SHARES: Readonly<Record<ShownPrices, number>> = { quotes: 25, charts: 20, previews: 10, closes: 10 };

/** Calls a minute that go to what is shown, of a source that takes so many. */
export function shownCallsMax(shown: ShownPrices, callsPerMinute: number): number {
  return Math.floor((callsPerMinute * SHARES[shown]) / 100);
}
