import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoingPrice } from './going-price.ts';

/** Trades of two accounts each, in cycles of their own. */
function traded(going: GoingPrice, ...trades: (readonly [maker: string, taker: string, price: number])[]): GoingPrice {
  for (const [maker, taker, price] of trades) {
    going.note(maker, taker, price);
    going.settle();
  }
  return going;
}

describe('what a market goes by', () => {
  it('is nothing before a third account has traded', () => {
    expect(traded(new GoingPrice(), ['ada', 'ben', 100], ['ben', 'ada', 100]).price).toBeNull();
    expect(traded(new GoingPrice(), ['ada', 'ben', 100], ['cy', 'ben', 101]).price).toBe(100);
  });

  it('is nothing while the first accounts trade far from each other', () => {
    expect(traded(new GoingPrice(), ['ada', 'ben', 1], ['cy', 'dan', 100]).price).toBeNull();
  });

  it('follows the accounts that traded last, each counted once', () => {
    const going = traded(new GoingPrice(), ['ada', 'ben', 100], ['cy', 'ben', 100]);
    expect(traded(going, ['dan', 'eve', 120], ['fay', 'gil', 121]).price).toBe(120);
  });

  it('forgets the account that traded longest ago, of ten', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const going = new GoingPrice();
    for (const [at, name] of names.entries()) going.note(names[at - 1] ?? 'a', name, 100 + at);
    expect(going.snapshot().trades.map(({ account }) => account)).toEqual(names.slice(1));
  });

  it('counts by the ratio of a split', () => {
    const going = traded(new GoingPrice(), ['ada', 'ben', 100], ['cy', 'ben', 100]);
    going.reprice((price) => price * 10);
    expect(traded(going, ['ada', 'ben', 1_000]).price).toBe(1_000);
  });

  it('goes on from its snapshot as it would have', () => {
    const trade = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      fc.constantFrom('v', 'w', 'x', 'y', 'z'),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(fc.array(trade), fc.array(trade), (before, after) => {
        const going = traded(new GoingPrice(), ...before);
        const restored = new GoingPrice(structuredClone(going.snapshot()));
        expect(traded(restored, ...after).snapshot()).toEqual(traded(going, ...after).snapshot());
      }),
    );
  });

  it('T-05: is moved by no two accounts, whatever they trade and however often', () => {
    const honest = fc.array(
      fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('c', 'd'), fc.integer({ min: 95, max: 105 })),
      {
        minLength: 3,
      },
    );
    const printed = fc.array(fc.tuple(fc.constantFrom('x', 'y'), fc.integer({ min: 1, max: 1_000_000 })), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(honest, printed, (before, prints) => {
        const going = new GoingPrice({ trades: [], price: 100 });
        traded(going, ...before);
        traded(going, ...prints.map(([maker, price]) => [maker, maker === 'x' ? 'y' : 'x', price] as const));
        expect(going.price).toBeGreaterThanOrEqual(95);
        expect(going.price).toBeLessThanOrEqual(105);
      }),
    );
  });
});
