import { expect, it } from 'vitest';
import { assetSymbolsOf } from './asset-symbols-of.ts';

it.each([
  ['ACME-USD', 'ACME', 'USD'],
  ['BRK-B-USD', 'BRK-B', 'USD'],
])('%s trades %s for %s', (symbol, base, quote) => {
  expect(assetSymbolsOf(symbol)).toEqual([base, quote]);
});
