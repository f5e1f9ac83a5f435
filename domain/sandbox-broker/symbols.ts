import { isCurrency } from '../money/currency-decimals.ts';
import { noise, seedOf } from './noise.ts';
import type { PriceProcess } from './price-process.ts';

/** Where prices of the demo's assets begin, in ten-thousandths of a dollar. */
const REFERENCES: Readonly<Record<string, number>> = {
  AAPL: 212_5000,
  MSFT: 431_0000,
  UST10: 98_2500,
  XAU: 2_650_0000,
  EUR: 1_0800,
};

/** A hundredth of a cent: currencies are dealt in four decimals, where a cent of the euro is a hundredth of its price. */
const CURRENCY_TICK = 1;

/** Any other symbol begins between these, in whole dollars. */
const OTHERS_MIN = 5;
const OTHERS_MAX = 500;

const SYMBOL = /^[A-Z][A-Z0-9.]{0,11}$/;

/** The price process of a symbol; null for what is no symbol. */
export function priceProcessOf(symbol: string): PriceProcess | null {
  if (!SYMBOL.test(symbol)) return null;
  const seed = seedOf(symbol);
  const dollars = OTHERS_MIN + (noise(seed, 0) % (OTHERS_MAX - OTHERS_MIN + 1));
  const tick = isCurrency(symbol) ? { tick: CURRENCY_TICK } : {};
  return { seed, reference: REFERENCES[symbol] ?? dollars * 10_000, ...tick };
}
