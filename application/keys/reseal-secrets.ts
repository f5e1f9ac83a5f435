import { database } from '../../data/database.ts';
import { rewrapTenantKeys } from '../../data/events/keys/r2-scope-keys.ts';
import { masterKeysOf } from '../../data/keys/master-keys.ts';
import { resealRows, SEALED_TABLES, type SealingSecret } from '../../data/keys/sealed-tables.ts';
import type { Rewrapped } from '../../data/keys/wrapped-keys.ts';
import { rewrapPersonKeys } from '../../data/onboarding/person-keys.ts';
import { log } from '../../durable-objects/log/log.ts';

export type MasterKeyEnv = Pick<
  Env,
  'DB' | 'EVENT_KEYS' | 'IDENTITY_KEYS' | SealingSecret | 'EVENTS_MASTER_KEY' | 'IDENTITY_MASTER_KEYS'
>;

/** Of a table in one invocation: each takes a statement, and an invocation has a thousand. */
const ROWS_MAX = 150;

/**
 * Every hour while a secret states more than one master key: what an older one has sealed is sealed under the newest
 * (docs/design/keys.md). What is left over, or cut off, waits for the next run.
 *
 * @returns whether there may be more to do at once
 */
export async function resealSecrets(env: MasterKeyEnv): Promise<boolean> {
  const db = database(env.DB);
  let hasMore = false;
  for (const sealed of SEALED_TABLES) {
    const stated = env[sealed.under];
    if (!(await isBeingReplaced(stated))) continue;
    const { count, closed } = await resealRows(db, sealed, stated, ROWS_MAX);
    if (count > 0) log('info', 'sealed anew', { table: sealed.table, count });
    if (closed.length > 0) log('error', 'no stated key opens these rows', { table: sealed.table, ids: closed });
    hasMore ||= count > 0 && count + closed.length >= ROWS_MAX;
  }
  if (await isBeingReplaced(env.EVENTS_MASTER_KEY))
    hasMore = (await rewrapAll((after) => rewrapTenantKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY, after))) || hasMore;
  if (await isBeingReplaced(env.IDENTITY_MASTER_KEYS))
    hasMore =
      (await rewrapAll((after) => rewrapPersonKeys(env.IDENTITY_KEYS, env.IDENTITY_MASTER_KEYS, after))) || hasMore;
  return hasMore;
}

/** One page of keys that need it: pages without one cost a listing alone. @returns whether there may be more */
async function rewrapAll(rewrap: (after: string | null) => Promise<Rewrapped>): Promise<boolean> {
  let after: string | null = null;
  do {
    const { count, closed, next }: Rewrapped = await rewrap(after);
    if (closed.length > 0) log('error', 'no stated key opens these keys', { count: closed.length });
    if (count > 0) log('info', 'keys wrapped anew', { count });
    if (count > 0 && next !== null) return true;
    after = next;
  } while (after !== null);
  return false;
}

async function isBeingReplaced(stated: string): Promise<boolean> {
  return (await masterKeysOf(stated)).length > 1;
}
