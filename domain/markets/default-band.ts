import type { Market, MarketRoute } from './market.ts';

/** As wide as the Limit Up-Limit Down plan has it for lower-priced stocks: 20 %. */
const BAND_BPS = 2_000;

/**
 * Of a market whose operator states none. Only where orders match each other does anybody print a price: a broker has bands of its own, and
 * indications do not trade. No halt: one that a single share at the end of the band begins is an operator's to choose.
 */
export function defaultBand(route: MarketRoute): Pick<Market, 'bandBps' | 'bandHaltSeconds'> {
  return { bandBps: route === 'internal' ? BAND_BPS : 0, bandHaltSeconds: 0 };
}
