import { REG_CF_AMOUNTS, type RegCfAmounts } from '../../../domain/investment-limit/reg-cf-limit.ts';

/**
 * The dollar amounts of 17 CFR 227.100(a)(2) in force: the var REG_CF_AMOUNTS, a JSON object of `floor`, `threshold` and `cap` in US
 * cents, over the built-in ones.
 */
export function regCfAmountsOf(env: Env): RegCfAmounts {
  return { ...REG_CF_AMOUNTS, ...(JSON.parse(env.REG_CF_AMOUNTS) as Partial<RegCfAmounts>) };
}
