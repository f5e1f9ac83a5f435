import { mulDivFloor } from '../money/arithmetic.ts';

/**
 * The dollar amounts of 17 CFR 227.100(a)(2) in US cents. They are adjusted for inflation every five years, so they are
 * configuration; `REG_CF_AMOUNTS` holds those in force since 20 September 2022.
 */
export interface RegCfAmounts {
  /** What everyone may invest in 12 months. */
  readonly floor: number;
  /** Income or net worth from which the higher percentage applies. */
  readonly threshold: number;
  /** Bound of the higher percentage; the rule states none for the lower. */
  readonly cap: number;
}

/** Balance asset of the limit, over 12 months; units of the venue's dollar. */
export const REG_CF_ALLOWANCE = 'allowance:reg_cf';
export const REG_CF_WINDOW_MONTHS = 12;

export const REG_CF_AMOUNTS: RegCfAmounts = { floor: 250_000, threshold: 12_400_000, cap: 12_400_000 };

/** US cents. */
export interface InvestorMeans {
  readonly annualIncome: number;
  readonly netWorth: number;
}

/**
 * The most that an investor who is not accredited may buy under Regulation Crowdfunding within 12 months, over all issuers, in US
 * cents rounded down (17 CFR 227.100(a)(2)): with income or net worth below the threshold the greater of the floor and 5 % of the
 * greater of the two; otherwise 10 % of the greater, up to the cap.
 */
export function regCfLimit(means: InvestorMeans, amounts: RegCfAmounts): number {
  const greater = Math.max(means.annualIncome, means.netWorth);
  if (means.annualIncome < amounts.threshold || means.netWorth < amounts.threshold) {
    return Math.max(amounts.floor, mulDivFloor(greater, 5, 100));
  }
  return Math.min(mulDivFloor(greater, 10, 100), amounts.cap);
}
