import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { keyOrderNotionals } from './schema.ts';

/** What an order asks of its API key's daily notional limit. Amounts are scaled quote units. */
export interface NotionalReservation {
  readonly orderId: string;
  readonly keyId: string;
  /** Days since the Unix epoch, UTC. */
  readonly day: number;
  readonly notional: number;
  readonly limit: number;
}

/**
 * Counts an order's notional against its key's day if it fits, in one statement, so that orders at the same time never pass together
 * what one of them alone would fill. An order that is counted already
 * counts the most that was ever asked for it: an amendment that lowers it may yet be refused.
 *
 * @returns what was still free when it did not fit, or null when it did
 */
export async function reserveKeyNotional(db: Database, reservation: NotionalReservation): Promise<number | null> {
  const { orderId, keyId, day, notional, limit } = reservation;
  const used = usedBy(keyId, day, orderId);
  const [row] = await db.all<{ orderId: string }>(sql`
    INSERT INTO key_order_notionals (order_id, key_id, day, notional)
    SELECT ${orderId}, ${keyId}, ${day}, ${notional} WHERE ${used} + ${notional} <= ${limit}
    ON CONFLICT (order_id) DO UPDATE SET notional = max(notional, excluded.notional)
    RETURNING order_id AS orderId`);
  if (row !== undefined) return null;
  return Math.max(0, limit - (await readUsed(db, used)));
}

/** Forgets an order that was never placed. */
export async function releaseKeyNotional(db: Database, orderId: string): Promise<void> {
  await db.delete(keyOrderNotionals).where(eq(keyOrderNotionals.orderId, orderId));
}

/** What a key's orders of a day count: open ones whole, final ones what they have filled. */
export async function usedKeyNotional(db: Database, keyId: string, day: number): Promise<number> {
  return readUsed(db, usedBy(keyId, day, ''));
}

async function readUsed(db: Database, used: SQL): Promise<number> {
  const [row] = await db.all<{ used: number }>(sql`SELECT ${used} AS used`);
  return row?.used ?? 0;
}

/** An order that has no row yet is on its way to its book. */
function usedBy(keyId: string, day: number, exceptOrder: string): SQL {
  return sql`(SELECT coalesce(SUM(CASE WHEN o.open = 0 THEN o.filled_notional ELSE n.notional END), 0)
    FROM key_order_notionals n LEFT JOIN orders o ON o.id = n.order_id
    WHERE n.key_id = ${keyId} AND n.day = ${day} AND n.order_id <> ${exceptOrder})`;
}
