/** What trading is watched for, each rule in a file of its own beside this one (docs/design/surveillance.md). */
export const SURVEILLANCE_RULES = ['wash_trade', 'marking_the_close', 'layering'] as const;

export type SurveillanceRule = (typeof SURVEILLANCE_RULES)[number];

export const CASE_STATES = ['open', 'closed'] as const;

export type CaseState = (typeof CASE_STATES)[number];

/** How a case is closed: `reported` to an authority, `restricted` is an account or a person whose trading was restricted. */
export const CASE_OUTCOMES = ['no_action', 'warned', 'reported', 'restricted'] as const;

export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

/** Notes that one case takes. */
export const NOTES_PER_CASE_MAX = 200;

/** Cases of a market, and of a day, that people are given: those that weigh most. */
const CASES_PER_MARKET_MAX = 20;
const CASES_PER_DAY_MAX = 200;
/** However many cases the day has: the strongest of a market that comes late are hidden by no noise in earlier ones. */
const CASES_PER_MARKET_MIN = 3;

/** How many findings of the next market make cases. @param cases that the day has already */
export function roomForCases(cases: number): number {
  return Math.max(CASES_PER_MARKET_MIN, Math.min(CASES_PER_MARKET_MAX, CASES_PER_DAY_MAX - cases));
}
