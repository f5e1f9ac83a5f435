import type { Market, MarketRoute } from './market.ts';

/** Of a market whose operator states none: 20 % and five minutes, as the Limit Up-Limit Down plan has for its lower-priced stocks. */
const BAND_BPS = 2_000;
const BAND_HALT_SECONDS = 300;

/** Only where orders match each other does anybody print a price: a broker has bands of its own, and indications do not trade. */
export function defaultBand(route: MarketRoute): Pick<Market, 'bandBps' | 'bandHaltSeconds'> {
  return route === 'internal'
    ? { bandBps: BAND_BPS, bandHaltSeconds: BAND_HALT_SECONDS }
    : { bandBps: 0, bandHaltSeconds: 0 };
}
