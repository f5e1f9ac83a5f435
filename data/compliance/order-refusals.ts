import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { COMPLIANCE_RULES, isComplianceRule, type RefusalRuleName } from '../../domain/order-entry/refusal-rules.ts';
import type { Database } from '../database.ts';
import type { orderRefusals } from '../schema/compliance.ts';
import { sqlBatch } from '../sql-batch.ts';

export type OrderRefusal = Readonly<typeof orderRefusals.$inferSelect>;

/** Refusals that are recorded in full, of one UTC day. Beyond them each rule's of an account are counted, in one row. */
const IN_FULL = {
  /** By rules of compliance, of an account. */
  compliance: 100,
  /** By any other rule, of an account and that rule. */
  other: 10,
  /** Of all accounts together. */
  venue: 20_000,
} as const;

const REFUSALS_PER_BATCH = 50;

/**
 * Records refusals in one batch; one that is there already stays as it is.
 *
 * @param venueMax how many of a day are recorded in full, of all accounts together
 */
export async function recordRefusals(
  db: Database,
  refusals: readonly Omit<OrderRefusal, 'count'>[],
  venueMax: number = IN_FULL.venue,
): Promise<void> {
  for (let from = 0; from < refusals.length; from += REFUSALS_PER_BATCH)
    await sqlBatch(
      db,
      refusals.slice(from, from + REFUSALS_PER_BATCH).flatMap((refusal) => statementsOf(refusal, venueMax)),
    );
}

/** Deletes refusals from before a time, `limit` at most; says how many. */
export async function deleteRefusalsBefore(db: Database, time: number, limit: number): Promise<number> {
  const deleted = await db.all(sql`
    DELETE FROM order_refusals WHERE id IN (SELECT id FROM order_refusals WHERE at < ${time} LIMIT ${limit}) RETURNING 1`);
  return deleted.length;
}

function statementsOf(refusal: Omit<OrderRefusal, 'count'>, venueMax: number): SQL[] {
  const { id, account, owner, userId, keyId, action, orderId, asset, book, code, rule, facts, at } = refusal;
  const day = at - (at % DAY_MS);
  const isCompliance = isComplianceRule(rule as RefusalRuleName);
  const rules = JSON.stringify(isCompliance ? COMPLIANCE_RULES : [rule]);
  const most = isCompliance ? IN_FULL.compliance : IN_FULL.other;
  const recorded = sql`
    (SELECT count(*) FROM (SELECT 1 FROM order_refusals WHERE account = ${account} AND at >= ${day} AND at < ${day + DAY_MS}
                             AND rule IN (SELECT value FROM json_each(${rules})) LIMIT ${most}))`;
  // Rows are numbered as they come, so that nobody counts those of a day.
  const ofDay = sql`
    coalesce((SELECT max(rowid) FROM order_refusals)
             - (SELECT rowid FROM order_refusals WHERE at >= ${day} ORDER BY at LIMIT 1) + 1, 0)`;
  const columns = sql`(id, account, owner, user_id, key_id, action, order_id, asset, book, code, rule, facts, count, at)`;
  return [
    sql`
      INSERT INTO order_refusals ${columns}
      SELECT ${id}, ${account}, ${owner}, ${userId}, ${keyId}, ${action}, ${orderId}, ${asset}, ${book}, ${code}, ${rule},
             ${facts}, 1, ${at}
      WHERE ${recorded} < ${most} AND ${ofDay} < ${venueMax} ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO order_refusals ${columns}
      SELECT ${`${account}.${day}.${rule}`}, ${account}, ${owner}, ${userId}, ${keyId}, ${action}, ${orderId}, NULL, NULL, ${code},
             ${rule}, '{}', 1, ${at}
      WHERE NOT EXISTS (SELECT 1 FROM order_refusals WHERE id = ${id})
      ON CONFLICT DO UPDATE SET count = count + 1, order_id = excluded.order_id, at = excluded.at`,
  ];
}
