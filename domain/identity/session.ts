import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { holdsAnyPower } from './powers.ts';
import type { Principal } from './principal.ts';

/** From a sign-in to its end, which refreshing does not move (NIST SP 800-63B, 4.1.3 and 4.2.3). */
export const SESSION_MS = 30 * DAY_MS;
/** Of whoever may do something to others or to the venue, or destroys what cannot be brought back. */
const SESSION_OF_POWER_MS = 12 * HOUR_MS;

/** Roles that hold no power over the venue's people, and may destroy what is others': whole events, whole registers. */
const DESTROYING_ROLES = ['event_admin', 'transfer_agent'] as const;

/**
 * When a session ends. By the roles of now: who is given a power meanwhile has the shorter one.
 *
 * @param begunAt when somebody signed in, Unix milliseconds
 */
export function sessionEnd(begunAt: number, holder: Pick<Principal, 'roles' | 'owner'>): number {
  const isShort = holdsAnyPower(holder) || DESTROYING_ROLES.some((role) => holder.roles.includes(role));
  return begunAt + (isShort ? SESSION_OF_POWER_MS : SESSION_MS);
}

/** Seconds that an access token which is made now is good for: no longer than its session. */
export function tokenSeconds(sessionEndsAt: number, now: number, lifetime_s: number): number {
  return Math.max(0, Math.min(lifetime_s, Math.floor((sessionEndsAt - now) / 1_000)));
}
