import { describe, expect, test } from 'vitest';
import { decideClaim, KEPT_MS, type KeyRecord, LEASE_MS } from './claim-decision.ts';

const CLAIMED_AT = 1_800_000_000_000;
const RUNNING: KeyRecord = {
  requestHash: 'h',
  resourceId: 'r',
  claimId: 'r',
  claimedAt: CLAIMED_AT,
  released: false,
  answer: null,
};
const ANSWERED: KeyRecord = { ...RUNNING, answer: { status: 201, body: '{}' } };

const decide = (record: KeyRecord | null, after_ms: number, claim = {}) =>
  decideClaim(record, { key: 'k', requestHash: 'h', claimId: 'other', ...claim }, CLAIMED_AT + after_ms);

describe('a claim of an Idempotency-Key', () => {
  test('takes a key that nobody holds, under its own id', () => {
    expect(decide(null, 0)).toEqual({ type: 'take', resourceId: 'other' });
  });

  test('takes a key again 24 h later, whatever it stood for', () => {
    expect(decide(ANSWERED, KEPT_MS)).toEqual({ type: 'answered', status: 201, body: '{}' });
    expect(decide(ANSWERED, KEPT_MS + 1, { requestHash: 'i' })).toEqual({ type: 'take', resourceId: 'other' });
  });

  test.each([
    ['running', RUNNING] as const,
    ['released', { ...RUNNING, released: true }] as const,
    ['answered', ANSWERED] as const,
  ])('with another request is a conflict when the first is %s', (_, record) => {
    expect(decide(record, LEASE_MS, { requestHash: 'i' })).toEqual({ type: 'conflict' });
  });

  test('finds the first one running until its lease is over, then takes its place under its id', () => {
    expect(decide(RUNNING, LEASE_MS - 1)).toEqual({ type: 'in_flight' });
    expect(decide(RUNNING, LEASE_MS)).toEqual({ type: 'take', resourceId: 'r' });
  });

  test('takes the place of one that was released at once, under its id', () => {
    expect(decide({ ...RUNNING, released: true }, 0)).toEqual({ type: 'take', resourceId: 'r' });
  });

  test('that holds the key already is told so', () => {
    expect(decide({ ...RUNNING, claimId: 'other' }, LEASE_MS)).toEqual({ type: 'claimed', resourceId: 'r' });
  });
});
