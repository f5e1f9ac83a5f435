import { deleteToolCallDaysBefore, deleteToolCallsBefore } from '../../data/audit/trail/tool-calls.ts';
import { database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';

/** Calls of agents' tools are kept so long. */
const KEPT_MS = 30 * DAY_MS;
/** Numbers of calls of a day serve that day alone. */
const DAYS_KEPT = 2;
const DELETED_PER_STEP = 5_000;
const STEPS_MAX = 50;

/** Hourly: forgets calls of agents' tools after 30 days. What is left over waits for the next hour. */
export async function forgetToolCalls(env: Env, now_ms = Date.now()): Promise<void> {
  const db = database(env.DB);
  const today = Math.floor(now_ms / DAY_MS);
  const before = firstIdOf(now_ms - KEPT_MS);
  for (let step = 0; step < STEPS_MAX; step++) {
    const calls = await deleteToolCallsBefore(db, before, DELETED_PER_STEP);
    const days = await deleteToolCallDaysBefore(db, today - DAYS_KEPT, DELETED_PER_STEP);
    if (calls < DELETED_PER_STEP && days < DELETED_PER_STEP) return;
  }
}

/** No UUIDv7 of this time or later is below it. */
function firstIdOf(time_ms: number): string {
  const hex = time_ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
