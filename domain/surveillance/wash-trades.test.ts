import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchedTrade } from './finding.ts';
import { findWashTrades, WASH_THRESHOLDS } from './wash-trades.ts';

/** `ann-1` and `ann-2` are accounts of `ann`; `*clearing` is nobody's. */
const personOf = (account: string) => (account.startsWith('*') ? null : (account.split('-')[0] ?? null));
const familyOf = (one: string, other: string) =>
  [personOf(one), personOf(other)].sort().join() === 'ann,bob' ? { relation: 'spouse', of: 'bob' } : null;

let next = 0;
const trade = (buyer: string, seller: string, quantity = 1): WatchedTrade => {
  next += 1;
  return {
    id: `t${next}`,
    price: 100,
    quantity,
    buyOrder: `b${next}`,
    sellOrder: `s${next}`,
    buyer,
    seller,
    executedAt: next,
  };
};
const others = (quantity: number) => trade('cat-1', 'dan-1', quantity);
const find = (trades: readonly WatchedTrade[]) => findWashTrades({ trades, personOf, familyOf });

describe('trades between accounts of one person', () => {
  test('two of a day make a case, with what shows it', () => {
    const own = [trade('ann-1', 'ann-2', 3), trade('ann-2', 'ann-1', 3)];
    expect(find([...own, others(10_000)])).toMatchObject([
      {
        rule: 'wash_trade',
        people: ['ann'],
        accounts: ['ann-1', 'ann-2'],
        relation: 'same_person',
        trades: own,
        numbers: { trades: { value: '2' }, quantity: { value: '6' }, day_quantity: { value: '10006' } },
      },
    ]);
  });

  test('one makes none below a tenth of the day, and one at a tenth', () => {
    expect(find([trade('ann-1', 'ann-2', 999), others(9_001)])).toEqual([]);
    expect(find([trade('ann-1', 'ann-2', 1_000), others(9_000)])).toHaveLength(1);
  });
});

describe('trades between family', () => {
  test('three make a case that names the relation, two below a quarter of the day none', () => {
    const two = [trade('ann-1', 'bob-1'), trade('bob-1', 'ann-1')];
    expect(find([...two, others(100)])).toEqual([]);
    expect(find([...two, trade('ann-2', 'bob-1'), others(100)])).toMatchObject([
      { people: ['ann', 'bob'], relation: 'spouse', accounts: ['ann-1', 'ann-2', 'bob-1'] },
    ]);
  });

  test('one makes a case at a quarter of the day, and none below', () => {
    expect(find([trade('ann-1', 'bob-1', 2_500), others(7_500)])).toHaveLength(1);
    expect(find([trade('ann-1', 'bob-1', 2_499), others(7_501)])).toEqual([]);
  });
});

test('strangers, and accounts of the venue, wash nothing', () => {
  expect(find([trade('cat-1', 'dan-1'), trade('cat-1', 'dan-1'), trade('*clearing', '*clearing')])).toEqual([]);
});

test('a finding is a case exactly where a threshold is reached, whatever else trades', () => {
  const { tradesMin, shareBpsMin } = WASH_THRESHOLDS.same_person;
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { maxLength: 4 }),
      (own, rest) => {
        const sum = (of: readonly number[]) => of.reduce((total, quantity) => total + BigInt(quantity), 0n);
        const found = find([...own.map((q) => trade('ann-1', 'ann-2', q)), ...rest.map((q) => others(q))]);
        const isShare = own.length > 0 && sum(own) * 10_000n >= BigInt(shareBpsMin) * (sum(own) + sum(rest));
        expect(found.length === 1).toBe(own.length >= tradesMin || isShare);
      },
    ),
  );
});
