import { database } from '../../data/database.ts';
import { databaseBytes, listStoreSizes, noteDatabaseSize, noteStoreSize } from '../../data/jobs/database-size.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { growthOf, type StoreBounds, type StoreGrowth, storeBounds } from '../../domain/limits/store-growth.ts';
import { log } from '../../durable-objects/log/log.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';

type WatchEnv = LedgerEnv & Pick<Env, 'EVENTS_DB'> & Partial<Pick<Env, 'STORE_GB_MAX' | 'REGISTERS_STOP_GB'>>;

/** What is watched: the two databases of D1, and the object that keeps most for good. */
const STORES = {
  exchange: (env: WatchEnv) => databaseBytes(env.DB),
  events: (env: WatchEnv) => databaseBytes(env.EVENTS_DB),
  ledger: async (env: WatchEnv) => {
    const status = await askLedger(env, (ledger) => ledger.status());
    const bound = status?.bounds.find((each) => each.bound === 'store_bytes');
    if (bound === undefined) throw new Error('the ledger does not say how large it is');
    return bound.used;
  },
} as const;

type Store = keyof typeof STORES;
type Measures = Readonly<Record<Store, (env: WatchEnv) => Promise<number>>>;

const DEFAULT_BOUNDS = storeBounds(undefined, undefined) as StoreBounds;

/**
 * Every five minutes: looks how large each store is, writes it down, tells it as a line of the log, and stops registers from filling the database of the
 * exchange before orders have to stop. A store that does not say leaves the others be.
 *
 * @throws AggregateError of what failed, after all was tried
 */
export async function watchDatabase(env: WatchEnv, now: number, measures: Measures = STORES): Promise<void> {
  const stated = storeBounds(env.STORE_GB_MAX, env.REGISTERS_STOP_GB);
  if (stated === null)
    log('error', 'STORE_GB_MAX and REGISTERS_STOP_GB are no two sizes: 10 and 8 GB count', {
      store_gb_max: env.STORE_GB_MAX,
      registers_stop_gb: env.REGISTERS_STOP_GB,
    });
  const bounds = stated ?? DEFAULT_BOUNDS;
  const db = database(env.DB);
  const failures: unknown[] = [];
  for (const store of Object.keys(STORES) as Store[]) {
    try {
      const bytes = await measures[store](env);
      if (store === 'exchange') await noteDatabaseSize(db, { bytes, stopBytes: bounds.stopFrom, now });
      await noteStoreSize(db, { store, bytes, bytesMax: bounds.bytesMax, now });
      tell(store, bytes, bounds);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some stores do not say how large they are');
}

function tell(store: Store, bytes: number, { bytesMax, warnedFrom, stopFrom }: StoreBounds): void {
  log('info', 'store_size', { store, bytes, bytes_max: bytesMax });
  const facts = { store, bytes, bytes_max: bytesMax, registers_stop_at: stopFrom };
  if (bytes < warnedFrom) return;
  if (bytes < stopFrom) log('warn', 'the database fills', facts);
  else if (store === 'exchange') log('error', 'the database is nearly full: registers take no rows', facts);
  else log('error', 'a store is nearly full', facts);
}

export interface WatchedStore extends StoreGrowth {
  readonly store: string;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly seenAt: number;
}

/** Days by which growth is told. */
const GROWTH_DAYS = 7;

/** Each store as it was last looked at, with what the last days have added. */
export async function readWatchedStores(env: Pick<Env, 'DB'>, now: number): Promise<WatchedStore[]> {
  const sizes = await listStoreSizes(database(env.DB), now - (GROWTH_DAYS + 1) * DAY_MS);
  return Object.entries(Object.groupBy(sizes, ({ store }) => store)).flatMap(([store, seen = []]) => {
    const last = seen.at(-1);
    if (last === undefined) return [];
    const { bytes, bytesMax, seenAt } = last;
    return { store, bytes, bytesMax, seenAt, ...growthOf(seen, bytesMax) };
  });
}
