import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { clientIssues } from '../../protocol/errors/client-issues.ts';
import { wholeNumber, wholeNumberOr } from './whole-number.ts';

const Query = z.object({ limit: wholeNumber(1, 1_000).optional(), from: wholeNumberOr(7, -1) });

describe('a whole number of a query', () => {
  test('is written in digits, and may be left out where that is said', () => {
    expect(Query.parse({})).toEqual({ from: 7 });
    expect(Query.parse({ limit: '1000', from: '-1' })).toEqual({ limit: 1_000, from: -1 });
    expect(Query.parse({ from: '9007199254740991' })).toEqual({ from: 9_007_199_254_740_991 });
  });

  test.each([
    '',
    ' 5',
    '5 ',
    '+5',
    '1e3',
    '0x10',
    '5.0',
    '05',
    '-0',
    '1_000',
    '1,000',
    '٥',
    '５',
    'NaN',
    '1'.repeat(40),
  ])('is none in another form: %j', (limit) => {
    const read = Query.safeParse({ limit });
    expect(read.success ? [] : clientIssues(read.error)).toMatchObject([
      { path: ['limit'], message: 'must be a whole number, written in digits' },
    ]);
  });

  test('is none that stands twice', () => {
    expect(Query.safeParse({ limit: ['1', '2'] }).success).toBe(false);
  });

  test.each([
    ['0', 'must be at least 1'],
    ['1001', 'must be at most 1000'],
  ])('lies within its bounds: %s %s', (limit, message) => {
    const read = Query.safeParse({ limit });
    expect(read.success ? [] : clientIssues(read.error)).toMatchObject([{ message }]);
  });
});
