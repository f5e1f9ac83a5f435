import { expect, test } from 'vitest';
import { toPaid } from './paid-amount.ts';

const of = (symbol: string, scale: number, category: Parameters<typeof toPaid>[1]['category'] = 'currency') => ({
  symbol,
  scale,
  category,
});

test.each([
  [0.01, of('USD', 4), 100],
  [12, of('USD', 4), 120_000],
  [5, of('JPY', 4), 50_000],
  [0.001, of('KWD', 4), 10],
  [1.08, of('EUR', 2, 'forex'), 108],
  [0.000_001, of('USDC', 6, 'crypto'), 1],
  [0.5, of('ALL', 4, 'stocks'), 5_000],
])('%d of %o is paid', (value, asset, expected) => {
  expect(toPaid(value, asset)).toEqual({ ok: true, value: expected });
});

test.each([
  [0.001, of('USD', 4), 2],
  [0.5, of('JPY', 4), 0],
  [1.000_1, of('KWD', 4), 3],
  [1.081, of('EUR', 4, 'forex'), 2],
  [0.000_000_1, of('USDC', 6, 'crypto'), 6],
])('%d of %o is finer than it is paid', (value, asset, decimalsMax) => {
  expect(toPaid(value, asset)).toMatchObject({
    ok: false,
    error: { reason: 'too_many_decimals', decimals_max: decimalsMax },
  });
});
