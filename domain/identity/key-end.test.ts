import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { dayOf, keyDaysMax, keyEnd, keyEndFailure } from './key-end.ts';

const key = (terms: { expiresAt?: number; secretAt?: number } = {}) => ({
  expiresAt: terms.expiresAt ?? null,
  createdAt: 1_000,
  secretAt: terms.secretAt ?? null,
});

describe('I-18: the end of an API key', () => {
  it('is none where nobody has set one', () => {
    expect(keyEnd(key(), null)).toBeNull();
  });

  it('is the one of its owner, or the one of the venue where that is earlier', () => {
    expect(keyEnd(key({ expiresAt: 5_000 }), null)).toBe(5_000);
    expect(keyEnd(key({ expiresAt: 5_000 }), 1)).toBe(5_000);
    expect(keyEnd(key({ expiresAt: 9 * DAY_MS }), 1)).toBe(1_000 + DAY_MS);
    expect(keyEnd(key(), 90)).toBe(1_000 + 90 * DAY_MS);
  });

  it('of the venue counts from the secret, and moves no end of the owner', () => {
    expect(keyEnd(key({ secretAt: 2 * DAY_MS }), 1)).toBe(3 * DAY_MS);
    expect(keyEnd(key({ secretAt: 2 * DAY_MS, expiresAt: 2 * DAY_MS + 1 }), 1)).toBe(2 * DAY_MS + 1);
  });

  it('lies ahead, and within the maximum', () => {
    expect(keyEndFailure(null, 1, 0)).toBeNull();
    expect(keyEndFailure(1_000, null, 1_000)).toBe('past');
    expect(keyEndFailure(1_001, null, 1_000)).toBeNull();
    expect(keyEndFailure(DAY_MS, 1, 0)).toBeNull();
    expect(keyEndFailure(DAY_MS + 1, 1, 0)).toBe('beyond_maximum');
  });

  it('has a maximum of whole days, or none', () => {
    expect(keyDaysMax('')).toBeNull();
    expect(keyDaysMax('365')).toBe(365);
    for (const setting of ['0', '-1', '1.5', 'x', '99999']) expect(() => keyDaysMax(setting)).toThrow(RangeError);
  });

  it('knows days by UTC', () => {
    expect([dayOf(DAY_MS - 1), dayOf(DAY_MS)]).toEqual([0, 1]);
  });
});
