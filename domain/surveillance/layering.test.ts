import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchedOrder, WatchedTrade } from './finding.ts';
import { CANCELLED_WITHIN_MS, LayeringWatch, ORDERS_PER_PERSON_MAX, PLACED_WITHIN_MS } from './layering.ts';

const personOf = (account: string) => (account.startsWith('*') ? null : (account.split('-')[0] ?? null));
/** Far enough apart that executions are episodes of their own. */
const APART_MS = 3_600_000;
const PRICE = 10_000;

const sold = (at: number, quantity = 10): WatchedTrade => ({
  id: `t${at}`,
  price: PRICE,
  quantity,
  buyOrder: `b${at}`,
  sellOrder: `s${at}`,
  buyer: 'bob-1',
  seller: 'ann-1',
  executedAt: at,
});
/** A bid of 30 below where ann has sold, cancelled right after. */
const bid = (at: number, terms: Partial<WatchedOrder> = {}): WatchedOrder => ({
  id: `o${at}`,
  account: 'ann-2',
  side: 'buy',
  price: 9_990,
  quantity: 30,
  filled: 0,
  createdAt: at - 1_000,
  cancelledAt: at + 1_000,
  ...terms,
});

/** So many times: ann sells, and cancels what `of` says. */
function watch(times: number, of: (at: number) => readonly WatchedOrder[]) {
  const moments = Array.from({ length: times }, (_, n) => (n + 1) * APART_MS);
  const watching = new LayeringWatch(
    moments.map((at) => sold(at)),
    personOf,
  );
  for (const order of moments.flatMap(of)) watching.see(order);
  return watching.findings();
}

describe('bids below, cancelled right after a sale', () => {
  test('three times a day are a case, by whichever account of the person', () => {
    expect(watch(3, (at) => [bid(at)])).toMatchObject([
      {
        rule: 'layering',
        people: ['ann'],
        accounts: ['ann-1', 'ann-2'],
        numbers: {
          times: { value: '3' },
          orders: { value: '3' },
          executed_quantity: { value: '30' },
          cancelled_quantity: { value: '90' },
        },
        trades: [{ id: `t${APART_MS}` }, {}, {}],
        orders: [{ id: `o${APART_MS}` }, {}, {}],
      },
    ]);
  });

  test('twice are none', () => {
    expect(watch(2, (at) => [bid(at)])).toEqual([]);
  });

  test.each<[string, (at: number) => Partial<WatchedOrder>, (at: number) => Partial<WatchedOrder>]>([
    [
      'cancelled within ten seconds',
      (at) => ({ cancelledAt: at + CANCELLED_WITHIN_MS }),
      (at) => ({ cancelledAt: at + CANCELLED_WITHIN_MS + 1 }),
    ],
    ['not before the sale', (at) => ({ cancelledAt: at }), (at) => ({ cancelledAt: at - 1 })],
    [
      'placed ten minutes before at most',
      (at) => ({ createdAt: at - PLACED_WITHIN_MS }),
      (at) => ({ createdAt: at - PLACED_WITHIN_MS - 1 }),
    ],
    ['placed before the sale', (at) => ({ createdAt: at }), (at) => ({ createdAt: at + 1 })],
    ['a thousandth below', () => ({ price: 9_990 }), () => ({ price: 9_991 })],
    ['three times what was sold', () => ({ quantity: 30 }), () => ({ quantity: 29 })],
    ['filled by a tenth at most', () => ({ quantity: 40, filled: 4 }), () => ({ quantity: 40, filled: 5 })],
    ['on the other side', () => ({ side: 'buy' }), () => ({ side: 'sell', price: 10_010 })],
    ['of the same person', () => ({ account: 'ann-3' }), () => ({ account: 'eve-1' })],
  ])('are those %s', (_, inside, outside) => {
    expect(watch(3, (at) => [bid(at, inside(at))])).toHaveLength(1);
    expect(watch(3, (at) => [bid(at, outside(at))])).toEqual([]);
  });

  test('add up over several orders, and one that is seen twice counts once', () => {
    const half = (at: number) => bid(at, { quantity: 15 });
    expect(watch(3, (at) => [half(at), { ...half(at), id: `second${at}` }])).toHaveLength(1);
    expect(watch(3, (at) => [half(at), half(at)])).toEqual([]);
  });
});

test('offers above, cancelled right after a purchase, are the same', () => {
  const moments = [1, 2, 3].map((n) => n * APART_MS);
  const watching = new LayeringWatch(
    moments.map((at) => sold(at)),
    personOf,
  );
  for (const at of moments) watching.see(bid(at, { account: 'bob-1', side: 'sell', price: 10_010 }));
  expect(watching.findings()).toMatchObject([{ people: ['bob'] }]);
});

test('executions that follow each other at once are one time, and count together', () => {
  const together = [0, 5_000, 10_000].map((after) => sold(APART_MS + after));
  const watching = new LayeringWatch(together, personOf);
  for (const { executedAt } of together) watching.see(bid(executedAt));
  expect(watching.findings()).toEqual([]);
});

test('orders are asked for that were placed around an execution, once where executions are close', () => {
  const near = APART_MS + PLACED_WITHIN_MS;
  const watching = new LayeringWatch([sold(APART_MS), sold(near), sold(3 * APART_MS)], personOf);
  const spans = [
    { from: APART_MS - PLACED_WITHIN_MS, to: near + 1 },
    { from: 3 * APART_MS - PLACED_WITHIN_MS, to: 3 * APART_MS + 1 },
  ];
  expect(watching.spans()).toEqual(
    new Map([
      ['ann', spans],
      ['bob', spans],
    ]),
  );
});

test('so many orders of a person are noted, and who has more is told', () => {
  const watching = new LayeringWatch([sold(APART_MS)], personOf);
  const see = (n: number) => watching.see(bid(APART_MS, { id: `o${n}` }));
  for (let n = 0; n < ORDERS_PER_PERSON_MAX; n++) see(n);
  see(0);
  expect([...watching.accountsLeftOut]).toEqual([]);
  see(ORDERS_PER_PERSON_MAX);
  expect([...watching.accountsLeftOut]).toEqual(['ann-2']);
});

test('who has not traded is no concern, whatever they cancel', () => {
  const watching = new LayeringWatch([], personOf);
  watching.see(bid(APART_MS));
  expect(watching.findings()).toEqual([]);
});

test('the order in which cancelled orders come decides nothing', () => {
  const orders = [1, 2, 3, 4].flatMap((n) => [bid(n * APART_MS), bid(n * APART_MS, { id: `x${n}`, quantity: 5 })]);
  const trades = [1, 2, 3, 4].map((n) => sold(n * APART_MS));
  const numbersOf = (seen: readonly WatchedOrder[]) => {
    const watching = new LayeringWatch(trades, personOf);
    for (const order of seen) watching.see(order);
    return watching.findings().map(({ numbers }) => numbers);
  };
  fc.assert(
    fc.property(fc.shuffledSubarray(orders, { minLength: orders.length }), (shuffled) => {
      expect(numbersOf(shuffled)).toEqual(numbersOf(orders));
    }),
  );
});
