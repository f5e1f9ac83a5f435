import type { Market } from '../../domain/markets/market.ts';

/** The market `B0-USD` as `openMarkets` opens it. */
export const BENCH_MARKET: Market = {
  symbol: 'B0-USD',
  route: 'internal',
  baseAsset: 'b0',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tickSize: 1,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: 1_000_000,
  makerFeeBps: 2,
  takerFeeBps: 5,
  bandBps: 0,
  bandHaltSeconds: 0,
  referencePrice: null,
  status: 'open',
  tracksLots: false,
  rulesVersion: 1,
};
