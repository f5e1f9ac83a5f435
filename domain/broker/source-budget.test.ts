import { expect, test } from 'vitest';
import { type ShownPrices, shownCallsMax } from './source-budget.ts';

const SHOWN_PRICES: readonly ShownPrices[] = ['quotes', 'charts', 'previews', 'closes'];

test.each([1, 7, 60, 200, 10_000])(
  'of %i calls a minute a third at least is left for the collars of orders',
  (calls) => {
    const shown = SHOWN_PRICES.reduce((sum, kind) => sum + shownCallsMax(kind, calls), 0);
    expect(calls - shown).toBeGreaterThanOrEqual(calls / 3);
  },
);

test('of two hundred calls a minute each kind of what is shown has its own', () => {
  expect(SHOWN_PRICES.map((kind) => shownCallsMax(kind, 200))).toEqual([50, 40, 20, 20]);
});
