import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import type { Role } from './principal.ts';
import { sessionEnd, tokenSeconds } from './session.ts';
import { VENUE_OWNER } from './venue.ts';

const of = (owner: string, ...roles: Role[]) => ({ owner, roles });

describe('I-10: a session', () => {
  it('ends after 30 days, of whoever holds a power after 12 hours', () => {
    expect(sessionEnd(1_000, of('org', 'trader'))).toBe(1_000 + 30 * DAY_MS);
    expect(sessionEnd(1_000, of('org'))).toBe(1_000 + 30 * DAY_MS);
    expect(sessionEnd(1_000, of(VENUE_OWNER, 'trader', 'operator'))).toBe(1_000 + 12 * HOUR_MS);
  });

  it.each(['operator', 'access_manager', 'auditor', 'event_admin', 'transfer_agent'] as const)(
    'of %s is the short one, in any organization',
    (role) => {
      expect(sessionEnd(0, of('org', 'trader', role))).toBe(12 * HOUR_MS);
    },
  );

  it('lets no access token outlive it', () => {
    expect(tokenSeconds(DAY_MS, 0, 7_200)).toBe(7_200);
    expect(tokenSeconds(90_500, 30_000, 7_200)).toBe(60);
    expect(tokenSeconds(1_000, 2_000, 7_200)).toBe(0);
  });
});
