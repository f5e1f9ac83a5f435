import { expect, test } from 'vitest';
import type { InvestorFacts } from './attributes-of.ts';
import { maySee } from './may-see.ts';

const facts = (
  accreditationType: InvestorFacts['accreditationType'],
  accreditationStatus: InvestorFacts['accreditationStatus'] = 'completed',
): InvestorFacts => ({
  accreditationType,
  accreditationStatus,
  usPerson: true,
});

test('an asset under 506(b) is shown to the self-certified or better alone', () => {
  const asset = { category: 'privates', accreditationType: '506b' } as const;
  expect(maySee(asset, null)).toBe(false);
  expect(maySee(asset, facts(null))).toBe(false);
  expect(maySee(asset, facts('506b', 'pending'))).toBe(false);
  expect(maySee(asset, facts('506b'))).toBe(true);
  expect(maySee(asset, facts('506c'))).toBe(true);
});

test('every other asset is shown to anyone', () => {
  expect(maySee({ category: 'privates', accreditationType: '506c' }, null)).toBe(true);
  expect(maySee({ category: 'pre-ipo', accreditationType: null }, null)).toBe(true);
  expect(maySee({ category: 'crypto', accreditationType: null }, facts(null))).toBe(true);
});
