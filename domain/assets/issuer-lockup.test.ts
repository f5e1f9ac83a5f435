import { describe, expect, test } from 'vitest';
import { lockupFailure } from './issuer-lockup.ts';

describe('a lock-up of the issuer', () => {
  test('refuses every sell before its end, by name, and no buy', () => {
    expect(lockupFailure('sell', { lockupEndsAt: 10 }, 9)).toEqual({
      reason: 'resale_restricted',
      restrictionEndsAt: 10,
      rules: ['issuer_lockup'],
    });
    expect(lockupFailure('buy', { lockupEndsAt: 10 }, 9)).toBeNull();
  });

  test('refuses nothing from its end on, or where there is none', () => {
    expect(lockupFailure('sell', { lockupEndsAt: 10 }, 10)).toBeNull();
    expect(lockupFailure('sell', { lockupEndsAt: null }, 9)).toBeNull();
  });
});
