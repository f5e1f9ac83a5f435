import { expect, it } from 'vitest';
import { MARKET_ROUTES } from './market.ts';
import { assetSymbolsOf, MARKET_SYMBOL, marketSymbol } from './market-symbol.ts';

it.each([
  ['ACME-USD', 'ACME', 'USD'],
  ['BRK-B-USD', 'BRK-B', 'USD'],
  ['PRIME:BTC-USD', 'BTC', 'USD'],
])('%s trades %s for %s', (symbol, base, quote) => {
  expect(assetSymbolsOf(symbol)).toEqual([base, quote]);
});

it('of the markets of two assets those of the prime broker and of indications have symbols of their own', () => {
  expect(MARKET_ROUTES.map((route) => marketSymbol('BTC', 'USD', route))).toEqual([
    'BTC-USD',
    'BTC-USD',
    'PRIME:BTC-USD',
    'BTC.IOI-USD',
  ]);
});

it.each(['BTC', 'BRK-B', 'A.B', '1INCH'])(
  'whatever its route, a market of %s is called what requests may call it',
  (base) => {
    for (const route of MARKET_ROUTES) expect(marketSymbol(base, 'USD', route)).toMatch(MARKET_SYMBOL);
  },
);

it.each(['', 'BTC', 'BTC-', '-USD', 'OTHER:BTC-USD', 'BTC-USD/..', 'BTC USD', 'BTC-USD?a', 'PRIME:'])(
  'nothing is called %j',
  (symbol) => {
    expect(symbol).not.toMatch(MARKET_SYMBOL);
  },
);
