import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { type DayChange, type PricedHistory, valueByDay } from './value-by-day.ts';

const FIRST = 20_000 * DAY_MS;
const day = (n: number) => FIRST + n * DAY_MS;
const change = (n: number, asset: string, amount: number, terms: Partial<DayChange> = {}): DayChange => ({
  day: day(n),
  asset,
  amount,
  isFlow: false,
  isSplit: false,
  ...terms,
});

/** Whole shares, prices in cents. */
const acme: PricedHistory = {
  quantityScale: 0,
  priceScale: 2,
  closes: [
    { day: day(0), price: 10_00n },
    { day: day(2), price: 12_50n },
  ],
  reference: 9_00n,
  isAdjusted: false,
};

const valued = (changes: readonly DayChange[], prices = new Map([['acme', acme]]), days = 3) => {
  const sums = Map.groupBy(changes, ({ asset }) => asset);
  const now = Array.from(sums, ([asset, of]) => ({ asset, amount: of.reduce((all, { amount }) => all + amount, 0) }));
  return valueByDay({ now, changes, first: FIRST, last: day(days - 1), cash: 'usd', cashScale: 4, prices });
};

describe('what an account was worth', () => {
  it('is cash and what it held, at the last close of each day', () => {
    const changes = [change(0, 'usd', 100_0000, { isFlow: true }), change(1, 'usd', -20_0000), change(1, 'acme', 2)];
    expect(valued(changes).map(({ value, cash, netDeposits }) => [value, cash, netDeposits])).toEqual([
      [100_0000n, 100_0000n, 100_0000n],
      [100_0000n, 80_0000n, 0n],
      [105_0000n, 80_0000n, 0n],
    ]);
  });

  it('leaves what happened after the last day aside', () => {
    const changes = [change(0, 'usd', 5, { isFlow: true }), change(7, 'usd', 90, { isFlow: true })];
    expect(valued(changes).map(({ value }) => value)).toEqual([5n, 5n, 5n]);
  });

  it('counts at what was stated, and is not known without any price; what has no close is named', () => {
    const prices = new Map([['acme', { ...acme, closes: [{ day: day(1), price: 10_00n }] }]]);
    const changes = [change(0, 'acme', 1), change(0, 'odd', 3)];
    expect(valued(changes, prices, 2).map(({ value, withoutClose }) => [value, withoutClose])).toEqual([
      [null, ['acme', 'odd']],
      [null, ['odd']],
    ]);
    const stated = valued([change(0, 'acme', 1)], prices, 2);
    expect(stated.map(({ value, withoutClose }) => [value, withoutClose])).toEqual([
      [9_0000n, ['acme']],
      [10_0000n, []],
    ]);
  });

  it('makes no profit of a first close, and none of shares that came in without a price', () => {
    const sourced = { ...acme, reference: null, closes: [{ day: day(1), price: 10_00n }] };
    const days = valued([change(0, 'acme', 1, { isFlow: true })], new Map([['acme', sourced]]), 2);
    expect(days.map(({ value, netDeposits }) => [value, netDeposits])).toEqual([
      [null, null],
      [10_0000n, 0n],
    ]);
  });

  it('counts closes in units of after a split for as many units as there are since', () => {
    const closes = [0, 1, 2, 3].map((n) => ({ day: day(n), price: 5_00n }));
    const prices = new Map([['acme', { ...acme, isAdjusted: true, closes }]]);
    const changes = [
      change(0, 'acme', 3),
      change(1, 'acme', 3, { isSplit: true }),
      change(3, 'acme', 12, { isSplit: true }),
      change(3, 'acme', -2),
    ];
    // 3 shares, split 2 for 1 and later 3 for 1, at a price of 5 of what there is today: they are 18 of today.
    expect(valued(changes, prices, 4).map(({ value }) => value)).toEqual([90_0000n, 90_0000n, 90_0000n, 80_0000n]);
    expect(valued(changes, prices, 3).map(({ value }) => value)).toEqual([90_0000n, 90_0000n, 90_0000n]);
  });

  it('counts every asset of a year', () => {
    const closes = Array.from({ length: 366 }, (_, n) => ({ day: day(n), price: 5_00n }));
    const assets = Array.from({ length: 270 }, (_, n) => `asset-${n}`);
    const prices = new Map(assets.map((asset) => [asset, { ...acme, closes }]));
    const values = valued(
      assets.map((asset) => change(0, asset, 1)),
      prices,
      366,
    );
    expect(values.every(({ value }) => value === 270n * 5_0000n)).toBe(true);
  });

  it('takes no close of before a split for one of after', () => {
    const changes = [change(0, 'acme', 1), change(1, 'acme', 1, { isSplit: true })];
    const values = valued(changes).map(({ value, withoutClose }) => [value, withoutClose]);
    expect(values).toEqual([
      [10_0000n, []],
      [18_0000n, ['acme']],
      [25_0000n, []],
    ]);
  });

  it('rounds down, below nothing too', () => {
    const tiny: PricedHistory = { ...acme, priceScale: 6, closes: [{ day: FIRST, price: 1n }] };
    const prices = new Map([['acme', tiny]]);
    expect(valued([change(0, 'acme', 1)], prices, 1).map(({ value }) => value)).toEqual([0n]);
    expect(valued([change(0, 'acme', -1)], prices, 1).map(({ value }) => value)).toEqual([-1n]);
  });

  it('ends with what is there now, whatever has moved', () => {
    const changes = fc.array(
      fc.record({ n: fc.integer({ min: 0, max: 2 }), amount: fc.integer({ min: -1_000, max: 1_000 }) }),
    );
    fc.assert(
      fc.property(changes, (made) => {
        const total = made.reduce((all, { amount }) => all + amount, 0);
        const values = valued(made.map(({ n, amount }) => change(n, 'usd', amount)));
        expect(values.at(-1)?.value).toBe(BigInt(total));
        const first = made.filter(({ n }) => n === 0).reduce((all, { amount }) => all + amount, 0);
        expect(values[0]?.value).toBe(BigInt(first));
      }),
    );
  });
});
