import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { endedByTime, isFreshFactor, isToBeRenewed, termOf } from './session-term.ts';

describe('the term of a session of the console', () => {
  it('ends 30 minutes after its last use, to the millisecond', () => {
    const session = { createdAt: 0, usedAt: HOUR_MS };
    expect(endedByTime(session, HOUR_MS + 30 * MINUTE_MS - 1)).toBeNull();
    expect(endedByTime(session, HOUR_MS + 30 * MINUTE_MS)).toBe('idle');
  });

  it('ends 12 hours after signing in, however much it is used', () => {
    const session = { createdAt: 0, usedAt: 12 * HOUR_MS - 1 };
    expect(endedByTime(session, 12 * HOUR_MS - 1)).toBeNull();
    expect(endedByTime(session, 12 * HOUR_MS)).toBe('too_old');
    expect(termOf(session)).toEqual({ idleUntil: 12 * HOUR_MS, endsAt: 12 * HOUR_MS });
  });
});

describe('the factor of a sign-in', () => {
  it('is no older than the sign-in, but for a clock that goes a little otherwise', () => {
    expect([isFreshFactor(HOUR_MS, HOUR_MS), isFreshFactor(HOUR_MS - 9_000, HOUR_MS)]).toEqual([true, true]);
    expect(isFreshFactor(HOUR_MS - MINUTE_MS, HOUR_MS)).toBe(false);
  });
});

describe('an access token', () => {
  it('is renewed five minutes before its end', () => {
    const token = { expiresAt: 2 * HOUR_MS, lifeMs: 2 * HOUR_MS };
    expect(isToBeRenewed(token, 2 * HOUR_MS - 5 * MINUTE_MS - 1)).toBe(false);
    expect(isToBeRenewed(token, 2 * HOUR_MS - 5 * MINUTE_MS)).toBe(true);
  });

  it('of a short life is renewed half of it before its end, not at each request', () => {
    const token = { expiresAt: 4 * MINUTE_MS, lifeMs: 4 * MINUTE_MS };
    expect([isToBeRenewed(token, 0), isToBeRenewed(token, 2 * MINUTE_MS)]).toEqual([false, true]);
  });
});
