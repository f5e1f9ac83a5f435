import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import type { UserRow } from './users.ts';

/**
 * Condition that the account of a user is being taken back from somebody else: a recovery that says `compromised` waits. Whatever makes a session, a token or a key for a user asks it in its own
 * statement, whichever door they come by.
 */
export function isTakenBack(userId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM factor_recoveries WHERE user_id = ${userId} AND state = 'waiting' AND compromised = 1)`;
}

/** Whether a user may still be given what they were read for: no kill switch was pulled since, they are active, and nobody takes their account back. */
export async function standsAsRead(
  db: Database,
  { id, tokensValidAfter }: Pick<UserRow, 'id' | 'tokensValidAfter'>,
): Promise<boolean> {
  const rows = await db.all(sql`
    SELECT 1 FROM users WHERE id = ${id} AND deactivated_at IS NULL AND tokens_valid_after = ${tokensValidAfter} AND NOT ${isTakenBack(sql`${id}`)}`);
  return rows.length === 1;
}

/** What is good for a user without them. */
export interface Held {
  /** API keys of theirs, and those that they have made for others. */
  readonly keys: number;
  /** Applications and agents that they have allowed something. */
  readonly applications: number;
  /** Machine clients that speak for them. */
  readonly clients: number;
}

export async function countHeld(db: Database, userId: string): Promise<Held> {
  const [row] = await db.all<Held>(sql`
    SELECT (SELECT count(*) FROM api_keys WHERE user_id = ${userId} AND status = 'active')
             + (SELECT count(*) FROM api_keys WHERE made_by = ${userId} AND user_id <> ${userId} AND status = 'active') AS keys,
           (SELECT count(*) FROM consents WHERE user_id = ${userId}) AS applications,
           (SELECT count(*) FROM oauth_clients
             WHERE user_id = ${userId} AND secret_hash IS NOT NULL AND revoked_at IS NULL AND waiting_since IS NULL) AS clients`);
  return row ?? { keys: 0, applications: 0, clients: 0 };
}

/** Users whose account is being taken back and who still have a key, or an order. */
export async function listNotYetEnded(db: Database, limit: number): Promise<string[]> {
  const rows = await db.all<{ readonly userId: string }>(sql`
    SELECT r.user_id AS userId FROM factor_recoveries r WHERE r.state = 'waiting' AND r.compromised = 1
      AND (EXISTS (SELECT 1 FROM api_keys k WHERE k.user_id = r.user_id AND k.status = 'active')
        OR EXISTS (SELECT 1 FROM api_keys k WHERE k.made_by = r.user_id AND k.status = 'active')
        OR EXISTS (SELECT 1 FROM accounts a JOIN orders o ON o.account = a.id WHERE a.user_id = r.user_id AND o.open = 1))
    ORDER BY r.due_at LIMIT CAST(${limit} AS INTEGER)`);
  return rows.map(({ userId }) => userId);
}
