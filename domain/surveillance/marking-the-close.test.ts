import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchedTrade } from './finding.ts';
import { findMarkedCloses } from './marking-the-close.ts';

const personOf = (account: string) => (account.startsWith('*') ? null : (account.split('-')[0] ?? null));
/** `fay` and `gus` are family. */
const familyOf = (one: string, other: string) =>
  [personOf(one), personOf(other)].sort().join() === 'fay,gus' ? { relation: 'parent', of: 'gus' } : null;

let next = 0;
const trade = (
  buyer: string,
  seller: string,
  quantity: number,
  price: number,
  terms: Partial<WatchedTrade> = {},
): WatchedTrade => {
  next += 1;
  return {
    id: `t${next}`,
    price,
    quantity,
    buyOrder: `b${next}`,
    sellOrder: `s${next}`,
    buyer,
    seller,
    executedAt: next,
    ...terms,
  };
};
const find = (trades: readonly WatchedTrade[], priceBefore: number | null = 10_000, isWhole = true) =>
  findMarkedCloses({ trades, isWhole, priceBefore, personOf, familyOf });
const people = (trades: readonly WatchedTrade[]) => find(trades).map((found) => found.people.join());

describe('who buys half of what is traded before the close, by several orders', () => {
  const bought = (close: number, own = 50, other = 50) => [
    trade('ann-1', 'cat-1', own - 10, 10_050),
    trade('eve-1', 'dan-1', other, 10_050),
    trade('ann-2', 'dan-1', 10, close),
  ];

  test('and moves the price by two hundredths is a case, accounts of one person together', () => {
    expect(find(bought(10_200))).toMatchObject([
      {
        rule: 'marking_the_close',
        people: ['ann'],
        accounts: ['ann-1', 'ann-2'],
        relation: null,
        numbers: {
          trades: { value: '2' },
          own_orders: { value: '2' },
          net_quantity: { value: '50' },
          share_of_window: { value: '5000' },
          price_before: { unit: 'price', value: '10000' },
          close_price: { value: '10200' },
          price_move: { value: '200' },
          own_move: { value: '200' },
        },
      },
    ]);
  });

  test('is none where the price moves less, less is bought, or nothing was traded before in the session', () => {
    expect(find(bought(10_199))).toEqual([]);
    expect(find(bought(10_200, 50, 51))).toEqual([]);
    expect(find(bought(10_200), null)).toEqual([]);
  });

  test('is none where others have moved it', () => {
    expect(people([trade('ann-1', 'cat-1', 40, 10_000), ...bought(10_200)])).toEqual(['ann']);
    expect(people([trade('eve-1', 'cat-1', 1, 10_100), ...bought(10_200)])).toEqual([]);
  });

  test('is none where the price falls: the buyer has not moved it, and the seller has', () => {
    const falling = [trade('cat-1', 'ann-1', 40, 9_900), trade('cat-1', 'ann-1', 10, 9_800)];
    expect(find(falling)).toMatchObject([
      { people: ['ann'], numbers: { price_move: { value: '-200' }, own_move: { value: '200' } } },
    ]);
  });
});

describe('one order', () => {
  test('is one like any other, however many it meets', () => {
    const one = { buyOrder: 'one' };
    expect(find([trade('ann-1', 'cat-1', 50, 10_150, one), trade('ann-1', 'dan-1', 50, 10_300, one)])).toEqual([]);
    expect(find([trade('ann-1', 'cat-1', 50, 10_150), trade('ann-1', 'dan-1', 50, 10_300)])).toHaveLength(1);
  });

  test('that moves the close by a tenth is a case, however little it buys', () => {
    const much = trade('eve-1', 'dan-1', 1_000, 10_000);
    expect(people([much, trade('ann-1', 'cat-1', 1, 11_000)])).toEqual(['ann']);
    expect(people([much, trade('ann-1', 'cat-1', 1, 10_999)])).toEqual([]);
  });

  test('is none where the price comes back, or where it was there already', () => {
    expect(people([trade('ann-1', 'cat-1', 1, 12_000), trade('eve-1', 'dan-1', 1, 10_300)])).toEqual([]);
    expect(find([trade('ann-1', 'cat-1', 1, 12_000)], 10_000, false)).toEqual([]);
  });
});

describe('trades that change nobody’s position', () => {
  test('between own accounts are a case where they set the close', () => {
    expect(find([trade('ann-1', 'ann-2', 1, 10_200)])).toMatchObject([
      {
        people: ['ann'],
        accounts: ['ann-1', 'ann-2'],
        relation: 'same_person',
        numbers: { net_quantity: { value: '0' } },
      },
    ]);
    expect(find([trade('ann-1', 'ann-2', 1, 10_199)])).toEqual([]);
    expect(find([trade('eve-1', 'cat-1', 1, 10_200), trade('ann-1', 'ann-2', 1, 10_200)])).toEqual([]);
  });

  test('between family are one, about both, and say who is what to whom', () => {
    expect(find([trade('fay-1', 'gus-1', 1, 10_200)])).toMatchObject([
      { people: ['fay', 'gus'], accounts: ['fay-1', 'gus-1'], relation: 'parent', relationOf: 'gus' },
    ]);
    expect(find([trade('fay-1', 'cat-1', 1, 10_200)])).toEqual([]);
  });
});

test('what the trades have moved is the whole move, and of each part once', () => {
  const traders = ['ann', 'bob', 'cat'];
  const steps = fc.array(fc.tuple(fc.constantFrom(...traders), fc.integer({ min: 5_000, max: 15_000 })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (made) => {
      const trades = made.map(([who, price]) => trade(`${who}-1`, '*market', 1, price));
      const rise = (trades.at(-1)?.price ?? 0) - 10_000;
      const moves = find(trades).map(({ numbers }) => Number(numbers.own_move?.value));
      expect(moves.reduce((sum, move) => sum + move, 0)).toBeLessThanOrEqual(Math.max(0, rise));
      if (rise >= 3_000) expect(moves.length).toBeGreaterThan(0);
    }),
  );
});

test('the venue’s own accounts are nobody', () => {
  expect(find([trade('*clearing', 'cat-1', 50, 11_300), trade('*clearing', 'dan-1', 50, 11_300)])).toEqual([]);
});

test('nothing is found where nothing was traded', () => {
  expect(find([])).toEqual([]);
});
