import { describe, expect, test } from 'vitest';
import { ATTRIBUTE, qualifies } from '../orders/eligibility.ts';
import { type ResaleInput, resaleRule, type SoldLot } from './resale-rule.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const later = Date.parse('2026-12-01T00:00:00Z');
const latest = Date.parse('2027-02-01T00:00:00Z');

const NOBODY_SPECIAL = 0;
const SELF_CERTIFIED = ATTRIBUTE.self_certified_accredited;
const VERIFIED = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;

const lot = (restrictionEndsAt: number | null, offeringType: string | null = null): SoldLot => ({
  quantity: 10,
  restrictionEndsAt,
  offeringType,
});

function sell(input: Partial<ResaleInput>) {
  return resaleRule({
    regulation: null,
    accreditationType: null,
    category: null,
    sellerUsPerson: true,
    isRouted: false,
    lots: [],
    now,
    ...input,
  });
}

function buyers(input: Partial<ResaleInput>) {
  const outcome = sell(input);
  if (!outcome.allowed) return 'nobody';
  const kinds = {
    anyone: NOBODY_SPECIAL,
    selfCertified: SELF_CERTIFIED,
    verified: VERIFIED,
    nonUs: ATTRIBUTE.non_us,
    family: ATTRIBUTE.family,
  };
  return Object.entries(kinds)
    .filter(([, attributes]) => qualifies(outcome.requires, attributes))
    .map(([kind]) => kind);
}

describe('unrestricted lots can be sold to any investor', () => {
  test('a lot that was never restricted', () => {
    expect(sell({ lots: [lot(null)] })).toEqual({
      allowed: true,
      restricted: false,
      requires: 0,
      restrictionEndsAt: null,
      exemptions: [],
    });
  });

  test('a lot whose hold ends at this very moment', () => {
    expect(sell({ regulation: 'reg_cf', lots: [lot(now)] })).toMatchObject({
      allowed: true,
      restricted: false,
      requires: 0,
    });
  });

  test('a part of no shares of a restricted lot', () => {
    expect(sell({ regulation: 'reg_cf', lots: [{ ...lot(later), quantity: 0 }] })).toMatchObject({ restricted: false });
  });

  test('still only to those whom the asset admits', () => {
    expect(buyers({ regulation: 'reg_d_506c', accreditationType: '506c', lots: [lot(null)] })).toEqual(['verified']);
  });
});

describe('exemptions within the hold period', () => {
  test('Reg D 506(b): accredited investors', () => {
    const input = { regulation: 'reg_d_506b', accreditationType: '506b', lots: [lot(later, '506b')] } as const;
    expect(sell(input)).toMatchObject({ allowed: true, restricted: true, restrictionEndsAt: later });
    expect(buyers(input)).toEqual(['selfCertified', 'verified']);
  });

  test('Reg D 506(c): verified accredited investors, as the asset asks', () => {
    expect(buyers({ regulation: 'reg_d_506c', accreditationType: '506c', lots: [lot(later, '506c')] })).toEqual([
      'verified',
    ]);
  });

  test('Reg CF: accredited investors and family members', () => {
    expect(buyers({ regulation: 'reg_cf', lots: [lot(later)] })).toEqual(['selfCertified', 'verified', 'family']);
  });

  test('Reg S: among non-US investors, and for a US seller none', () => {
    expect(buyers({ regulation: 'reg_s', sellerUsPerson: false, lots: [lot(later)] })).toEqual(['nonUs']);
    expect(sell({ regulation: 'reg_s', sellerUsPerson: true, lots: [lot(later)] })).toEqual({
      allowed: false,
      restrictionEndsAt: later,
      rules: ['reg_s_distribution_compliance'],
    });
  });

  test.each(['reg_a', 'retail'] as const)('%s: freely tradeable', (regulation) => {
    expect(sell({ regulation, lots: [lot(later)] })).toMatchObject({ allowed: true, restricted: false, requires: 0 });
  });

  test('where no exemption applies it is refused: an issuer lockup, an unknown offering', () => {
    expect(sell({ regulation: 'retail', lots: [lot(later, 'lockup')] })).toEqual({
      allowed: false,
      restrictionEndsAt: later,
      rules: ['issuer_lockup'],
    });
    expect(sell({ lots: [lot(later)] })).toEqual({
      allowed: false,
      restrictionEndsAt: later,
      rules: ['unknown_offering'],
    });
  });
});

