import { expect, test } from 'vitest';
import { collarAround } from './collar.ts';

test.each([
  ['buy', 1_000, 50, 1_050],
  ['buy', 1_001, 50, 1_050],
  ['sell', 1_000, 50, 950],
  ['sell', 1_001, 50, 1_000],
] as const)(
  'a collar lies five percent off on the tick, within: %s at %d, ticks of %d',
  (side, reference, tickSize, collar) => {
    expect(collarAround(reference, side, { tickSize })).toBe(collar);
  },
);

test('a collar is never less than a tick: what costs less than one can still be bought', () => {
  expect(collarAround(10, 'buy', { tickSize: 50 })).toBe(50);
});
