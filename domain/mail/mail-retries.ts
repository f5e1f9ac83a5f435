import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';

/** Waits between the tries of a mail; after the last of them it is given up. */
const WAITS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];

/** No provider puts off a mail for longer. */
const RETRY_AFTER_MS_MAX = 4 * HOUR_MS;

interface FailedTry {
  /** Tries so far, this one among them. */
  readonly attempts: number;
  readonly now: number;
  /** When the provider asks for it; null where it does not say. */
  readonly retryAt: number | null;
  readonly goodUntil: number;
}

/** When a mail is tried again, Unix milliseconds; null where it is given up. */
export function nextTryOfMail({ attempts, now, retryAt, goodUntil }: FailedTry): number | null {
  const wait_ms = WAITS_MS[attempts - 1];
  if (wait_ms === undefined) return null;
  const asked = Math.min(retryAt ?? 0, now + RETRY_AFTER_MS_MAX);
  const at = Math.max(now + wait_ms, asked);
  return at <= goodUntil ? at : null;
}
