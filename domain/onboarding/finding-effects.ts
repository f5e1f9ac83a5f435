import type { IdentityState } from './identity-state.ts';
import { type IdentityFinding, isSanctioned } from './identity-verification.ts';

/** What a finding comes to, once it is weighed. `listed` is a match in lists of sanctions for an operator to look at. @internal */
export const FINDING_KINDS = ['pending', 'verified', 'review', 'refused', 'listed', 'refused_listed'] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Of which handing in a finding tells: of the only one, of one whose approval of before counts still, or of that approval. @internal */
export const FINDING_SUBJECTS = ['first', 'renewal', 'held'] as const;

export type FindingSubject = (typeof FINDING_SUBJECTS)[number];

/**
 * What a finding does.
 *
 * | effect | state | an approval | the account follows |
 * |---|---|---|---|
 * | `nothing` | stays | stays | no |
 * | `note`: what was found is kept for an operator, who decides from then on | stays | stays | no |
 * | `shorten` | stays | ends as soon as the provider's word does | no |
 * | `look` | `IN_REVIEW` | of before: counts on | no |
 * | `doubt` | `IN_REVIEW` | counts until its own end, as one of before | no |
 * | `suspend` | `IN_REVIEW` | ends | yes |
 * | `end` | stays | ends | yes |
 * | `approve` | `APPROVED` | begins | yes |
 * | `refuse` | `REFUSED` | ends | yes |
 */
export type FindingEffect =
  | 'nothing'
  | 'note'
  | 'shorten'
  | 'look'
  | 'doubt'
  | 'suspend'
  | 'end'
  | 'approve'
  | 'refuse';

type Effects = Readonly<Record<FindingKind, FindingEffect>>;

const NOTHING: Effects = {
  pending: 'nothing',
  verified: 'nothing',
  review: 'nothing',
  refused: 'nothing',
  listed: 'nothing',
  refused_listed: 'nothing',
};
const NOTED: Effects = {
  ...NOTHING,
  review: 'note',
  refused: 'note',
  listed: 'note',
  refused_listed: 'note',
};
const APPROVED: Effects = {
  pending: 'nothing',
  verified: 'shorten',
  review: 'doubt',
  refused: 'refuse',
  listed: 'suspend',
  refused_listed: 'refuse',
};

/**
 * What every finding does in every state (docs/design/onboarding.md#what-is-found-later). Nothing found later is milder, and nothing that was found against somebody is thrown away: the venue knows of a match from
 * the moment that it is told (31 CFR 501, 1023.220(a)(4)).
 */
export const FINDING_EFFECTS: Readonly<Record<FindingSubject, Readonly<Record<IdentityState, Effects>>>> = {
  first: {
    // Nothing was handed in that a provider could tell of.
    DRAFT: NOTHING,
    SUBMITTED: {
      pending: 'nothing',
      verified: 'approve',
      review: 'look',
      refused: 'refuse',
      listed: 'look',
      refused_listed: 'refuse',
    },
    IN_REVIEW: { ...NOTED, verified: 'note', refused: 'refuse', refused_listed: 'refuse' },
    // An operator has asked for something else, perhaps after this very refusal.
    ASKED_BACK: NOTED,
    APPROVED,
    EXPIRED: { ...NOTED, refused: 'refuse', refused_listed: 'refuse' },
    REFUSED: NOTED,
  },
  renewal: {
    DRAFT: NOTHING,
    SUBMITTED: {
      pending: 'nothing',
      verified: 'approve',
      review: 'look',
      refused: 'look',
      listed: 'suspend',
      refused_listed: 'refuse',
    },
    IN_REVIEW: { ...NOTED, verified: 'note', listed: 'suspend', refused_listed: 'refuse' },
    ASKED_BACK: { ...NOTED, listed: 'end', refused_listed: 'end' },
    // None of these has an approval of before.
    APPROVED,
    EXPIRED: { ...NOTED, refused: 'refuse', refused_listed: 'refuse' },
    REFUSED: NOTED,
  },
  held: {
    DRAFT: NOTHING,
    SUBMITTED: { ...APPROVED, review: 'note' },
    IN_REVIEW: { ...APPROVED, review: 'note' },
    ASKED_BACK: { ...APPROVED, review: 'note', listed: 'end' },
    // None of these has an approval of before.
    APPROVED,
    EXPIRED: NOTED,
    REFUSED: NOTED,
  },
};

/** Effects that the account's facts follow from. */
export const DECIDING_EFFECTS: ReadonlySet<FindingEffect> = new Set(['suspend', 'end', 'approve', 'refuse']);

/** The state that an effect leads to. */
export function stateAfter(effect: FindingEffect, before: IdentityState): IdentityState {
  switch (effect) {
    case 'nothing':
    case 'note':
    case 'shorten':
    case 'end':
      return before;
    case 'look':
    case 'doubt':
    case 'suspend':
      return 'IN_REVIEW';
    case 'approve':
      return 'APPROVED';
    case 'refuse':
      return 'REFUSED';
  }
}

/** @param parties ids of the parties that were handed in; of a person none */
export function findingKindOf(finding: IdentityFinding, parties: readonly string[]): FindingKind {
  const isListed = isSanctioned(finding, parties);
  switch (finding.type) {
    case 'pending':
    case 'verified':
      return finding.type;
    case 'review':
      return isListed ? 'listed' : 'review';
    case 'refused':
      return isListed ? 'refused_listed' : 'refused';
  }
}
