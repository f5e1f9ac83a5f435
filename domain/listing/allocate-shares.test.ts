import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALLOCATIONS, allocateShares } from './allocate-shares.ts';

describe('pro rata', () => {
  const proRata = (offered: number, lotSize: number, ...wanted: number[]) =>
    allocateShares(wanted, { offered, lotSize, allocation: 'pro_rata' });

  test('each gets its part of the lots, and what is left goes to the largest remainders', () => {
    expect(proRata(100, 1, 100, 100, 100)).toEqual([34, 33, 33]);
    expect(proRata(10, 1, 6, 10, 9)).toEqual([2, 4, 4]);
    expect(proRata(1_000, 100, 1_500, 1_000, 500)).toEqual([500, 300, 200]);
  });

  test('where all can be served, all are, in whole lots', () => {
    expect(proRata(1_000, 100, 350, 100, 50)).toEqual([300, 100, 0]);
  });

  test('amounts beyond what products are exact in', () => {
    const most = 9_000_000_000_000_000;
    expect(proRata(most / 2, 1, most, most)).toEqual([most / 4, most / 4]);
  });
});

test('by time each gets what it wants until nothing is left', () => {
  expect(allocateShares([300, 500, 400], { offered: 750, lotSize: 100, allocation: 'time_priority' })).toEqual([
    300, 400, 0,
  ]);
});

test('never more than is wanted or offered, in whole lots, and no lot is left over that somebody wants', () => {
  const amounts = fc.integer({ min: 0, max: 2 ** 50 });
  const cases = fc.record({
    wanted: fc.array(amounts, { maxLength: 40 }),
    offered: amounts,
    lotSize: fc.integer({ min: 1, max: 1_000 }),
    allocation: fc.constantFrom(...ALLOCATIONS),
  });
  fc.assert(
    fc.property(cases, ({ wanted, ...shares }) => {
      const dealt = allocateShares(wanted, shares);
      const lots = wanted.map((quantity) => Math.floor(quantity / shares.lotSize));
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + BigInt(count), 0n);
      expect(dealt.every((quantity, at) => quantity >= 0 && quantity <= (wanted[at] as number))).toBe(true);
      expect(dealt.every((quantity) => quantity % shares.lotSize === 0)).toBe(true);
      const demand = sum(lots);
      const supply = BigInt(Math.floor(shares.offered / shares.lotSize));
      expect(sum(dealt)).toBe((demand < supply ? demand : supply) * BigInt(shares.lotSize));
    }),
  );
});

test('pro rata nobody is more than a lot away from their part', () => {
  const lots = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(lots, fc.integer({ min: 0, max: 1_000_000 }), (wanted, offered) => {
      const demand = wanted.reduce((sum, each) => sum + each, 0);
      fc.pre(offered < demand);
      const dealt = allocateShares(wanted, { offered, lotSize: 1, allocation: 'pro_rata' });
      for (const [at, each] of wanted.entries())
        expect(Math.abs((dealt[at] as number) - (each * offered) / demand)).toBeLessThan(1);
    }),
  );
});
