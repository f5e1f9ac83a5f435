import { describe, expect, test } from 'vitest';
import { isD1Away } from '../../application/log/is-d1-away.ts';

describe('an exception says that D1 is away', () => {
  test.each([
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  ])('%s', (message) => {
    expect(isD1Away(new Error(message))).toBe(true);
    // As Drizzle throws it.
    expect(isD1Away(new Error('Failed query: select 1', { cause: new Error(message) }))).toBe(true);
  });

  test.each([
    'D1_ERROR: no such column: nothing at offset 7: SQLITE_ERROR',
    'D1_ERROR: CHECK constraint failed: projections_move: SQLITE_CONSTRAINT',
    "D1_TYPE_ERROR: Type 'bigint' not supported for value '1'",
    'Failed query: select * from D1 where id = ?',
    'some other bug',
  ])('not: %s', (message) => {
    expect(isD1Away(new Error(message))).toBe(false);
    expect(isD1Away(new Error('Failed query: select 1 from D1', { cause: new Error(message) }))).toBe(false);
  });

  test('not: what is no error', () => {
    expect(isD1Away('D1_ERROR: Network connection lost.')).toBe(false);
  });
});
