import { describe, expect, test } from 'vitest';
import { REG_CF_AMOUNTS, regCfLimit } from './reg-cf-limit.ts';

const limit = (annualIncome: number, netWorth: number) =>
  regCfLimit({ annualIncome: annualIncome * 100, netWorth: netWorth * 100 }, REG_CF_AMOUNTS) / 100;

describe('17 CFR 227.100(a)(2), amounts in force since 2022', () => {
  test.each([
    ['nothing known: the floor', 0, 0, 2_500],
    ['5 % below the floor: the floor', 30_000, 10_000, 2_500],
    ['either below the threshold: 5 % of the greater', 123_999, 80_000, 6_199.95],
    ['the greater may be the net worth', 60_000, 900_000, 45_000],
    ['the lower percentage has no cap', 100_000, 5_000_000, 250_000],
    ['both at the threshold: 10 % of the greater', 124_000, 124_000, 12_400],
    ['both above: 10 % of the greater', 150_000, 800_000, 80_000],
    ['the higher percentage is capped', 2_000_000, 9_000_000, 124_000],
  ])('%s', (_, annualIncome, netWorth, expected) => {
    expect(limit(annualIncome, netWorth)).toBe(expected);
  });

  test('a fraction of a cent is cut off', () => {
    expect(regCfLimit({ annualIncome: 12_345_679, netWorth: 0 }, REG_CF_AMOUNTS)).toBe(617_283);
  });

  test('the amounts are configuration', () => {
    expect(regCfLimit({ annualIncome: 0, netWorth: 0 }, { ...REG_CF_AMOUNTS, floor: 300_000 })).toBe(300_000);
  });
});
