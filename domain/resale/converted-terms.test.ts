import { describe, expect, it } from 'vitest';
import type { Regulation } from '../assets/asset.ts';
import { type ConversionTerms, convertedTerms, type LotTerms } from './converted-terms.ts';
import { resaleRule } from './resale-rule.ts';

const NOW = Date.UTC(2026, 10, 30);
const DAY = 86_400_000;
const YEAR_END = NOW + 365 * DAY;

/** A sale by a person abroad or at home of a lot that has become one of an asset with this regulation. */
function soldAs(regulation: Regulation, lot: LotTerms, { now = NOW, sellerUsPerson = true } = {}) {
  const lots = [{ ...lot, quantity: 100 }];
  return resaleRule({
    regulation,
    accreditationType: null,
    category: 'privates',
    sellerUsPerson,
    isRouted: false,
    lots,
    now,
  });
}

const converted = (
  offeringType: string | null,
  of: Partial<ConversionTerms> = {},
  restrictionEndsAt: number | null = YEAR_END,
) => convertedTerms({ restrictionEndsAt, offeringType }, { regulation: null, restrictionEndsAt: null, ...of });

describe('a lot that a merger makes one of another security', () => {
  it.each(['reg_a', 'retail', 'reg_cf', 'reg_s'] as const)(
    'keeps the rule that it was sold under in one of %s',
    (into) => {
      const lot = converted(null, { regulation: 'reg_d_506c' });
      expect(lot).toEqual({ restrictionEndsAt: YEAR_END, offeringType: 'reg_d_506c' });
      expect(soldAs(into, lot)).toMatchObject({
        allowed: true,
        restricted: true,
        exemptions: ['reg_d_accredited_buyer'],
      });
    },
  );

  it('does not come back into the United States by a security of Regulation CF', () => {
    const lot = converted(null, { regulation: 'reg_s' });
    expect(soldAs('reg_cf', lot)).toMatchObject({ allowed: false, rules: ['reg_s_distribution_compliance'] });
    expect(soldAs('reg_cf', lot, { sellerUsPerson: false })).toMatchObject({ exemptions: ['reg_s_offshore_resale'] });
  });

  it('keeps what it names itself', () => {
    expect(converted('reg_cf', { regulation: 'reg_s' }).offeringType).toBe('reg_cf');
    expect(converted('lockup', { regulation: 'reg_s' })).toEqual({
      restrictionEndsAt: YEAR_END,
      offeringType: 'lockup',
    });
  });

  it('is free where it was free', () => {
    const lot = converted(null, { regulation: null }, null);
    expect(lot).toEqual({ restrictionEndsAt: null, offeringType: 'retail' });
    expect(soldAs('reg_s', lot)).toMatchObject({ allowed: true, restricted: false });
  });

  it('is sold to nobody before its end where nobody knows what it was sold under', () => {
    expect(soldAs('retail', converted(null))).toMatchObject({
      allowed: false,
      rules: ['issuer_lockup'],
      restrictionEndsAt: YEAR_END,
    });
  });

  it('is bound by an end that is stated, whatever the regulation of the other security', () => {
    const until = NOW + 800 * DAY;
    const lot = converted(null, { regulation: 'reg_d_506c', restrictionEndsAt: until });
    expect(lot).toEqual({ restrictionEndsAt: until, offeringType: `lockup:${until}:reg_d_506c` });
    for (const into of ['reg_a', 'retail'] as const)
      expect(soldAs(into, lot, { now: until - 1 })).toMatchObject({ allowed: false, rules: ['issuer_lockup'] });
    expect(soldAs('retail', lot, { now: until })).toMatchObject({ allowed: true, restricted: false });
  });

  it('keeps its hold after a stated end that comes first, and the later of two lockups', () => {
    const soon = NOW + 10 * DAY;
    const lot = converted('reg_d_506b', { restrictionEndsAt: soon });
    expect(lot).toEqual({ restrictionEndsAt: YEAR_END, offeringType: `lockup:${soon}:reg_d_506b` });
    expect(soldAs('retail', lot, { now: soon })).toMatchObject({
      restricted: true,
      exemptions: ['reg_d_accredited_buyer'],
    });
    const later = converted(`lockup:${soon}:reg_cf`, { restrictionEndsAt: soon + DAY });
    expect(later.offeringType).toBe(`lockup:${soon + DAY}:reg_cf`);
    expect(converted(`lockup:${soon}:reg_cf`, { restrictionEndsAt: soon - DAY }).offeringType).toBe(
      `lockup:${soon}:reg_cf`,
    );
  });

  it('that was free is bound by a stated end as well', () => {
    expect(converted(null, { regulation: 'reg_a', restrictionEndsAt: YEAR_END }, null)).toEqual({
      restrictionEndsAt: YEAR_END,
      offeringType: `lockup:${YEAR_END}:reg_a`,
    });
  });
});
