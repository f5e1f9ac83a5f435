import { describe, expect, test } from 'vitest';
import { CHECK_KINDS } from './compliance.ts';
import { readScreening } from './read-screening.ts';
import { decidedBy } from './screening.ts';
import { simulatedScreening } from './simulated-screening.ts';

const DAY_MS = 86_400_000;
const now = Date.parse('2026-06-15T00:00:00Z');

describe('what a provider has found decides a check', () => {
  const endOf = (expiresAt: number | null, kind: (typeof CHECK_KINDS)[number]) => {
    const decided = decidedBy({ type: 'passed', checkedAt: now, expiresAt }, kind, now);
    return decided.ok ? decided.value.expiresAt : decided.error;
  };

  test('which ends when its kind does, or earlier where the provider says so', () => {
    expect(endOf(null, 'kyc')).toBe(now + 365 * DAY_MS);
    expect(endOf(null, 'sanctions_screening')).toBe(now + 30 * DAY_MS);
    expect(endOf(now + 900 * DAY_MS, 'accreditation')).toBe(now + 90 * DAY_MS);
    expect(endOf(now + DAY_MS, 'kyb')).toBe(now + DAY_MS);
  });

  test('not where it is of the future, or over by now', () => {
    expect(decidedBy({ type: 'passed', checkedAt: now + 60_001, expiresAt: null }, 'kyc', now)).toEqual({
      ok: false,
      error: 'in_the_future',
    });
    expect(endOf(now, 'kyc')).toBe('ended');
    expect(
      decidedBy({ type: 'passed', checkedAt: now - 31 * DAY_MS, expiresAt: null }, 'sanctions_screening', now),
    ).toEqual({ ok: false, error: 'ended' });
  });

  test('with the time of ours where the clock of the provider is ahead', () => {
    expect(decidedBy({ type: 'failed', reason: 'listed', checkedAt: now + 1_000 }, 'kyc', now)).toEqual({
      ok: true,
      value: { status: 'failed', checkedAt: now, expiresAt: null, reason: 'listed' },
    });
  });
});

test.each([
  [{ id: 'a', status: 'pending' }, { type: 'pending' }],
  [
    { id: 'a', status: 'failed', reason: 'on a list', checkedAt: '2026-06-15T00:00:00Z' },
    { type: 'failed', reason: 'on a list', checkedAt: now },
  ],
  [
    { id: 'a', status: 'passed', checkedAt: '2026-06-15T00:00:00Z', expiresAt: '2026-06-16T00:00:00Z' },
    { type: 'passed', checkedAt: now, expiresAt: now + DAY_MS },
  ],
  [
    { id: 'a', status: 'passed', checkedAt: '2026-06-15T00:00:00Z' },
    { type: 'passed', checkedAt: now, expiresAt: null },
  ],
])('a provider is understood: %o', (told, finding) => {
  expect(readScreening(told)).toEqual({ reference: 'a', finding });
});

test.each([
  null,
  'passed',
  { status: 'passed', checkedAt: '2026-06-15T00:00:00Z' },
  { id: 'a', status: 'passed' },
  { id: 'a', status: 'cleared', checkedAt: '2026-06-15T00:00:00Z' },
  { id: 'a', status: 'passed', checkedAt: '2026-06-15T00:00:00Z', expiresAt: 'never' },
  { id: 'x'.repeat(501), status: 'pending' },
])('anything else is not: %o', (told) => {
  expect(readScreening(told)).toBeNull();
});

test('the simulated provider goes by the last word of the name, and always says the same', () => {
  const failing = (name: string) => CHECK_KINDS.filter((kind) => simulatedScreening(kind, name, now).type === 'failed');
  expect(failing('Ada Winters')).toEqual([]);
  expect(failing('Ada Unidentified')).toEqual(['kyc']);
  expect(failing('Winters Unregistered')).toEqual(['kyb']);
  expect(failing('ada SANCTIONED ')).toEqual(['sanctions_screening']);
  expect(failing('Ada Notorious')).toEqual(['adverse_media_screening']);
  expect(failing('Ada Suspicious')).toEqual(['transaction_monitoring']);
  expect(failing('Ada Unaccredited')).toEqual(['accreditation']);
  expect(simulatedScreening('kyc', 'Ada Undecided', now)).toEqual({ type: 'pending' });
});
