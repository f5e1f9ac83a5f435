import { sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';

/** Shares of a holder that may end now: registered, and of one with an account available there. None of an account that is frozen, as D1 shows it. */
export async function freeShares(db: Database, security: string, holder: string): Promise<number> {
  const row = await db.get<{ free: number }>(sql`
    SELECT CASE WHEN h.account IS NULL THEN r.shares WHEN a.frozen THEN 0 ELSE min(r.shares, coalesce(b.available, 0)) END AS free
    FROM register_holders h JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
      LEFT JOIN accounts a ON a.id = h.account
      LEFT JOIN balances b ON b.account = h.account AND b.asset = h.security
    WHERE h.security = ${security} AND h.id = ${holder}`);
  return row?.free ?? 0;
}

/**
 * Whether all that an account has of a security is what this agent has issued to it since, less what it has cancelled, and none of it was traded: then a cancellation mends
 * a mistake, and takes nothing that the holder has from elsewhere. Where they had any before, or have got or lost any by another event since, such as a split, there is no
 * telling one share from another. Nothing at once of an account that is frozen.
 */
export async function hasOwnIssuesAlone(
  db: Database,
  { security, holder, agent }: { readonly security: string; readonly holder: string; readonly agent: string },
  since: number,
): Promise<boolean> {
  const from = sql`CAST(${since} AS INTEGER)`;
  const lines = sql`register_changes c JOIN register_events e ON e.id = c.event WHERE c.holder = h.id AND e.state = 'recorded'`;
  const isOwn = sql`(e.agent IS ${agent} AND e.type IN ('issuance', 'import', 'cancellation'))`;
  const isOther = sql`NOT ${isOwn}`;
  const row = await db.get<{ alone: number }>(sql`
    SELECT coalesce((SELECT b.available + b.held FROM balances b WHERE b.account = h.account AND b.asset = h.security), 0) = (
        SELECT coalesce(sum(c.shares), 0) FROM ${lines} AND e.recorded_at >= ${from} AND ${isOwn})
      AND (SELECT coalesce(sum(c.shares), 0) FROM ${lines} AND e.recorded_at < ${from}) = 0
      AND NOT EXISTS (SELECT 1 FROM ${lines} AND e.recorded_at >= ${from} AND ${isOther})
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = h.account AND a.frozen)
      AND NOT EXISTS (SELECT 1 FROM trades t JOIN securities s ON s.market = t.book
        WHERE s.id = h.security AND t.buyer = h.account AND t.executed_at >= ${from})
      AND NOT EXISTS (SELECT 1 FROM trades t JOIN securities s ON s.market = t.book
        WHERE s.id = h.security AND t.seller = h.account AND t.executed_at >= ${from}) AS alone
    FROM register_holders h WHERE h.security = ${security} AND h.id = ${holder}`);
  return row?.alone === 1;
}
