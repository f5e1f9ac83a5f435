import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';

/** From the first try of a message until it is given up, and its endpoint with it. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;

/** Waits after the first tries that failed; after each later one the last. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
] as const;
const LAST_WAIT_MS = 6 * HOUR_MS;
/** So that receivers which failed together are not called together: a wait is up to so much shorter or longer. */
const JITTER = 0.2;

export interface FailedTries {
  /** At least one. */
  readonly tries: number;
  /** Unix milliseconds. */
  readonly firstTriedAt: number;
}

/**
 * When a message that failed is tried again; null once it is given up. The last try comes when the three days are over, not later.
 *
 * @param random of [0, 1)
 */
export function nextTryAt({ tries, firstTriedAt }: FailedTries, now: number, random: number): number | null {
  const end = firstTriedAt + GIVE_UP_AFTER_MS;
  if (now >= end) return null;
  const wait_ms = WAITS_MS[tries - 1] ?? LAST_WAIT_MS;
  return Math.min(end, now + Math.round(wait_ms * (1 - JITTER + 2 * JITTER * random)));
}
