import { expect, it } from 'vitest';
import { sourceLevels } from './source-levels.ts';

const MARKET = { priceScale: 2, quantityScale: 0 };

it('counts what a source displays in the units of the market', () => {
  const levels = [
    { price: '214.18', quantity: '3700' },
    { price: '214.2', quantity: '12.0' },
  ];
  expect(sourceLevels(levels, MARKET)).toEqual([
    [214_18, 3_700],
    [214_20, 12],
  ]);
});

it('leaves out what the market cannot count', () => {
  const levels = ['214.181', '0', '-1', 'none'].map((price) => ({ price, quantity: '1' }));
  expect(sourceLevels([...levels, { price: '1', quantity: '0.5' }], MARKET)).toEqual([]);
});
