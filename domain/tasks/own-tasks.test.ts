import { expect, test } from 'vitest';
import { IDENTITY_STATES } from '../onboarding/identity-state.ts';
import { type TaskFacts, tasksOf } from './own-tasks.ts';

const NOW = 1_000 * 86_400_000;
const DAYS = 86_400_000;
const NOTHING: TaskFacts = {
  isKnown: true,
  identity: { state: 'APPROVED', updatedAt: 1, expiresAt: null },
  accreditation: { status: 'none', endsAt: null },
  recovery: null,
  deposits: [],
};
const kinds = (change: Partial<TaskFacts>) => tasksOf({ ...NOTHING, ...change }, NOW).map(({ kind }) => kind);

test('nothing waits for who is known and has asked for nothing', () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ identity: null })).toEqual([]);
  expect(kinds({ identity: null, isKnown: false })).toEqual(['identity_open']);
});

test('an identity waits for its person where it was given back, ran out or was not handed in, and not while others have it', () => {
  const of = (state: NonNullable<TaskFacts['identity']>['state'], isKnown = true) =>
    kinds({ isKnown, identity: { state, updatedAt: 1, expiresAt: null } });
  expect(of('DRAFT')).toEqual(['identity_open']);
  expect(of('ASKED_BACK')).toEqual(['identity_asked_back']);
  expect(of('EXPIRED')).toEqual(['identity_expired']);
  expect(of('REFUSED')).toEqual(['identity_refused']);
  expect([...of('SUBMITTED'), ...of('IN_REVIEW')]).toEqual([]);
});

test('who counts as nobody known is told so in every state of their identity, since every order is refused', () => {
  for (const state of IDENTITY_STATES) {
    const told = kinds({ isKnown: false, identity: { state, updatedAt: 1, expiresAt: NOW + DAYS } });
    expect([state, told.filter((kind) => kind.startsWith('identity_')).length]).toEqual([state, 1]);
  }
  const of = (state: (typeof IDENTITY_STATES)[number]) =>
    kinds({ isKnown: false, identity: { state, updatedAt: 1, expiresAt: null } });
  expect([of('SUBMITTED'), of('IN_REVIEW')]).toEqual([['identity_in_review'], ['identity_in_review']]);
  expect(of('APPROVED')).toEqual(['identity_not_counted']);
});

test('what ends within 30 days is told with its end', () => {
  const ends = (days: number) => ({
    identity: { state: 'APPROVED', updatedAt: 1, expiresAt: NOW + days * DAYS } as const,
    accreditation: { status: 'completed', endsAt: NOW + days * DAYS } as const,
  });
  expect(kinds(ends(31))).toEqual([]);
  expect(tasksOf({ ...NOTHING, ...ends(30) }, NOW).map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
    ['identity_ends', NOW + 30 * DAYS],
    ['accreditation_ends', NOW + 30 * DAYS],
  ]);
  expect(kinds({ accreditation: { status: 'expired', endsAt: null } })).toEqual(['accreditation_expired']);
});

test('what may be an attack comes first, and each deposit names its request', () => {
  const all = tasksOf(
    {
      isKnown: false,
      identity: { state: 'ASKED_BACK', updatedAt: 1, expiresAt: null },
      accreditation: { status: 'expired', endsAt: null },
      recovery: { askedAt: 5, dueAt: 9 },
      deposits: [{ id: 'a', createdAt: 3 }],
    },
    NOW,
  );
  expect(all[0]).toEqual({ kind: 'factor_recovery', subject: null, since: 5, dueAt: 9 });
  expect(all.at(-1)).toEqual({ kind: 'deposit_awaited', subject: 'a', since: 3, dueAt: null });
});
