import { expect, test } from 'vitest';
import { ruleLabel } from './rule-words.ts';

test('a rule is read as words, with a regulation as it is written', () => {
  expect(ruleLabel('reg_cf_investment_limit')).toBe('Reg CF investment limit');
  expect(ruleLabel('identity_verified')).toBe('Identity verified');
});
