import { describe, expect, test } from 'vitest';
import type { AccreditationType, AssetCategory } from '../assets/asset.ts';
import { qualifies } from '../orders/eligibility.ts';
import { type AccreditationEnd, accreditationAt } from './accreditation-at.ts';
import { attributesOf, type InvestorFacts } from './attributes-of.ts';
import { requiresOf } from './requires-of.ts';

const investor = (facts: Partial<InvestorFacts>): number =>
  attributesOf({ accreditationStatus: 'completed', accreditationType: null, usPerson: true, ...facts });

const INVESTORS = {
  'not accredited': investor({ accreditationStatus: 'none' }),
  'self-certified': investor({ accreditationType: '506b' }),
  verified: investor({ accreditationType: '506c' }),
  'verification pending': investor({ accreditationType: '506c', accreditationStatus: 'pending' }),
  'accreditation expired': investor({ accreditationType: '506c', accreditationStatus: 'expired' }),
};

const mayBuy = (category: AssetCategory, accreditationType: AccreditationType | null) =>
  Object.entries(INVESTORS)
    .filter(([, attributes]) => qualifies(requiresOf({ category, accreditationType }), attributes))
    .map(([kind]) => kind);

const ANYONE = Object.keys(INVESTORS);

describe('accreditation rule', () => {
  test.each(['stocks', 'fixed-income', 'commodities', 'forex', 'crypto', 'privates'] as const)(
    '%s without a type: any investor',
    (category) => {
      expect(mayBuy(category, null)).toEqual(ANYONE);
    },
  );

  test('private, Reg D 506(c): verified accredited', () => {
    expect(mayBuy('privates', '506c')).toEqual(['verified']);
  });

  test('private, Reg D 506(b): self-certified accredited, and 506c satisfies 506b', () => {
    expect(mayBuy('privates', '506b')).toEqual(['self-certified', 'verified']);
  });

  test('pre-IPO: accredited, of the kind that the asset names', () => {
    expect(mayBuy('pre-ipo', '506c')).toEqual(['verified']);
    expect(mayBuy('pre-ipo', '506b')).toEqual(['self-certified', 'verified']);
    expect(mayBuy('pre-ipo', null)).toEqual(['self-certified', 'verified']);
  });
});

test('residence outside the US is an attribute of its own', () => {
  const foreigner = investor({ usPerson: false, accreditationStatus: 'none' });
  expect(foreigner).not.toBe(0);
  expect(investor({ usPerson: false, accreditationType: '506c' }) & foreigner).toBe(foreigner);
  expect(investor({ accreditationType: '506c' }) & foreigner).toBe(0);
});

describe('an accreditation that ends', () => {
  const VERIFIED = { accreditationStatus: 'completed', accreditationType: '506c' } as const;
  const CERTIFIED = { accreditationStatus: 'completed', accreditationType: '506b' } as const;
  const at = (leaves: AccreditationEnd['leaves'], now: number) =>
    accreditationAt({ ...VERIFIED, accreditationEnd: { endsAt: 1_000, leaves } }, now);

  test('counts until the millisecond before its end, and what was certified after it', () => {
    expect(at('expired', 999)).toMatchObject(VERIFIED);
    expect(at('expired', 1_000)).toMatchObject({ accreditationStatus: 'expired', accreditationType: '506c' });
    expect(at('certified', 1_000)).toMatchObject(CERTIFIED);
  });

  test('leaves nothing where an operator has ended all of it', () => {
    const accreditationEnd = { endsAt: 1_000, leaves: 'nothing' } as const;
    for (const facts of [VERIFIED, CERTIFIED])
      expect(accreditationAt({ ...facts, accreditationEnd }, 1_000)).toMatchObject({
        accreditationStatus: 'none',
        accreditationType: null,
      });
  });

  test('takes nothing from what does not rest on a verification, or has no end', () => {
    const accreditationEnd = { endsAt: 1_000, leaves: 'certified' } as const;
    expect(accreditationAt({ ...CERTIFIED, accreditationEnd }, 2_000)).toMatchObject(CERTIFIED);
    expect(accreditationAt(VERIFIED, 2_000)).toBe(VERIFIED);
    const asked = { ...VERIFIED, accreditationStatus: 'pending', accreditationEnd } as const;
    expect(accreditationAt(asked, 2_000)).toBe(asked);
  });
});
