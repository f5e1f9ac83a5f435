import { expect, test } from 'vitest';
import { currencyDecimals } from './currency-decimals.ts';

test.each([
  ['USD', 4, 2],
  ['EUR', 4, 2],
  ['CHF', 2, 2],
  ['JPY', 4, 0],
  ['KRW', 2, 0],
  ['CLP', 2, 0],
  ['ISK', 0, 0],
  ['KWD', 4, 3],
  ['BHD', 3, 3],
  ['TND', 2, 2],
  ['CLF', 4, 4],
  ['HUF', 4, 2],
  ['MRU', 4, 2],
  ['USDC', 6, 6],
  ['BTC', 8, 8],
])('R-05: %s that is counted in %i decimals is paid in %i', (symbol, scale, decimals) => {
  expect(currencyDecimals(symbol, scale)).toBe(decimals);
});
