import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeToSell, NEXT_MAX } from './free-to-sell.ts';
import { type ResaleInput, resaleRule } from './resale-rule.ts';
import { soldLots } from './sold-lots.ts';

const NOW = 1_800_000_000_000;
const LATER = NOW + 86_400_000;
const asset = {
  regulation: 'reg_cf',
  accreditationType: null,
  category: 'privates',
  sellerUsPerson: true,
  now: NOW,
} as const;

const lot = (quantity: number, restrictionEndsAt: number | null = null, offeringType: string | null = null) => ({
  quantity,
  restrictionEndsAt,
  offeringType,
});

const atBroker = (...lots: ResaleInput['lots']): ResaleInput => ({ ...asset, isRouted: true, lots });

describe('what may be sold of lots', () => {
  it('is all where nothing restricts', () => {
    expect(freeToSell(atBroker(lot(3), lot(4, NOW)))).toEqual({
      free: 7,
      restricted: 0,
      rules: [],
      restrictionEndsAt: null,
      next: [],
    });
  });

  it('ends before the oldest lot that no exemption covers, whatever lies behind it', () => {
    expect(freeToSell(atBroker(lot(3), lot(4, LATER), lot(5)))).toEqual({
      free: 3,
      restricted: 9,
      rules: ['reg_cf_hold', 'broker_buyer_unknown'],
      restrictionEndsAt: LATER,
      next: [{ at: LATER, quantity: 4 }],
    });
  });

  it('names a bounded number of ends, the first ones first', () => {
    const lots = Array.from({ length: NEXT_MAX + 5 }, (_, at) => lot(1, LATER + (50 - at)));
    const { next } = freeToSell(atBroker(...lots));
    expect(next).toHaveLength(NEXT_MAX);
    expect(next.map(({ at }) => at)).toEqual(next.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('is the largest sale that the rule of orders lets through', () => {
    const lots = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 9 }),
        restrictionEndsAt: fc.constantFrom(null, NOW - 1, LATER),
        offeringType: fc.constantFrom(null, '506c', 'reg_cf', 'reg_s', 'retail'),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(lots, fc.boolean(), fc.boolean(), (held, isRouted, sellerUsPerson) => {
        const input = { ...asset, isRouted, sellerUsPerson, lots: held };
        const { free, restricted } = freeToSell(input);
        const allows = (quantity: number) => resaleRule({ ...input, lots: soldLots(held, quantity) }).allowed;
        expect(allows(free)).toBe(true);
        if (restricted > 0) expect(allows(free + 1)).toBe(false);
      }),
    );
  });
});
