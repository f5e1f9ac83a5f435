import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { endedByTime, termOf } from './session-term.ts';

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
