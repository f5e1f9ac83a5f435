import { expect, test } from 'vitest';
import { recordedAhead } from './recorded-ahead.ts';

test.each([
  ['0001-01-01', 'lies before 1901'],
  ['0026-11-29', 'lies before 1901'],
  ['1899-12-30T00:00:00Z', 'lies before 1901'],
  ['9999-12-31', 'lies ahead'],
])('R-18: what is recorded on %s is refused: it %s', (record_date, words) => {
  expect(recordedAhead({ record_date })).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining(words),
    details: { field: 'record_date' },
  });
});

test.each([undefined, null, '1901-01-01', '1999-12-31T23:59:59+14:00'])('R-18: %s is taken', (record_date) => {
  expect(recordedAhead({ record_date: record_date ?? null })).toBeNull();
});
