import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import type { orderRefusals } from '../schema.ts';
import { sqlBatch } from '../sql-batch.ts';

export type OrderRefusal = Readonly<typeof orderRefusals.$inferSelect>;

/** Refusals of an account that are recorded in full, of one UTC day. Beyond them each rule's are counted. */
const REFUSALS_PER_DAY_MAX = 1_000;

const REFUSALS_PER_BATCH = 50;

/** Records refusals in one batch; one that is there already stays as it is. */
export async function recordRefusals(db: Database, refusals: readonly Omit<OrderRefusal, 'count'>[]): Promise<void> {
  for (let from = 0; from < refusals.length; from += REFUSALS_PER_BATCH)
    await sqlBatch(db, refusals.slice(from, from + REFUSALS_PER_BATCH).flatMap(statementsOf));
}

/** Deletes refusals from before a time, `limit` at most; says how many. */
export async function deleteRefusalsBefore(db: Database, time: number, limit: number): Promise<number> {
  const deleted = await db.all(sql`
    DELETE FROM order_refusals WHERE id IN (SELECT id FROM order_refusals WHERE at < ${time} LIMIT ${limit}) RETURNING 1`);
  return deleted.length;
}

function statementsOf(refusal: Omit<OrderRefusal, 'count'>): SQL[] {
  const { id, account, owner, userId, keyId, action, orderId, asset, book, code, rule, facts, at } = refusal;
  const day = at - (at % DAY_MS);
  const recorded = sql`
    (SELECT count(*) FROM (SELECT 1 FROM order_refusals WHERE account = ${account} AND at >= ${day} AND at < ${day + DAY_MS}
                           LIMIT ${REFUSALS_PER_DAY_MAX}))`;
  const columns = sql`(id, account, owner, user_id, key_id, action, order_id, asset, book, code, rule, facts, count, at)`;
  return [
    sql`
      INSERT INTO order_refusals ${columns}
      SELECT ${id}, ${account}, ${owner}, ${userId}, ${keyId}, ${action}, ${orderId}, ${asset}, ${book}, ${code}, ${rule},
             ${facts}, 1, ${at}
      WHERE ${recorded} < ${REFUSALS_PER_DAY_MAX} ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO order_refusals ${columns}
      SELECT ${`${account}.${day}.${rule}`}, ${account}, ${owner}, ${userId}, ${keyId}, ${action}, ${orderId}, NULL, NULL, ${code},
             ${rule}, '{}', 1, ${at}
      WHERE NOT EXISTS (SELECT 1 FROM order_refusals WHERE id = ${id})
      ON CONFLICT DO UPDATE SET count = count + 1, order_id = excluded.order_id, at = excluded.at`,
  ];
}
