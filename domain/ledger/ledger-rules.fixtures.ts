import { mulDivCeil } from '../money/arithmetic.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import { LEDGER_CODE, type LedgerCode, ruleSetOf } from './ledger-rules.ts';
import type { RuleSet } from './rule-set.ts';

/** A version that differs in one rule: a share of a cost is rounded up. */
const NEXT_RULES: RuleSet = {
  ...ruleSetOf(LEDGER_CODE.known, LEDGER_CODE.rules.version),
  version: LEDGER_CODE.rules.version + 1,
  costShare: mulDivCeil,
};

/** The code of a later deployment: it has both versions, and goes by `version`. */
export function laterCode(version = NEXT_RULES.version, limits: Partial<LedgerLimits> = {}): LedgerCode {
  const known = [...LEDGER_CODE.known, NEXT_RULES];
  return { known, rules: { version, limits: { ...LEDGER_CODE.rules.limits, ...limits } } };
}
