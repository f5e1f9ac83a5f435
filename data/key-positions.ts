import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { sqlBatch } from './sql-batch.ts';
import { tradeIdsFrom } from './trade-ids-from.ts';

export const DAY_MS = 86_400_000;
/** Fills of a day have settled this long after its end. */
const SETTLED_AFTER_MS = 60_000;

interface Key {
  readonly account: string;
  readonly keyId: string;
}

/**
 * The last day, in days since the Unix epoch, for which it is kept what the fills of a key's orders had come to when it began; 0 for
 * none. That is worked out once a day from the last time and the fills since, so that no day reads a key's whole history again.
 */
export async function lastKeyDay(db: Database, key: Key, now: number): Promise<number> {
  const today = Math.floor(now / DAY_MS);
  const [row] = await db.all<{ day: number | null }>(
    sql`SELECT MAX(day) AS day FROM key_positions WHERE key_id = ${key.keyId} AND day <= ${today}`,
  );
  const last = row?.day ?? 0;
  if (last === today || now - today * DAY_MS < SETTLED_AFTER_MS) return last;
  await keepPositions(db, key, { last, today });
  return today;
}

/** The row of market '' says that the day has been worked out, for a key that had nothing. */
function keepPositions(
  db: Database,
  { account, keyId }: Key,
  { last, today }: { readonly last: number; readonly today: number },
): Promise<unknown> {
  const from = tradeIdsFrom(last * DAY_MS);
  const to = tradeIdsFrom(today * DAY_MS);
  return sqlBatch(db, [
    sql`
      INSERT OR IGNORE INTO key_positions (key_id, day, book, quantity)
      SELECT ${keyId}, ${today}, book, SUM(quantity) FROM (
        SELECT book, quantity FROM key_positions WHERE key_id = ${keyId} AND day = ${last}
        UNION ALL
        SELECT t.book, t.quantity FROM trades t LEFT JOIN orders o ON o.id = t.buy_order
 LEFT JOIN traded_orders d ON d.id = t.buy_order
        WHERE t.buyer = ${account} AND t.id >= ${from} AND t.id < ${to} AND coalesce(o.key_id, d.key_id) = ${keyId}
        UNION ALL
        SELECT t.book, -t.quantity FROM trades t LEFT JOIN orders o ON o.id = t.sell_order
 LEFT JOIN traded_orders d ON d.id = t.sell_order
        WHERE t.seller = ${account} AND t.id >= ${from} AND t.id < ${to} AND coalesce(o.key_id, d.key_id) = ${keyId}
        UNION ALL
        SELECT '', 0)
      GROUP BY book`,
    sql`DELETE FROM key_positions WHERE key_id = ${keyId} AND day < ${today}`,
  ]);
}
