import { describe, expect, test } from 'vitest';
import { ATTRIBUTE } from '../orders/eligibility.ts';
import { carriedFamily } from './family.ts';

const ACCREDITED = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;
const CROWD = { tracksLots: true, regulation: 'reg_cf', accreditationType: null, category: 'privates' } as const;
const family = ['brother'];
const sell = { side: 'sell', attributes: 0, requires: ACCREDITED | ATTRIBUTE.family, family } as const;
const buy = { side: 'buy', attributes: 0, requires: 0, family } as const;

describe('an order carries the family of its owner', () => {
  test('when it sells lots that family may buy, whatever the asset is', () => {
    expect(carriedFamily(sell, CROWD)).toBe(family);
    expect(carriedFamily(sell, { ...CROWD, regulation: null })).toBe(family);
    expect(carriedFamily({ ...sell, family: null }, CROWD)).toBeNull();
  });

  test('when it buys what family may sell it, and nothing else lets its owner buy that', () => {
    expect(carriedFamily(buy, CROWD)).toBe(family);
    expect(carriedFamily(buy, { ...CROWD, regulation: 'reg_a' })).toBe(family);
  });
});

describe('an order carries nobody', () => {
  test.each([
    ['a sell of free lots', { ...sell, requires: 0 }, CROWD],
    ['a sell to accredited investors alone', { ...sell, requires: ACCREDITED }, CROWD],
    ['a buy by an accredited investor', { ...buy, attributes: ATTRIBUTE.self_certified_accredited }, CROWD],
    ['a buy of what only the accredited may buy', buy, { ...CROWD, accreditationType: '506b' } as const],
    ['a buy of what has no lots', buy, { ...CROWD, tracksLots: false }],
    ['a buy of a public security', buy, { ...CROWD, regulation: null }],
  ])('%s', (_, order, asset) => {
    expect(carriedFamily(order, asset)).toBeNull();
  });
});
