import type { Side } from '../orders/order.ts';
import { noise, seedOf } from '../sandbox-broker/noise.ts';
import { fairPrice, type PriceProcess } from '../sandbox-broker/price-process.ts';

/** The book stands still so long, then it is quoted anew. */
const EPOCH_MS = 250;
const LEVELS_MAX = 10;
/** Half of the quoted spread, in millionths of the price. */
const HALF_SPREAD_E6 = 150;
/** Lots of a level, at most. */
const LEVEL_LOTS_MAX = 400;

/** Decimals of prices and of quantities at the sandbox prime. */
export const PRIME_PRICE_SCALE = 4;
export const PRIME_QUANTITY_SCALE = 8;

/** How a coin is dealt in: a tick in its price's units, a lot in its quantity's. Tick × lot is a whole ten-thousandth of a dollar. */
export interface PrimeSymbol {
  readonly process: PriceProcess;
  readonly tick: number;
  readonly lot: number;
}

/** The coins of the demo: a tenth of a dollar and a thousandth of a bitcoin, a cent and a hundredth of an ether. */
const TERMS: Readonly<Record<string, { readonly reference: number; readonly tick: number; readonly lot: number }>> = {
  BTC: { reference: 65_000_0000, tick: 1_000, lot: 100_000 },
  ETH: { reference: 3_200_0000, tick: 100, lot: 1_000_000 },
};

/** Any other coin begins between these, in whole dollars, and is dealt in cents and hundredths. */
const OTHERS_MIN = 5;
const OTHERS_MAX = 500;

const SYMBOL = /^[A-Z0-9][A-Z0-9.]{0,15}$/;

/** How a coin is dealt in; null for what is no symbol. */
export function primeSymbolOf(symbol: string): PrimeSymbol | null {
  if (!SYMBOL.test(symbol)) return null;
  const seed = seedOf(`PRIME:${symbol}`);
  const dollars = OTHERS_MIN + (noise(seed, 0) % (OTHERS_MAX - OTHERS_MIN + 1));
  const { reference, tick, lot } = TERMS[symbol] ?? { reference: dollars * 10_000, tick: 100, lot: 1_000_000 };
  return { process: { seed, reference }, tick, lot };
}

export interface PrimeLevel {
  readonly price: number;
  readonly quantity: number;
}

/** What the prime deals at in a moment, best first: bids for a seller, asks for a buyer. It follows from the seed and the time alone. */
export function primeLevels({ process, tick, lot }: PrimeSymbol, taker: Side, at_ms: number): PrimeLevel[] {
  const epoch = Math.floor(at_ms / EPOCH_MS);
  const fair = fairPrice(process, epoch * EPOCH_MS);
  const half = 1 + Math.trunc((fair * HALF_SPREAD_E6) / 1_000_000);
  const isBuy = taker === 'buy';
  const best = isBuy ? Math.ceil((fair + half) / tick) * tick : Math.floor((fair - half) / tick) * tick;
  const levels: PrimeLevel[] = [];
  let price = best;
  for (let level = 0; level < LEVELS_MAX && price > 0; level++) {
    const drawn = noise(process.seed, epoch, isBuy ? 1 : 0, level);
    levels.push({ price, quantity: (1 + (drawn % LEVEL_LOTS_MAX)) * lot });
    price += (isBuy ? tick : -tick) * (1 + ((drawn >>> 16) % 8));
  }
  return levels;
}
