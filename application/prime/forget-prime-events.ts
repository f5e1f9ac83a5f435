import { database } from '../../data/database.ts';
import { deletePrimeEvents } from '../../data/prime/prime-events.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';

/** An event is known so long. Later its sender cannot mean it, and the book that has it knows its execution. */
const KNOWN_MS = 30 * DAY_MS;
const FORGOTTEN_PER_STEP = 5_000;
const STEPS_MAX = 50;

/** Hourly: forgets webhooks of long ago, 70 a second at most. What no book took stays; what is left over waits for the next hour. */
export async function forgetPrimeEvents(env: Env, now_ms = Date.now()): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const forgotten = await deletePrimeEvents(database(env.DB), now_ms - KNOWN_MS, FORGOTTEN_PER_STEP);
    if (forgotten < FORGOTTEN_PER_STEP) return;
  }
}
