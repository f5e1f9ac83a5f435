import type { ComplianceFacts } from '../accounts/account.ts';
import { DAY_MS } from '../calendar/durations.ts';

/** Whose account it is: that of the person who signs in, or of an entity that they act for. It is settled once it is handed in. */
export const IDENTITY_SUBJECTS = ['person', 'entity'] as const;

export type IdentitySubject = (typeof IDENTITY_SUBJECTS)[number];

/**
 * Where the identity of a person stands (docs/design/onboarding.md#identity): stated as far as it is, handed in and with the provider, with an operator, given back to the person,
 * decided, or out of date.
 */
export const IDENTITY_STATES = [
  'DRAFT',
  'SUBMITTED',
  'IN_REVIEW',
  'ASKED_BACK',
  'APPROVED',
  'REFUSED',
  'EXPIRED',
] as const;

export type IdentityState = (typeof IDENTITY_STATES)[number];

/** States in which the person may change what they state, whenever it is. */
export const STATES_OF_PERSON: readonly IdentityState[] = ['DRAFT', 'ASKED_BACK', 'EXPIRED'];

/** For so long before its end an approval may be renewed. */
export const RENEWAL_MS = 30 * DAY_MS;
/** Of the same person: a provider whose word is good for less than the time above is asked once a day at most. */
export const RENEWED_AGAIN_MS = DAY_MS;

interface Standing {
  readonly state: IdentityState;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly submittedAt: number | null;
}

/** From when an approval may be renewed; null for what is none, or has no end. */
export function renewableFrom({ state, expiresAt, submittedAt }: Standing): number | null {
  if (state !== 'APPROVED' || expiresAt === null) return null;
  return Math.max(expiresAt - RENEWAL_MS, (submittedAt ?? 0) + RENEWED_AGAIN_MS);
}

/** Whether the person may still change what they state: of an approval from a while before its end on. */
export function isOpenToPerson(standing: Standing, now: number): boolean {
  const from = renewableFrom(standing);
  if (from === null) return STATES_OF_PERSON.includes(standing.state);
  return now >= from && now < (standing.expiresAt ?? now);
}

/** What an operator may decide, and of which states. A refusal is taken back by asking the person again. One who has an approval of before is refused wherever another handing in stands. */
export const OPERATOR_DECISIONS = {
  approve: { from: ['IN_REVIEW'], to: 'APPROVED' },
  refuse: { from: ['IN_REVIEW', 'APPROVED', 'EXPIRED'], to: 'REFUSED' },
  'ask-back': { from: ['IN_REVIEW', 'REFUSED', 'EXPIRED'], to: 'ASKED_BACK' },
} as const satisfies Readonly<Record<string, { readonly from: readonly IdentityState[]; readonly to: IdentityState }>>;

export type OperatorDecision = keyof typeof OPERATOR_DECISIONS;

interface Reasoned {
  readonly state: IdentityState;
  readonly decidedBy: string | null;
  readonly reason: string | null;
}

/**
 * What an operator has written to the person; null where nothing was. Of one who was asked back, the reason that stands is that word whatever comes later, and of one whom an operator
 * has refused. Any other is what a provider has found: it may tell of a list or a report that the person must not be told of (31 CFR 1020.320(e)).
 */
export function wordToPerson({ state, decidedBy, reason }: Reasoned): string | null {
  if (state === 'ASKED_BACK') return reason;
  const isOfOperator = decidedBy !== null && !/^(provider|venue):/.test(decidedBy);
  return state === 'REFUSED' && isOfOperator ? reason : null;
}

/** How long an operator's approval is good. */
export const OPERATOR_APPROVAL_MS = 730 * DAY_MS;

/** The fact of the account that follows from a state; null where the state says nothing of it. */
export function kycStatusOf(state: IdentityState): ComplianceFacts['kycStatus'] | null {
  switch (state) {
    case 'APPROVED':
      return 'completed';
    case 'REFUSED':
      return 'rejected';
    case 'ASKED_BACK':
    case 'EXPIRED':
      return 'pending';
    default:
      return null;
  }
}

/** How often in a day something is stated or shown under an identity. */
export const CHANGES_OF_DAY_MAX = 200;

/** Never shorter than a year of the calendar. */
const YEAR_MS = 366 * DAY_MS;

/** Documents are kept for five years after the account is closed (31 CFR 1023.220(a)(3)(ii)). */
export const DOCUMENTS_KEPT_MS = 5 * YEAR_MS;
/** What was stated is kept for six (17 CFR 240.17a-4(e)(5)); then the person's key is destroyed. */
export const FACTS_KEPT_MS = 6 * YEAR_MS;
/** What was handed in of who was never let in is kept for as long as documents of an account: from its last change on. */
export const REFUSED_KEPT_MS = 5 * YEAR_MS;
/** What was never handed in is nothing that was relied on. */
export const DRAFT_KEPT_MS = 90 * DAY_MS;
