import { expect, test } from 'vitest';
import type { AccreditationRecord, Verification } from './accreditation-queries.ts';
import { isInForce, isWaiting, standingEnd, standingOf } from './standing.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const record = (change: Partial<AccreditationRecord>) =>
  ({ kind: 'third_party', endedAt: null, expiresAt: '2027-02-01T00:00:00Z', ...change }) as AccreditationRecord;

test('a verification by a third party and an own statement stand for different things; what has run out for nothing', () => {
  expect(standingOf({ accreditationStatus: 'completed', accreditationType: '506c' })).toBe('verified');
  expect(standingOf({ accreditationStatus: 'completed', accreditationType: '506b' })).toBe('self');
  expect(standingOf({ accreditationStatus: 'expired', accreditationType: '506c' })).toBe('none');
});

test('a record holds until its end, and not once it was ended', () => {
  expect(isInForce(record({}), NOW)).toBe(true);
  expect(isInForce(record({ expiresAt: '2026-11-30T12:00:00Z' }), NOW)).toBe(false);
  expect(isInForce(record({ endedAt: '2026-11-01T00:00:00Z' }), NOW)).toBe(false);
});

test('a standing lasts as long as the last record that it rests on', () => {
  const records = [
    record({}),
    record({ expiresAt: '2027-03-01T00:00:00Z' }),
    record({ expiresAt: '2031-01-01T00:00:00Z', endedAt: '2026-11-01T00:00:00Z' }),
    record({ kind: 'self_attestation', expiresAt: null }),
  ];
  expect(standingEnd(records, 'verified', NOW)).toBe('2027-03-01T00:00:00Z');
  expect(standingEnd(records, 'self', NOW)).toBeNull();
  expect(standingEnd(records, 'none', NOW)).toBeNull();
});

test('another verification waits for the one that is under way', () => {
  const all = (...states: Verification['state'][]) => states.map((state) => ({ state }) as Verification);
  expect([isWaiting(all('VERIFIED', 'REFUSED')), isWaiting(all('IN_REVIEW')), isWaiting(all('REQUESTED'))]).toEqual([
    false,
    true,
    true,
  ]);
});
