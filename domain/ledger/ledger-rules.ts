import { mulDivFloor } from '../money/arithmetic.ts';
import { LEDGER_LIMITS, type LedgerLimits } from './ledger-limits.ts';
import type { LedgerState } from './ledger-state.ts';
import type { RecordOutcome } from './outcomes.ts';
import type { LedgerRules, RuleSet } from './rule-set.ts';
import type { LedgerRulesChange } from './transactions.ts';

/** What one deployment of the ledger's code can do, and what it shall do. */
export interface LedgerCode {
  /** Every version that it can run: what it shall go by, and those of rows that it may have to replay. */
  readonly known: readonly RuleSet[];
  /** What the ledger goes by once this code has started. */
  readonly rules: LedgerRules;
}

const RULES_1: RuleSet = {
  version: 1,
  costShare: mulDivFloor,
  boundsIncoming: false,
  amendmentsApart: false,
  endedNamesByOwner: false,
  debitsNameTerms: false,
  asksFreezeAgain: false,
  asksIdentityEnd: false,
  paymentsNameTerms: false,
  creditsFees: false,
  requestsSure: () => 2,
};

/** Of 50,000 open requests the last 10,000 are for those who have none. */
const REQUESTS_BEFORE_LAST = 40_000;

/**
 * What others have open, or have ended, leaves each their share, whatever number of accounts one has; and what executions at brokers may bring stays within the
 * range that amounts are exact in.
 */
const RULES_2: RuleSet = {
  ...RULES_1,
  version: 2,
  boundsIncoming: true,
  amendmentsApart: true,
  endedNamesByOwner: true,
  requestsSure: (open) => (open < REQUESTS_BEFORE_LAST ? 2 : 1),
};

/** A debit of the bridge names its terms, so that no other terms of its transfer's id find it. */
const RULES_3: RuleSet = { ...RULES_2, version: 3, debitsNameTerms: true };

/**
 * A payment of the bridge names its terms, so that no other terms of its transfer's id take its place, and what a transfer has earned may be credited to whoever runs the bridge. What an account
 * asked for before it was frozen waits until it is free again.
 */
const RULES_4: RuleSet = { ...RULES_3, version: 4, paymentsNameTerms: true, creditsFees: true, asksFreezeAgain: true };

/** An identity that has ended opens no order, whether or not its account's facts have followed. */
const RULES_5: RuleSet = { ...RULES_4, version: 5, asksIdentityEnd: true };

/**
 * Raised when the same transactions would come to something else; `known` keeps the versions before
 * (docs/design/ledger.md#rules-of-the-ledger).
 */
const RULES_VERSION = 5;

export const LEDGER_CODE: LedgerCode = {
  known: [RULES_1, RULES_2, RULES_3, RULES_4, RULES_5],
  rules: { version: RULES_VERSION, limits: LEDGER_LIMITS },
};

/** Of a limit that rules do not name, because they are older than the limit: there was none, no room beyond the others, and nothing guaranteed. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const UNNAMED: Partial<LedgerLimits> = {
  roomForSales: 0,
  balancesForGuaranteed: 0,
  balancesGuaranteedPerAccount: 0,
  balancesForFew: 0,
  balancesGuaranteedOfFew: 0,
  reservationsForGuaranteed: 0,
  reservationsGuaranteedPerAccount: 0,
  reservationsForFew: 0,
  reservationsGuaranteedOfFew: 0,
  reservationsForFewest: 0,
  reservationsGuaranteedOfFewest: 0,
  amendmentsForGuaranteed: 0,
  amendmentsGuaranteedPerAccount: 0,
  amendmentsForFew: 0,
  amendmentsGuaranteedOfFew: 0,
  lotsForGuaranteed: 0,
  lotsGuaranteedPerAccount: 0,
  lotsForFew: 0,
  lotsGuaranteedOfFew: 0,
  limitedKeysForGuaranteed: 0,
  limitedKeysGuaranteedPerAccount: 0,
};

/**
 * The rules of a journal's first row, and of a checkpoint that names none. They stay as they are, whatever later ones say: a limit that is made
 * later is named by `LEDGER_LIMITS` alone.
 */
export const FIRST_RULES: LedgerRules = rulesOf({
  version: 1,
  limits: {
    balancesMax: 1_000_000,
    balancesPerAccountMax: 2_000,
    balancesForGuaranteed: 500_000,
    balancesGuaranteedPerAccount: 50,
    reservationsMax: 150_000,
    reservationsForGuaranteed: 75_000,
    reservationsGuaranteedPerAccount: 250,
    lotsMax: 150_000,
    lotsForGuaranteed: 50_000,
    lotsGuaranteedPerAccount: 200,
    reservationsPerAccountMax: 15_000,
    lotsHeldPerAccountMax: 15_000,
    lotsPerSecurityMax: 50_000,
    lotsGuaranteedPerSecurity: 1_000,
    roomForSales: 7_500,
    lotsPerAccountMax: 2_000,
    lotsPerBatchMax: 20_000,
    recentIdsMax: 200_000,
    clientOrderIdsMax: 20_000,
    limitedKeysMax: 50_000,
    limitedKeysPerAccountMax: 100,
    limitedKeysForGuaranteed: 25_000,
    limitedKeysGuaranteedPerAccount: 5,
  },
});

/** Rules as a journal or a checkpoint keeps them: older ones name fewer limits. */
export interface KeptRules {
  readonly version: number;
  readonly limits: Partial<LedgerLimits>;
}

/**
 * Kept rules in the shape of this code.
 *
 * @throws Error when they name a limit that this code does not know: it would go by other rules than were meant
 */
export function rulesOf({ version, limits }: KeptRules): LedgerRules {
  const unknown = Object.keys(limits).find((name) => !(name in LEDGER_LIMITS));
  if (unknown !== undefined) throw new Error(`limit ${unknown} of the ledger is not known to this code`);
  const names = Object.keys(LEDGER_LIMITS) as (keyof LedgerLimits)[];
  const named = Object.fromEntries(names.map((name) => [name, limits[name] ?? UNNAMED[name] ?? NO_LIMIT]));
  return { version, limits: named as Record<keyof LedgerLimits, number> };
}

/** @throws Error when this code does not have the version */
export function ruleSetOf(known: readonly RuleSet[], version: number): RuleSet {
  const found = known.find((rules) => rules.version === version);
  if (found !== undefined) return found;
  const versions = known.map((rules) => rules.version).join(' and ');
  throw new Error(`version ${version} of the ledger's rules is not known to this code, which has ${versions}`);
}

/** The transaction that brings a ledger from its rules to others; null when they are the same. */
export function rulesChange(from: LedgerRules, to: LedgerRules): LedgerRulesChange | null {
  const { version, limits } = rulesOf(to);
  return textOf(from) === textOf(to) ? null : { kind: 'ledger_rules', version, limits };
}

/**
 * From here on the ledger goes by other rules. A limit below what is in use refuses growth, and nothing else.
 *
 * @throws Error when this code does not have the version, or does not know a limit
 */
export function applyRulesChange(state: LedgerState, change: LedgerRulesChange): RecordOutcome {
  const rules = rulesOf(change);
  if (textOf(state.rules) === textOf(rules)) return { type: 'exists' };
  state.goBy(rules, ruleSetOf(state.known, rules.version));
  return { type: 'done' };
}

function textOf(rules: LedgerRules): string {
  return JSON.stringify(rulesOf(rules));
}
