import { describe, expect, it } from 'vitest';
import {
  DECIDING_EFFECTS,
  FINDING_EFFECTS,
  FINDING_KINDS,
  FINDING_SUBJECTS,
  findingKindOf,
  stateAfter,
} from './finding-effects.ts';
import { IDENTITY_STATES, type IdentityState, kycStatusOf } from './identity-state.ts';
import { weighed } from './identity-verification.ts';

const STRICTNESS = { completed: 0, pending: 1, rejected: 2 } as const;
/** States in which something was handed in and an approval of before may count. */
const HOLDING: readonly IdentityState[] = ['SUBMITTED', 'IN_REVIEW', 'ASKED_BACK'];

const cells = FINDING_SUBJECTS.flatMap((subject) =>
  IDENTITY_STATES.flatMap((state) =>
    FINDING_KINDS.map((kind) => ({ subject, state, kind, effect: FINDING_EFFECTS[subject][state][kind] })),
  ),
);

describe('what a provider finds, first or later', () => {
  it('has an effect of its own for every finding in every state', () => {
    expect(cells).toHaveLength(3 * 7 * 6);
    for (const { effect, state } of cells) expect(IDENTITY_STATES).toContain(stateAfter(effect, state));
  });

  it('throws nothing away that is found against somebody who has handed in', () => {
    for (const { state, kind, effect, subject } of cells) {
      if (state === 'DRAFT' || kind === 'pending' || kind === 'verified') continue;
      expect(effect, `${subject} ${state} ${kind}`).not.toBe('nothing');
      expect(['approve', 'shorten']).not.toContain(effect);
    }
  });

  it('ends at once by a match in lists of sanctions whatever approval counts', () => {
    for (const { subject, state, kind, effect } of cells) {
      if (kind !== 'listed' && kind !== 'refused_listed') continue;
      const isApproved = state === 'APPROVED' || (subject !== 'first' && HOLDING.includes(state));
      if (isApproved) expect(['suspend', 'end', 'refuse'], `${subject} ${state} ${kind}`).toContain(effect);
    }
  });

  it('is never milder than what was decided', () => {
    for (const { state, effect } of cells) {
      const before = kycStatusOf(state);
      const after = kycStatusOf(stateAfter(effect, state)) ?? 'pending';
      if (effect === 'approve') expect(state).toBe('SUBMITTED');
      else if (before !== null && effect !== 'doubt')
        expect(STRICTNESS[after]).toBeGreaterThanOrEqual(STRICTNESS[before]);
      if (effect === 'doubt') expect(state).toBe('APPROVED');
    }
    expect([...DECIDING_EFFECTS].toSorted()).toEqual(['approve', 'end', 'refuse', 'suspend']);
  });

  const now = 1_000_000_000_000;
  const clear = { sanctions: 'clear', adverseMedia: 'clear', checkedAt: now } as const;
  const verified = { type: 'verified', expiresAt: now + 9, ...clear } as const;

  it('counts a match of the person, of the entity and of a party that was handed in alike', () => {
    const kindOf = (finding: Parameters<typeof weighed>[0], parties: readonly string[] = []) =>
      findingKindOf(weighed(finding, { now, needsPerson: false, parties, isLater: true }), parties);
    expect(kindOf(verified)).toBe('verified');
    expect(kindOf({ ...verified, sanctions: 'match' })).toBe('listed');
    expect(kindOf({ ...verified, adverseMedia: 'match' })).toBe('review');
    expect(kindOf({ type: 'refused', reason: 'x', ...clear, sanctions: 'match' })).toBe('refused_listed');
    const parties = [{ party: '1', ...verified, sanctions: 'match' }] as const;
    expect(kindOf({ ...verified, parties }, ['1'])).toBe('listed');
    expect(kindOf({ ...verified, parties }, ['2'])).toBe('verified');
    expect(kindOf({ type: 'pending' })).toBe('pending');
  });

  it('says nothing against an approval by what a later word leaves out, and ends it as soon as that word does', () => {
    const later = { now, needsPerson: true, parties: ['1'], isLater: true };
    expect(weighed({ ...verified, expiresAt: now - 1 }, later)).toMatchObject({ type: 'verified', expiresAt: now - 1 });
    expect(weighed({ ...verified, sanctions: 'unchecked' }, later).type).toBe('verified');
    const party = { party: '1', ...clear } as const;
    expect(
      weighed({ ...verified, parties: [{ ...party, type: 'verified', expiresAt: now + 2 }] }, later),
    ).toMatchObject({ expiresAt: now + 2 });
    expect(weighed({ ...verified, parties: [{ ...party, type: 'review', reason: 'x' }] }, later).type).toBe('review');
  });
});
