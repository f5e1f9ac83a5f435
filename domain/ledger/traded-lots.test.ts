import { describe, expect, it } from 'vitest';
import { RecentTradedLots, type TradedLots } from './traded-lots.ts';
import { takerOf } from './traded-lots-of.ts';

const part = { lotId: 'lot', quantity: 1, cost: 1 };
const NONE: TradedLots = { given: [], received: [] };
/** Shares of who has them in one lot: what they give counts for nobody. */
const by = (taker: string, giver = 'giver') => ({ taker, giver });
const lot = { quantity: 1, cost: 1, acquiredAt: 0, restrictionEndsAt: null, offeringType: null };

describe('M-09: trades that are known by their lots', () => {
  it('are the latest of whoever takes most, and all of others', () => {
    const recent = new RecentTradedLots(5);
    recent.add('quiet', NONE, by('quiet'));
    for (let n = 0; n < 100; n++) {
      recent.add(`one-${n}`, NONE, by('one'));
      recent.add(`other-${n}`, NONE, by('other'));
    }
    expect(recent.rest().trades.map(([id]) => id)).toEqual(['quiet', 'one-98', 'other-98', 'one-99', 'other-99']);
    expect(recent.find('quiet')).toEqual(NONE);
    expect(recent.find('one-97')).toBeNull();
  });

  it('are not pushed out by those of a heavier taker that came before', () => {
    const recent = new RecentTradedLots(5);
    for (let n = 0; n < 5; n++) recent.add(`heavy-${n}`, NONE, by('heavy'));
    recent.add('light', NONE, by('light'));
    expect(recent.rest().trades.map(([id]) => id)).toEqual(['heavy-1', 'heavy-2', 'heavy-3', 'heavy-4', 'light']);
  });

  it('count by the lots that they moved, so that large ones give room for many small', () => {
    const recent = new RecentTradedLots(20);
    for (let n = 0; n < 6; n++) recent.add(`small-${n}`, NONE, by(`${n}`));
    recent.add('large', { given: Array.from({ length: 20 }, () => lot), received: [] }, by('large', 'large'));
    expect(recent.find('large')).toBeNull();
    expect(recent.rest().trades).toHaveLength(6);
  });

  it('count for who gave them where they lay in many lots, which pushes out trades of that account alone', () => {
    const recent = new RecentTradedLots(100);
    for (let n = 0; n < 10; n++) recent.add(`own-${n}`, { given: [lot], received: [part] }, by('taker', `${n}`));
    const dust = { given: Array.from({ length: 40 }, () => lot), received: [part] };
    for (let n = 0; n < 50; n++) recent.add(`dust-${n}`, dust, by('taker', 'maker'));
    for (let n = 0; n < 10; n++) expect(recent.find(`own-${n}`)).not.toBeNull();
    expect(recent.find('dust-49')).not.toBeNull();
    expect(recent.find('dust-48')).toBeNull();
  });

  it('count for who gave them where they went into many lots, since the ends of their restrictions did that', () => {
    const recent = new RecentTradedLots(100);
    for (let n = 0; n < 10; n++) recent.add(`own-${n}`, { given: [lot], received: [part] }, by('taker', `${n}`));
    const bound = { given: [lot], received: Array.from({ length: 40 }, () => part) };
    for (let n = 0; n < 50; n++) recent.add(`bound-${n}`, bound, by('taker', 'maker'));
    for (let n = 0; n < 10; n++) expect(recent.find(`own-${n}`)).not.toBeNull();
  });

  it('count nothing for a maker of one lot, however many take from it', () => {
    const recent = new RecentTradedLots(100);
    const plain = { given: [lot], received: [part] };
    for (let n = 0; n < 2; n++) recent.add(`own-${n}`, plain, by('maker', `${n}`));
    for (let n = 0; n < 500; n++) recent.add(`hit-${n}`, plain, by(`${n % 10}`, 'maker'));
    for (let n = 0; n < 2; n++) expect(recent.find(`own-${n}`)).not.toBeNull();
  });

  it('of one account that another one pushes out are forgotten by both, and take no room', () => {
    const recent = new RecentTradedLots(100);
    const dust = { given: Array.from({ length: 40 }, () => lot), received: [part] };
    for (let n = 0; n < 20_000; n++) recent.add(`dust-${n}`, dust, by('taker', 'maker'));
    expect(recent.rest().trades).toHaveLength(2);
    for (let n = 0; n < 40; n++) recent.add(`own-${n}`, NONE, by('taker'));
    expect(recent.rest().trades.map(([id]) => id)).toContain('own-0');
  });

  it('of a checkpoint from before givers counted are all of their taker', () => {
    const recent = new RecentTradedLots(100);
    const dust = { given: Array.from({ length: 40 }, () => lot), received: [part] };
    recent.finish({ trades: [['dust', dust, 'taker']], takers: ['taker'] });
    for (let n = 0; n < 60; n++) recent.add(`own-${n}`, NONE, by(`${n}`));
    expect(recent.find('dust')).toBeNull();
  });

  it('outlast any number of trades of a few others', () => {
    const recent = new RecentTradedLots();
    for (let n = 0; n < 250; n++) recent.add(`open-${n}`, { given: [lot], received: [] }, by('honest'));
    for (let n = 0; n < 200_000; n++) recent.add(`noise-${n}`, NONE, by(`noise-${n % 100}`));
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
        for (let more = 0; more < 5; more++)
          each.add(`${n}.${more}`, lots, { taker: `${(n * 7 + more) % 11}`, giver: `${(n + more) % 5}` });
      expect(again.rest()).toEqual(recent.rest());
    }
  });
});
