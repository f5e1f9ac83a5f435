import { expect, test } from 'vitest';
import type { ComplianceFacts } from './account.ts';
import { factsThatGive } from './facts-that-give.ts';

const BEFORE: ComplianceFacts = {
  kycStatus: 'pending',
  accreditationStatus: 'none',
  accreditationType: null,
  usPerson: true,
  annualIncome: 5_000_000,
  netWorth: 0,
  frozen: false,
};

test.each<[Partial<ComplianceFacts>, boolean]>([
  [{ kycStatus: 'completed' }, true],
  [{ kycStatus: 'rejected' }, false],
  [{ usPerson: false }, true],
  [{ usPerson: true }, false],
  [{ annualIncome: 5_000_001 }, true],
  [{ annualIncome: 4_999_999, netWorth: 0 }, false],
  [{ netWorth: 1 }, true],
  [{}, false],
])('facts that give: %j (%s)', (facts, gives) => {
  expect(factsThatGive(BEFORE, facts)).toBe(gives);
  expect(factsThatGive({ ...BEFORE, ...facts }, facts), 'once it is so').toBe(false);
});
