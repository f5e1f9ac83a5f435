import { describe, expect, test } from 'vitest';
import { compareHolds } from './compare-holds.ts';
import type { ReservationRow } from './outcomes.ts';

const row = (id: string, terms: Partial<ReservationRow> = {}): ReservationRow => ({
  kind: 'order',
  id,
  account: 'alice',
  reserve: 10,
  allowance: 2,
  position: 3,
  ...terms,
});

describe('the comparison of ledger and book', () => {
  test('finds nothing where every order holds the same in both, in whatever order they come', () => {
    expect(compareHolds([row('1'), row('2')], [row('2'), row('1')])).toEqual([]);
    expect(compareHolds([], [])).toEqual([]);
  });

  test.each([
    ['reserve', { reserve: 11 }],
    ['allowance', { allowance: 0 }],
    ['position', { position: 4 }],
    ['account', { account: 'bob' }],
  ] as const)('finds another %s', (_, terms) => {
    expect(compareHolds([row('1')], [row('1', terms)])).toHaveLength(1);
  });

  test('finds what only one of them has', () => {
    expect(compareHolds([row('1'), row('2')], [row('1')])).toEqual(['order 2 holds 10/2/3, and its book has it not']);
    expect(compareHolds([row('1')], [row('1'), row('3', { kind: 'amendment' })])).toEqual([
      'amendment 3 holds 10/2/3 by its book, and nothing in the ledger',
    ]);
  });
});
