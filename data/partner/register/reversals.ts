import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { recordStatements } from './register-events.ts';

/** Recorded transfers `i` whose trade was taken back afterwards, by the bust `a`, and whose reversal is not recorded. */
export const WAITING = sql`
  trade_adjustments a CROSS JOIN transfer_instructions i ON i.id = a.trade_id AND i.state = 'completed' AND a.type = 'bust'`;

/** The buyer is registered with what goes back. */
const IS_COVERED = sql`i.units <= coalesce((
  SELECT r.shares FROM register_holders h JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
  WHERE h.security = i.security AND h.account = i.buyer), 0)`;

/** No event of the security is under way. */
const IS_FREE = sql`
  NOT EXISTS (SELECT 1 FROM register_events o WHERE o.security = i.security AND o.state = 'announced')`;

/** What a security's reversals will move that are not recorded: `buyer`, `seller`, `units` as of a transfer from the seller to the buyer. */
export function waitingReversals(security: string): SQL {
  return sql`SELECT i.seller AS buyer, i.buyer AS seller, i.units FROM ${WAITING} WHERE i.security = ${security}`;
}

/** A reversal that the register takes as it stands. */
export interface DueReversal {
  /** Of the trade, and of the transfer that recorded it. */
  readonly trade: string;
  /** Of the bust: of its ledger transaction, and of the register's event. */
  readonly bust: string;
  readonly security: string;
}

/** In the order of their trades; of one security, or of all. Those whose buyer is registered with less are not among them. */
export function dueReversals(db: Database, security: string | null, count: number): Promise<DueReversal[]> {
  const isMeant = security === null ? sql`TRUE` : sql`i.security = ${security}`;
  return db.all<DueReversal>(sql`
    SELECT i.id AS trade, a.id AS bust, i.security FROM ${WAITING}
    WHERE ${isMeant} AND ${IS_FREE} AND ${IS_COVERED} ORDER BY i.id LIMIT ${count}`);
}

/**
 * Records a reversal: the register's event under the id of the bust, what both have, and the instruction, all of it or nothing. Nothing happens while
 * another event of the security is under way, or where the buyer is registered with less.
 */
export async function recordReversal(db: Database, { trade, bust, security }: DueReversal, now: number): Promise<void> {
  const isIn = (state: 'announced' | 'recorded'): SQL =>
    sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${bust} AND state = ${state})`;
  await sqlBatch(db, [
    sql`
      INSERT INTO register_events (id, security, type, state, hash, notes, actor, created_at)
      SELECT a.id, i.security, 'reversal', 'announced', '', a.reason,
        coalesce((SELECT payload ->> 'actor' FROM domain_events WHERE id = a.id), a.id), ${now}
      FROM ${WAITING} WHERE i.id = ${trade} AND a.id = ${bust} AND ${IS_FREE} AND ${IS_COVERED}
      ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO register_changes (event, line, security, holder, shares)
      SELECT ${bust}, l.column1, i.security, h.id, iif(l.column1 = 0, -i.units, i.units)
      FROM transfer_instructions i CROSS JOIN (VALUES (0), (1)) l
        JOIN register_holders h ON h.security = i.security AND h.account = iif(l.column1 = 0, i.buyer, i.seller)
      WHERE i.id = ${trade} AND ${isIn('announced')}
      ON CONFLICT (event, line) DO NOTHING`,
    ...recordStatements({ id: bust, security }, now),
    sql`
      UPDATE transfer_instructions SET state = 'reversed', ended_at = ${now}
      WHERE id = ${trade} AND state = 'completed' AND ${isIn('recorded')}`,
  ]);
}

/** A reversal that is not recorded. */
export interface WaitingReversal extends DueReversal {
  /** Accounts of the trade. */
  readonly buyer: string;
  readonly seller: string;
  readonly units: number;
  readonly reason: string;
}

/** Of a security, in the order of their trades. */
export function listWaitingReversals(db: Database, security: string, count: number): Promise<WaitingReversal[]> {
  return db.all<WaitingReversal>(sql`
    SELECT i.id AS trade, a.id AS bust, i.security, i.buyer, i.seller, i.units, a.reason FROM ${WAITING}
    WHERE i.security = ${security} ORDER BY i.id LIMIT ${count}`);
}

/** Securities of which several reversals wait, which may wait for each other; chance decides which come first, so none keeps back another. */
export async function securitiesWithWaitingReversals(db: Database, count: number): Promise<string[]> {
  const rows = await db.all<{ security: string }>(sql`
    SELECT i.security FROM ${WAITING} WHERE ${IS_FREE} GROUP BY i.security HAVING count(*) > 1 ORDER BY random() LIMIT ${count}`);
  return rows.map(({ security }) => security);
}

/** What accounts are registered with; who is not among them has nothing. */
export async function registeredWith(
  db: Database,
  security: string,
  accounts: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.all<{ account: string; shares: number }>(sql`
    SELECT h.account, r.shares FROM json_each(${JSON.stringify(accounts)}) j
      CROSS JOIN register_holders h ON h.security = ${security} AND h.account = j.value
      JOIN register_holdings r ON r.security = h.security AND r.holder = h.id`);
  return new Map(rows.map(({ account, shares }) => [account, shares]));
}
