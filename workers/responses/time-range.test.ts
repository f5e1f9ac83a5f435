import { expect, test } from 'vitest';
import { rangeFailure } from './time-range.ts';

test.each([
  ['2026-11-30', '2026-11-29'],
  ['2026-11-29T00:00:00.001Z', '2026-11-29'],
  ['2026-11-29T00:00:00Z', '2026-11-29T00:30:00+01:00'],
])('a range from %s to %s ends before it begins', (from, to) => {
  expect(rangeFailure({ from, to })).toMatchObject({ code: 'VALIDATION_ERROR', details: { field: 'to' } });
});

test.each([
  [undefined, '2026-11-29'],
  ['2026-11-29', undefined],
  ['2026-11-29', '2026-11-29T00:00:00Z'],
  ['2026-11-29T01:00:00+01:00', '2026-11-29'],
])('a range from %s to %s is one', (from, to) => {
  expect(rangeFailure({ from, to })).toBeNull();
});
