import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import type { OrderRefusal } from './order-refusals.ts';

export interface RefusalFilter {
  /** Of this organization alone; null for all. */
  readonly owner: string | null;
  readonly rule: string | null;
  readonly account: string | null;
  /** Asset id. */
  readonly asset: string | null;
  /** The last row of the page before. */
  readonly before: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

/** Refused orders, newest first. */
export function listRefusals(db: Database, filter: RefusalFilter): Promise<OrderRefusal[]> {
  const { owner, rule, account, asset, before, limit } = filter;
  const conditions: SQL[] = [
    sql`true`,
    ...(owner === null ? [] : [sql`owner = ${owner}`]),
    ...(rule === null ? [] : [sql`rule = ${rule}`]),
    ...(account === null ? [] : [sql`account = ${account}`]),
    ...(asset === null ? [] : [sql`asset = ${asset}`]),
    ...(before === null ? [] : [sql`(at < ${before.at} OR (at = ${before.at} AND id < ${before.id}))`]),
  ];
  return db.all<OrderRefusal>(sql`
    SELECT id, account, owner, user_id AS userId, key_id AS keyId, action, order_id AS orderId, asset, book, code, rule, facts, count, at
    FROM order_refusals WHERE ${sql.join(conditions, sql` AND `)} ORDER BY at DESC, id DESC LIMIT ${limit}`);
}

export interface RefusedByRule {
  readonly rule: string;
  readonly refusals: number;
  readonly accounts: number;
}

/** How often each rule has refused on a UTC day, the most frequent first. A day has a bounded number of rows (order-refusals.ts). */
export function countRefusalsByRule(db: Database, owner: string | null, day: number): Promise<RefusedByRule[]> {
  return db.all<RefusedByRule>(sql`
    SELECT rule, sum(count) AS refusals, count(DISTINCT account) AS accounts FROM order_refusals
    WHERE at >= ${day} AND at < ${day + DAY_MS} AND ${owner === null ? sql`true` : sql`owner = ${owner}`}
    GROUP BY rule ORDER BY refusals DESC, rule`);
}
