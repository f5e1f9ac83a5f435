import type { MarketTerms } from '../../data/markets/markets.ts';
import type { DollarRate } from '../../domain/money/dollar-rate.ts';

/** Whole dollars (`numerator`) for whole units of an asset (`denominator`). */
export interface DemoRate extends DollarRate {
  readonly asset: string;
}

type DemoMarket = Omit<MarketTerms, 'createdAt'>;

/** Whole shares, prices in cents. */
const shares = (baseAsset: string, referencePrice: number, terms: Partial<DemoMarket> = {}): DemoMarket => ({
  baseAsset,
  quoteAsset: 'usd',
  priceScale: 2,
  tickSize: 1,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: 1_000_000,
  referencePrice,
  ...terms,
});

/**
 * Whole units at the broker; prices to the cent, and executions between cents fit exactly.
 *
 * @param unit of the asset's scale
 * @param referencePrice in ten-thousandths of a dollar
 * @param tickSize in ten-thousandths of a dollar
 */
const routed = (baseAsset: string, unit: number, referencePrice: number, tickSize = 100): DemoMarket => ({
  route: 'broker',
  baseAsset,
  quoteAsset: 'usd',
  priceScale: 4,
  tickSize,
  lotSize: unit,
  quantityMin: unit,
  quantityMax: 100_000 * unit,
  takerFeeBps: 5,
  referencePrice,
});

/** Indications of interest in shares that are not listed yet: what investors would pay, in cents. */
const indicated = (baseAsset: string): DemoMarket => ({
  route: 'indication',
  baseAsset,
  quoteAsset: 'usd',
  priceScale: 2,
  tickSize: 1,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: 1_000_000,
});

/**
 * Coins at the prime broker, in its ticks and lots (docs/design/prime.md#units), for profile A; their pairs of profile B stand beside them.
 *
 * @param tick and reference price in cents
 */
const prime = (baseAsset: string, tick: number, lot: number, referencePrice: number): DemoMarket => ({
  route: 'prime',
  baseAsset,
  quoteAsset: 'usd',
  priceScale: 2,
  tickSize: tick,
  lotSize: lot,
  quantityMin: lot,
  quantityMax: 1_000_000 * lot,
  takerFeeBps: 25,
  referencePrice,
});

/**
 * The public assets, routed to the broker; one book per private security that matches internally; the indications on pre-IPO assets; crypto at
 * the prime broker, and its pairs of profile B.
 */
export const DEMO_MARKETS: readonly DemoMarket[] = [
  routed('aapl', 10_000, 212_5000),
  routed('msft', 10_000, 431_0000),
  routed('ust10', 1, 98_2500),
  routed('xau', 10_000, 2_650_0000),
  routed('eur', 100, 1_0800, 1),
  prime('btc', 10, 100_000, 6_500_000),
  prime('eth', 1, 1_000_000, 320_000),
  shares('acme', 2_500),
  shares('harbor', 400),
  shares('maple', 1_200),
  shares('summit', 5_000),
  shares('zenith', 12_000, { makerFeeBps: 10, takerFeeBps: 20, bandBps: 2_000 }),
  shares('nordic', 800),
  indicated('orbit'),
  indicated('lumen'),
  {
    baseAsset: 'btc',
    quoteAsset: 'usd',
    priceScale: 2,
    tickSize: 10,
    lotSize: 100_000,
    quantityMin: 100_000,
    quantityMax: 100_000_000_000,
    makerFeeBps: 5,
    takerFeeBps: 10,
    referencePrice: 6_500_000,
  },
  {
    baseAsset: 'eth',
    quoteAsset: 'usd',
    priceScale: 2,
    tickSize: 1,
    lotSize: 1_000_000,
    quantityMin: 1_000_000,
    quantityMax: 1_000_000_000_000,
    makerFeeBps: 5,
    takerFeeBps: 10,
    referencePrice: 320_000,
  },
  {
    baseAsset: 'eth',
    quoteAsset: 'btc',
    priceScale: 5,
    tickSize: 1,
    lotSize: 100_000,
    quantityMin: 100_000,
    quantityMax: 1_000_000_000_000,
    makerFeeBps: 5,
    takerFeeBps: 10,
    referencePrice: 4_900,
  },
];

/** What the markets quote in beside dollars. */
export const DEMO_RATES: readonly DemoRate[] = [{ asset: 'btc', numerator: 65_000, denominator: 1 }];