describe('at a broker, where nobody knows who buys', () => {
  test.each([
    ['506c', 'reg_d_hold'],
    ['506b', 'reg_d_hold'],
    ['reg_cf', 'reg_cf_hold'],
    ['reg_s', 'reg_s_distribution_compliance'],
    ['lockup', 'issuer_lockup'],
  ])('a %s lot within its hold is sold to nobody', (offering, hold) => {
    const lots = [lot(null), lot(later, offering)];
    expect(sell({ isRouted: true, sellerUsPerson: false, lots })).toEqual({
      allowed: false,
      restrictionEndsAt: later,
      rules: [hold, 'broker_buyer_unknown'],
    });
  });

  test('free lots, and lots that anyone may have, are sold', () => {
    const lots = [lot(null), lot(now, '506c'), lot(later, 'reg_a'), lot(later, 'retail')];
    expect(sell({ isRouted: true, lots })).toMatchObject({ allowed: true, restricted: false });
  });
});

describe('a decision names its rules', () => {
  const reliedOn = (input: Partial<ResaleInput>) => {
    const outcome = sell(input);
    return outcome.allowed ? outcome.exemptions : outcome.rules;
  };

  test('each exemption that a buyer may still qualify by', () => {
    expect(reliedOn({ lots: [lot(later, '506b')] })).toEqual(['reg_d_accredited_buyer']);
    expect(reliedOn({ lots: [lot(later, 'reg_cf')] })).toEqual(['reg_cf_accredited_buyer', 'reg_cf_family']);
    expect(reliedOn({ sellerUsPerson: false, lots: [lot(later, 'reg_s')] })).toEqual(['reg_s_offshore_resale']);
  });

  test('none that another lot, or the asset, rules out', () => {
    const accredited = ['reg_cf_accredited_buyer', 'reg_d_accredited_buyer'];
    expect(reliedOn({ lots: [lot(later, 'reg_cf'), lot(later, '506b')] })).toEqual(accredited);
    expect(reliedOn({ accreditationType: '506c', lots: [lot(later, 'reg_cf')] })).toEqual(['reg_cf_accredited_buyer']);
  });

  test('each hold that refuses, and no other', () => {
    expect(reliedOn({ lots: [lot(later, '506c'), lot(later, 'lockup'), lot(later, 'reg_s')] })).toEqual([
      'issuer_lockup',
      'reg_s_distribution_compliance',
    ]);
  });
});

describe('an order over several lots', () => {
  test('is restricted if any of them is, until the latest end', () => {
    expect(sell({ regulation: 'reg_cf', lots: [lot(null), lot(later), lot(latest), lot(now - 1)] })).toMatchObject({
      restricted: true,
      restrictionEndsAt: latest,
    });
  });

  test('must satisfy the exemption of each', () => {
    expect(buyers({ lots: [lot(later, 'reg_cf'), lot(later, '506b')] })).toEqual(['selfCertified', 'verified']);
  });

  test('is refused when no kind of buyer satisfies them all, until the last of the uncovered ends', () => {
    expect(sell({ sellerUsPerson: false, lots: [lot(later, '506b'), lot(latest, 'reg_s')] })).toEqual({
      allowed: false,
      restrictionEndsAt: latest,
      rules: ['reg_s_distribution_compliance'],
    });
  });
});

test('of several lots within their hold the one that is free last counts, in whatever order they come', () => {
  for (const ends of [
    [later, latest],
    [latest, later],
  ]) {
    const of = (offeringType: string) => sell({ lots: ends.map((end) => lot(end, offeringType)) });
    expect(of('reg_cf')).toMatchObject({ allowed: true, restrictionEndsAt: latest });
    expect(of('lockup')).toEqual({ allowed: false, restrictionEndsAt: latest, rules: ['issuer_lockup'] });
  }
});
