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

/** A receiver that asks for more is called after so long all the same: its messages would be given up with it. */
const RETRY_AFTER_MAX_MS = DAY_MS;

/** A try that the schedule has at `at`, put off until the receiver asks for it: no longer than a day, nor beyond the last try. */
export function notBefore(at: number, asked: number | null, { firstTriedAt }: FailedTries, now: number): number {
  if (asked === null) return at;
  const latest = Math.min(now + RETRY_AFTER_MAX_MS, firstTriedAt + GIVE_UP_AFTER_MS);
  return Math.max(at, Math.min(asked, latest));
}

/** Seconds of RFC 9110, section 10.2.3. */
const DELAY_SECONDS = /^\d{1,10}$/;
/** A date of RFC 9110, section 5.6.7, in its current form and its two old ones, each of which names the day first. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** When an answer’s Retry-After asks to be called again, Unix ms; null where it says nothing that the RFC knows. */
export function retryAtOf(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_SECONDS.test(text)) return now + Number(text) * SECOND_MS;
  // The oldest form names no zone: it is in UTC, too.
  const at = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
