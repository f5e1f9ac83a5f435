import { describe, expect, test } from 'vitest';
import {
  type CheckKind,
  type CheckStatus,
  type ComplianceCheck,
  checksOf,
  complianceFailure,
  factsFollowing,
  INVESTOR_TYPES,
  type InvestorType,
  statusAt,
} from './compliance.ts';

const now = Date.parse('2026-06-15T00:00:00Z');
const END = now + 1;

const record = (type: InvestorType, other: Partial<Record<CheckKind, CheckStatus>> = {}): ComplianceCheck[] =>
  checksOf(type).map((kind) => {
    const status = other[kind] ?? 'passed';
    return { kind, status, expiresAt: status === 'passed' ? END : null };
  });

test('a business is checked as a business, too; a person is not', () => {
  expect(checksOf('individual')).not.toContain('kyb');
  expect(checksOf('entity')).toEqual([
    ...checksOf('individual').slice(0, 1),
    'kyb',
    ...checksOf('individual').slice(1),
  ]);
});

test('a check that has passed is over from its end on, and so is one without an end', () => {
  expect(statusAt({ status: 'passed', expiresAt: END }, now)).toBe('passed');
  expect(statusAt({ status: 'passed', expiresAt: now }, now)).toBe('expired');
  expect(statusAt({ status: 'passed', expiresAt: null }, now)).toBe('expired');
  expect(statusAt({ status: 'failed', expiresAt: null }, now)).toBe('failed');
});

describe('an order', () => {
  test('passes when every check of its investor has', () => {
    for (const type of INVESTOR_TYPES) expect(complianceFailure(type, record(type), true, now)).toBeNull();
  });

  test.each(checksOf('entity').flatMap((check) => (['pending', 'failed', 'expired'] as const).map((s) => [check, s])))(
    'is stopped by %s that is %s',
    (check, status) => {
      const stopped = { check: check as CheckKind, status: status as CheckStatus };
      expect(complianceFailure('entity', record('entity', { [check]: status }), true, now)).toEqual(stopped);
    },
  );

  test('is stopped by a check that was never made, and by one that ends this very moment', () => {
    const without = record('individual').filter(({ kind }) => kind !== 'transaction_monitoring');
    expect(complianceFailure('individual', without, false, now)).toEqual({
      check: 'transaction_monitoring',
      status: 'pending',
    });
    expect(complianceFailure('individual', record('individual'), false, END)).toEqual({
      check: 'kyc',
      status: 'expired',
    });
  });

  test('needs accreditation alone where accredited investors alone may buy', () => {
    const checks = record('individual', { accreditation: 'failed' });
    expect(complianceFailure('individual', checks, false, now)).toBeNull();
    expect(complianceFailure('individual', checks, true, now)).toEqual({ check: 'accreditation', status: 'failed' });
  });
});

describe('the facts of an account', () => {
  const factsOf = (other: Partial<Record<CheckKind, CheckStatus>>, at = now) =>
    factsFollowing('entity', record('entity', other), at);

  test('say that identity is verified while every check but accreditation stands', () => {
    expect(factsOf({})).toEqual({ kycStatus: 'completed' });
    expect(factsOf({ accreditation: 'failed' })).toEqual({ kycStatus: 'completed' });
    for (const kind of checksOf('entity').filter((each) => each !== 'accreditation'))
      expect(factsOf({ [kind]: 'pending' }), kind).toEqual({ kycStatus: 'pending' });
    expect(factsOf({}, END)).toEqual({ kycStatus: 'pending' });
  });

  test('say rejected where the person or the business could not be identified', () => {
    expect(factsOf({ kyc: 'failed' })).toEqual({ kycStatus: 'rejected' });
    expect(factsOf({ kyb: 'failed' })).toEqual({ kycStatus: 'rejected' });
  });

  test('freeze for sanctions and suspicion, and never thaw', () => {
    expect(factsOf({ sanctions_screening: 'failed' })).toEqual({ kycStatus: 'pending', frozen: true });
    expect(factsOf({ transaction_monitoring: 'failed' })).toEqual({ kycStatus: 'pending', frozen: true });
    expect(factsOf({ adverse_media_screening: 'failed' })).toEqual({ kycStatus: 'pending' });
    expect(factsOf({})).not.toHaveProperty('frozen');
  });
});
