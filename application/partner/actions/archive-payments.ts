import { orderStore } from '../../../data/orders/archive/order-store.ts';
import {
  type ArchiveSizes,
  archivePaymentsStep,
  listDueDividends,
} from '../../../data/partner/actions/archive/archive-payments.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';

/**
 * What is new is asked for most: until the year in which it was paid has ended and its Form TA-2 is due (31 March, at most 455 days later;
 * 17 CFR 240.17Ac2-2). Nothing is taken back by then.
 */
const ARCHIVED_AFTER_DAYS = 500;
/** Work of one run: an object is three calls to storage, and one dividend of 100,000 holders is fifty. */
const STEPS_MAX = 60;
const ACTIONS_MAX = 20;

/**
 * Hourly: payments of dividends of long ago leave D1 for the archive, dividend by dividend; nothing deletes them there. What is left over waits for the next
 * run; a dividend that cannot be archived holds up no other.
 *
 * @throws AggregateError of what failed, after all was tried
 */
export async function archivePayments(
  env: Pick<Env, 'DB' | 'ORDER_ARCHIVE'>,
  now = Date.now(),
  sizes?: ArchiveSizes,
): Promise<void> {
  const store = orderStore(env);
  const failures: unknown[] = [];
  let steps = STEPS_MAX;
  for (const { id } of await listDueDividends(store.db, now - ARCHIVED_AFTER_DAYS * DAY_MS, ACTIONS_MAX)) {
    try {
      for (let isDone = false; !isDone; steps--) {
        if (steps === 0) break;
        isDone = await archivePaymentsStep(store, { action: id, now }, sizes);
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some payments could not be archived');
}
