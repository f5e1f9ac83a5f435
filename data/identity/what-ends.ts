import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

export interface OpenOrders {
  readonly orders: number;
  /** Markets, and assets that are traded elsewhere, in which they stand. */
  readonly markets: number;
}

/** The open orders of an account, which a freeze cancels, as far as D1 shows them. */
export async function countOpenOrders(db: Database, account: string): Promise<OpenOrders> {
  return first(
    await db.all<OpenOrders>(sql`
      SELECT count(*) AS orders, count(DISTINCT coalesce(book, asset_id)) AS markets FROM orders
      WHERE account = ${account} AND open = 1`),
  );
}

/** The same of all accounts of a user, which a kill switch cancels. */
export async function countOpenOrdersOfUser(db: Database, userId: string): Promise<OpenOrders> {
  return first(
    await db.all<OpenOrders>(sql`
      SELECT count(*) AS orders, count(DISTINCT coalesce(o.book, o.asset_id)) AS markets FROM accounts a JOIN orders o ON o.account = a.id
      WHERE a.user_id = ${userId} AND o.open = 1`),
  );
}

/** Sessions of a user that are not over. */
export async function countSessions(db: Database, userId: string, now: number): Promise<number> {
  const [row] = await db.all<{ readonly sessions: number }>(sql`
    SELECT count(*) AS sessions FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL AND ends_at > ${now}`);
  return row?.sessions ?? 0;
}

function first([row]: readonly OpenOrders[]): OpenOrders {
  return row ?? { orders: 0, markets: 0 };
}
