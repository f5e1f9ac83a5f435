import { expect, test } from 'vitest';
import { requiresOf } from '../accreditation/requires-of.ts';
import { addMonths } from '../calendar/add-months.ts';
import { resaleRule } from '../resale/resale-rule.ts';
import { listedLotTerms } from './listed-lot.ts';

const listed = Date.parse('2026-03-31T12:00:00Z');
const after = (months: number) => addMonths(listed, months);
const offering = { regulation: 'reg_d_506c', offeringType: '506c' } as const;

function sale(lockupMonths: number, now: number, asset: Parameters<typeof listedLotTerms>[0] = offering) {
  const lot = { quantity: 1, ...listedLotTerms(asset, lockupMonths, listed) };
  const { regulation } = asset;
  const rules = { regulation, accreditationType: '506c', category: 'pre-ipo' } as const;
  return resaleRule({ ...rules, sellerUsPerson: true, isRouted: false, lots: [lot], now });
}

test('within the lockup nobody may buy, whom the hold period would let buy', () => {
  for (const months of [6, 24]) {
    expect(sale(months, listed)).toEqual({
      allowed: false,
      restrictionEndsAt: after(months),
      rules: ['issuer_lockup'],
    });
    expect(sale(months, after(months) - 1)).toMatchObject({ allowed: false });
  }
});

test('a lockup that ends before the hold period leaves the exemptions of that', () => {
  const requires = requiresOf({ accreditationType: '506c', category: 'pre-ipo' });
  expect(sale(6, after(6))).toMatchObject({
    allowed: true,
    restricted: true,
    requires,
    restrictionEndsAt: after(12),
  });
  expect(sale(6, after(12))).toMatchObject({ allowed: true, restricted: false });
});

test('a longer one leaves nothing', () => {
  expect(sale(24, after(24))).toMatchObject({ allowed: true, restricted: false });
});

test('without a lockup the hold period is that of the regulation', () => {
  expect(listedLotTerms(offering, 0, listed)).toEqual({ restrictionEndsAt: after(12), offeringType: '506c' });
  expect(listedLotTerms({ regulation: 'reg_a', offeringType: null }, 0, listed)).toEqual({
    restrictionEndsAt: null,
    offeringType: 'reg_a',
  });
});

test('a lockup of shares without a hold period', () => {
  const terms = listedLotTerms({ regulation: null, offeringType: null }, 6, listed);
  expect(terms).toEqual({ restrictionEndsAt: after(6), offeringType: 'lockup' });
});
