import { describe, expect, it } from 'vitest';
import { RecentTradedLots, type TradedLots } from './traded-lots.ts';
import { takerOf } from './traded-lots-of.ts';

const NONE: TradedLots = { given: [], received: [] };
const lot = { quantity: 1, cost: 1, acquiredAt: 0, restrictionEndsAt: null, offeringType: null };

describe('M-09: trades that are known by their lots', () => {
  it('are the latest of whoever takes most, and all of others', () => {
    const recent = new RecentTradedLots(5);
    recent.add('quiet', NONE, 'quiet');
    for (let n = 0; n < 100; n++) {
      recent.add(`one-${n}`, NONE, 'one');
      recent.add(`other-${n}`, NONE, 'other');
    }
    expect(recent.rest().trades.map(([id]) => id)).toEqual(['quiet', 'one-98', 'other-98', 'one-99', 'other-99']);
    expect(recent.find('quiet')).toEqual(NONE);
    expect(recent.find('one-97')).toBeNull();
  });

  it('count by the lots that they moved, so that large ones give room for many small', () => {
    const recent = new RecentTradedLots(20);
    for (let n = 0; n < 6; n++) recent.add(`small-${n}`, NONE, `${n}`);
    recent.add('large', { given: Array.from({ length: 20 }, () => lot), received: [] }, 'large');
    expect(recent.find('large')).toBeNull();
    expect(recent.rest().trades).toHaveLength(6);
  });

  it('outlast any number of trades of a few others', () => {
    const recent = new RecentTradedLots();
    for (let n = 0; n < 250; n++) recent.add(`open-${n}`, { given: [lot], received: [] }, 'honest');
    for (let n = 0; n < 200_000; n++) recent.add(`noise-${n}`, NONE, `noise-${n % 100}`);
    for (let n = 0; n < 250; n++) expect(recent.find(`open-${n}`)).not.toBeNull();
  });

  it.each([
    ['buy', 'alice', 'bob', 'alice'],
    ['sell', 'alice', 'bob', 'bob'],
    ['buy', 'boundary:broker-clearing', 'bob', 'bob'],
  ] as const)('count for who takes: %s of %s from %s is of %s', (takerSide, buyer, seller, taker) => {
    expect(takerOf({ takerSide, buyer, seller })).toBe(taker);
  });

  it('are the same after a restart, whatever comes then', () => {
    const recent = new RecentTradedLots(30);
    for (let n = 0; n < 100; n++) {
      const again = new RecentTradedLots(30);
      again.finish(structuredClone(recent.rest()));
      const lots = { given: Array.from({ length: n % 3 }, () => lot), received: [] };
      for (const each of [recent, again])
        for (let more = 0; more < 5; more++) each.add(`${n}.${more}`, lots, `${(n * 7 + more) % 11}`);
      expect(again.rest()).toEqual(recent.rest());
    }
  });
});
