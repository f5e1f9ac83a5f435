import { DAY_MS } from '../calendar/durations.ts';

/** What the end of an API key goes by; Unix milliseconds. */
export interface KeyAge {
  /** As its owner has set it; null for none. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  /** When its secret was replaced last; null where it has its first one. */
  readonly secretAt: number | null;
}

/**
 * When a key ends by itself; null for never. The venue's maximum counts from the secret: another secret begins it anew, and moves no end that
 * the owner has set.
 *
 * @param daysMax the venue's maximum; null for none
 */
export function keyEnd({ expiresAt, createdAt, secretAt }: KeyAge, daysMax: number | null): number | null {
  const byVenue = daysMax === null ? null : (secretAt ?? createdAt) + daysMax * DAY_MS;
  if (expiresAt === null || byVenue === null) return expiresAt ?? byVenue;
  return Math.min(expiresAt, byVenue);
}

/** Why a key may not be made with this end; null where it may. */
export function keyEndFailure(
  expiresAt: number | null,
  daysMax: number | null,
  now: number,
): 'past' | 'beyond_maximum' | null {
  if (expiresAt === null) return null;
  if (expiresAt <= now) return 'past';
  return daysMax !== null && expiresAt > now + daysMax * DAY_MS ? 'beyond_maximum' : null;
}

/** The venue's maximum as it is configured: whole days, empty for none. @throws RangeError of anything else */
export function keyDaysMax(setting: string): number | null {
  if (setting === '') return null;
  if (!/^[1-9]\d{0,3}$/.test(setting)) throw new RangeError('API_KEY_DAYS_MAX is no whole number of days');
  return Number(setting);
}

/** Day of a moment as a key's last use is kept: days since 1970, UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
