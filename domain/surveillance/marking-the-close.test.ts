import { describe, expect, test } from 'vitest';
import type { WatchedTrade } from './finding.ts';
import { findMarkedCloses } from './marking-the-close.ts';

const personOf = (account: string) => (account.startsWith('*') ? null : (account.split('-')[0] ?? null));

let next = 0;
const trade = (buyer: string, seller: string, quantity: number, price: number): WatchedTrade => {
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
  };
};
const find = (trades: readonly WatchedTrade[], priceBefore: number | null = 10_000) =>
  findMarkedCloses({ trades, priceBefore, personOf });

describe('who buys half of what is traded before the close', () => {
  const bought = (close: number, own = 50, other = 50) => [
    trade('ann-1', 'cat-1', own - 10, 10_050),
    trade('eve-1', 'dan-1', other, 10_100),
    trade('ann-2', 'dan-1', 10, close),
  ];

  test('while the price rises by two hundredths is a case, accounts of one person together', () => {
    expect(find(bought(10_200))).toMatchObject([
      {
        rule: 'marking_the_close',
        people: ['ann'],
        accounts: ['ann-1', 'ann-2'],
        numbers: {
          trades: { value: '2' },
          net_quantity: { value: '50' },
          share_of_window: { value: '5000' },
          price_before: { unit: 'price', value: '10000' },
          close_price: { value: '10200' },
          price_move: { value: '200' },
        },
      },
    ]);
  });

  test('is none where the price moves less, less is bought, or nothing was traded before', () => {
    expect(find(bought(10_199))).toEqual([]);
    expect(find(bought(10_200, 50, 51))).toEqual([]);
    expect(find(bought(10_200), null)).toEqual([]);
  });

  test('is none where the price falls: the buyer has not moved it, and the seller has', () => {
    const falling = [trade('cat-1', 'ann-1', 40, 9_900), trade('cat-1', 'ann-1', 10, 9_800)];
    expect(find(falling)).toMatchObject([{ people: ['ann'], numbers: { price_move: { value: '-200' } } }]);
  });
});

test('one trade marks nothing, two do', () => {
  expect(find([trade('ann-1', 'cat-1', 100, 10_300)])).toEqual([]);
  expect(find([trade('ann-1', 'cat-1', 50, 10_300), trade('ann-1', 'dan-1', 50, 10_300)])).toHaveLength(1);
});

test('what somebody sells to themselves is not bought', () => {
  const own = [trade('ann-1', 'ann-2', 100, 10_300), trade('ann-1', 'ann-2', 100, 10_300)];
  expect(find(own)).toEqual([]);
});

test('the venue’s own accounts are nobody', () => {
  expect(find([trade('*clearing', 'cat-1', 50, 10_300), trade('*clearing', 'dan-1', 50, 10_300)])).toEqual([]);
});

test('nothing is found where nothing was traded', () => {
  expect(find([])).toEqual([]);
});
