import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALLOCATIONS, allocateShares } from './allocate-shares.ts';
import { payableShares } from './payable-shares.ts';

const MARKET = { priceScale: 2, quantityScale: 0, quoteScale: 2, feeBps: 10 };
const cash = (of: Record<string, number>) => (account: string) => of[account] ?? 0;

test('a wish counts as far as its account can pay, fee included', () => {
  const wish = (account: string, quantity: number) => ({ account, quantity, price: 20_00 });
  const payable = (available: number) => payableShares([wish('ada', 300)], MARKET, cash({ ada: available }));
  expect(payable(6_006_00)).toEqual([300]);
  expect(payable(6_005_99)).toEqual([299]);
  expect(payable(20_02)).toEqual([1]);
  expect(payable(20_01)).toEqual([0]);
});

test('wishes of one account share its cash, the earliest first', () => {
  const wishes = [
    { account: 'ada', quantity: 3, price: 10_00 },
    { account: 'ben', quantity: 3, price: 10_00 },
    { account: 'ada', quantity: 3, price: 10_00 },
  ];
  expect(payableShares(wishes, { ...MARKET, feeBps: 0 }, cash({ ada: 40_00, ben: 0 }))).toEqual([3, 0, 1]);
});

test('T-06: beside any wishes of accounts without money, those with money get what they would get alone', () => {
  const wish = fc.record({
    account: fc.constantFrom('ada', 'ben', 'cyd', 'poor', 'broke'),
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const shares = fc.record({
    offered: fc.integer({ min: 1, max: 1_000_000 }),
    lotSize: fc.integer({ min: 1, max: 100 }),
    allocation: fc.constantFrom(...ALLOCATIONS),
  });
  const funds = cash({ ada: 1_000_000_00, ben: 50_000_00, cyd: 1_000_00, poor: 9_99 });
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 40 }), shares, (drawn, terms) => {
      const wishes = drawn.map((each) => ({ ...each, price: 10_00 }));
      const dealt = (of: typeof wishes) => allocateShares(payableShares(of, MARKET, funds), terms);
      const isFunded = ({ account }: { readonly account: string }) => account !== 'poor' && account !== 'broke';
      const beside = dealt(wishes).filter((_, at) => isFunded(wishes[at] as (typeof wishes)[number]));
      expect(beside).toEqual(dealt(wishes.filter(isFunded)));
    }),
  );
});
