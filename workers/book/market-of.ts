import type { Market } from '../../domain/markets/market.ts';
import { instrumentOf } from '../order-entry/instrument-cache.ts';

/** The market of an order that exists. */
export async function marketOf(env: Env, symbol: string): Promise<Market> {
  const market = (await instrumentOf(env, { symbol }))?.market ?? null;
  if (market === null) throw new Error(`an order stands on ${symbol}, which is no market`);
  return market;
}
