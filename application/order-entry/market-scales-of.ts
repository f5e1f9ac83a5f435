import type { MarketScales } from '../../durable-objects/order-book/api.ts';
import { readMarketScales } from '../order-book/open-orders.ts';
import { instrumentOf, knownInstrument } from './checks/instrument-cache.ts';

/** Scales of the market of an order that exists. They never change, so what was read once will do; else D1 has them, else the book. */
export async function marketScalesOf(env: Env, symbol: string): Promise<MarketScales> {
  const known = knownInstrument(symbol)?.market ?? null;
  if (known !== null) return known;
  const instrument = await instrumentOf(env, { symbol });
  const market = instrument === 'unavailable' ? await readMarketScales(env, symbol) : (instrument?.market ?? null);
  if (market === null) throw new Error(`an order stands on ${symbol}, of which nobody knows`);
  return market;
}
