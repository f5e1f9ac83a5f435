import { database } from '../../data/database.ts';
import { deletePrimeEvents } from '../../data/prime/prime-events.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';

/** An event is known so long. Later its sender cannot mean it, and the book that has it knows its execution. */
const KNOWN_MS = 30 * DAY_MS;
/** Of one run. */
const FORGOTTEN_MAX = 10_000;

/** Hourly: forgets webhooks of long ago. What no book took stays. */
export function forgetPrimeEvents(env: Env, now_ms = Date.now()): Promise<void> {
  return deletePrimeEvents(database(env.DB), now_ms - KNOWN_MS, FORGOTTEN_MAX);
}
