import { deleteRefusalsBefore } from '../../data/compliance/order-refusals.ts';
import { database } from '../../data/database.ts';
import { addMonths } from '../../domain/calendar/add-months.ts';

/** Six years, as records of transactions are kept (17 CFR 240.17a-4(a)). */
const KEPT_MONTHS = 72;
const DELETED_PER_STEP = 5_000;
const STEPS_MAX = 20;

/** Hourly: refusals are kept for six years. What is left over waits for the next hour. */
export async function expireRefusals(env: Env, now = Date.now()): Promise<void> {
  const before = addMonths(now, -KEPT_MONTHS);
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await deleteRefusalsBefore(database(env.DB), before, DELETED_PER_STEP)) < DELETED_PER_STEP) return;
  }
}
