import { archiveStep, readArchiveState, saveVisited } from '../../data/orders/archive/archive-step.ts';
import { deleteUnreferenced } from '../../data/orders/archive/delete-unreferenced.ts';
import { lookAtAccounts } from '../../data/orders/archive/due-accounts.ts';
import { type OrderStore, orderStore } from '../../data/orders/archive/order-store.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';

/** What is new is read most. */
const AFTER_DAYS_MIN = 2;
const AFTER_DAYS_MAX = 3_650;

/** Work of one run. */
interface RunBounds {
  /** Of data/orders/archive/archive-step.ts, five or six calls to storage each. */
  readonly stepsMax: number;
  /** Accounts that are looked at. */
  readonly accountsMax: number;
}

const RUN_BOUNDS: RunBounds = { stepsMax: 100, accountsMax: 1_000 };

/**
 * Every five minutes: moves orders that ended ORDER_ARCHIVE_AFTER_DAYS ago from D1 into the archive, account by account from where the
 * last run stopped. What is left over waits for the next one; an account that cannot be archived holds up no other.
 *
 * @throws AggregateError of what failed, after all was tried
 */
export async function archiveOrders(
  env: Pick<Env, 'DB' | 'ORDER_ARCHIVE' | 'ORDER_ARCHIVE_AFTER_DAYS'>,
  now = Date.now(),
  { stepsMax, accountsMax } = RUN_BOUNDS,
): Promise<void> {
  const store = orderStore(env);
  const endedBefore = now - archivedAfterMs(env);
  const { visited } = await readArchiveState(store.db);
  const accounts = await lookAtAccounts(store.db, { after: visited, endedBefore, limit: accountsMax });
  const failures: unknown[] = [];
  let steps = stepsMax;
  // Past the last account it begins anew.
  let seenTo = accounts.length < accountsMax ? '' : (accounts.at(-1)?.account ?? '');
  let previous = visited;
  for (const { account, due } of accounts) {
    if (steps === 0) {
      seenTo = previous;
      break;
    }
    if (due) {
      try {
        const taken = await archiveAccount(store, account, { endedBefore, now, stepsMax: steps });
        steps -= taken.steps;
        if (!taken.isDone) {
          seenTo = previous;
          break;
        }
      } catch (error) {
        steps -= 1;
        failures.push(error);
      }
    }
    previous = account;
  }
  await saveVisited(store.db, seenTo);
  await deleteUnreferenced(store, now);
  if (failures.length > 0) throw new AggregateError(failures, 'some orders could not be archived');
}

/** Whether all that is due of the account was archived, in so many steps. */
async function archiveAccount(
  store: OrderStore,
  account: string,
  { endedBefore, now, stepsMax }: { readonly endedBefore: number; readonly now: number; readonly stepsMax: number },
): Promise<{ readonly steps: number; readonly isDone: boolean }> {
  for (let steps = 1; steps <= stepsMax; steps++) {
    const outcome = await archiveStep(store, { account, endedBefore, now });
    // Another run is under way, or D1 is being rebuilt: this one leaves it to that.
    if (outcome.type === 'elsewhere') return { steps, isDone: false };
    if (outcome.moved === 0) return { steps, isDone: true };
  }
  return { steps: stepsMax, isDone: false };
}

/** @throws Error when the setting is no whole number of days in its bounds */
function archivedAfterMs({ ORDER_ARCHIVE_AFTER_DAYS: text }: Pick<Env, 'ORDER_ARCHIVE_AFTER_DAYS'>): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < AFTER_DAYS_MIN || days > AFTER_DAYS_MAX)
    throw new Error(`ORDER_ARCHIVE_AFTER_DAYS is ${text}, not ${AFTER_DAYS_MIN} to ${AFTER_DAYS_MAX}`);
  return days * DAY_MS;
}
