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
