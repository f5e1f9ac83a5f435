import type { MarketRoute } from './market.ts';

/** Before the symbol of a prime market: no asset's symbol has a colon, so no pair is called like that. */
const PRIME = 'PRIME:';

/**
 * What a request of any door may call a market: every name that `marketSymbol` gives. Requests that are of pairs alone find none behind the
 * others.
 */
export const MARKET_SYMBOL = /^(?:PRIME:)?[A-Za-z0-9._-]{1,31}-[A-Za-z0-9._]{1,31}$/;

/**
 * What a market is called, for good: `<BASE>-<QUOTE>`. Indications on an asset stand beside the pair that it gets at its listing, and a market at
 * the prime broker beside the pair of the same coin, so both have names of their own (docs/design/prime.md#two-markets-of-one-coin).
 */
export function marketSymbol(base: string, quote: string, route: MarketRoute | undefined): string {
  switch (route) {
    case 'indication':
      return `${base}.IOI-${quote}`;
    case 'prime':
      return `${PRIME}${base}-${quote}`;
    case 'internal':
    case 'broker':
    case undefined:
      return `${base}-${quote}`;
  }
}

/** The symbols of the assets that a market trades. A base may have a hyphen of its own. */
export function assetSymbolsOf(symbol: string): readonly [base: string, quote: string] {
  const pair = symbol.startsWith(PRIME) ? symbol.slice(PRIME.length) : symbol;
  const hyphen = pair.lastIndexOf('-');
  return [pair.slice(0, hyphen), pair.slice(hyphen + 1)];
}
