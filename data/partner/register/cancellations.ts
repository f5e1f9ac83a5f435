import { sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';

/** Shares of a holder that may end now: registered, and of one with an account available there. */
export async function freeShares(db: Database, security: string, holder: string): Promise<number> {
  const row = await db.get<{ free: number }>(sql`
    SELECT iif(h.account IS NULL, r.shares, min(r.shares, coalesce(b.available, 0))) AS free
    FROM register_holders h JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
      LEFT JOIN balances b ON b.account = h.account AND b.asset = h.security
    WHERE h.security = ${security} AND h.id = ${holder}`);
  return row?.free ?? 0;
}

/**
 * Whether all that an account has of a security is what this agent has issued to it since, less what it has cancelled, and none of it was traded: then a cancellation mends
 * a mistake, and takes nothing that the holder has from elsewhere.
 */
export async function hasOwnIssuesAlone(
  db: Database,
  { security, holder, agent }: { readonly security: string; readonly holder: string; readonly agent: string },
  since: number,
): Promise<boolean> {
  const row = await db.get<{ alone: number }>(sql`
    SELECT coalesce((SELECT b.available + b.held FROM balances b WHERE b.account = h.account AND b.asset = h.security), 0) = (
        SELECT coalesce(sum(c.shares), 0) FROM register_changes c JOIN register_events e ON e.id = c.event
        WHERE c.holder = h.id AND e.state = 'recorded' AND e.recorded_at >= CAST(${since} AS INTEGER)
          AND e.agent = ${agent} AND e.type IN ('issuance', 'import', 'cancellation'))
      AND NOT EXISTS (SELECT 1 FROM trades t JOIN securities s ON s.market = t.book
        WHERE s.id = h.security AND t.buyer = h.account AND t.executed_at >= CAST(${since} AS INTEGER))
      AND NOT EXISTS (SELECT 1 FROM trades t JOIN securities s ON s.market = t.book
        WHERE s.id = h.security AND t.seller = h.account AND t.executed_at >= CAST(${since} AS INTEGER)) AS alone
    FROM register_holders h WHERE h.security = ${security} AND h.id = ${holder}`);
  return row?.alone === 1;
}
