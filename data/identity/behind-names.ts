import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';
import { sqlBatch } from '../sql-batch.ts';

/** Names that go into one batch, at most. */
const NAMES_AT_ONCE_MAX = 1_000;

/**
 * Accounts and users behind what a call names by ids: whose request to pay in or out it is, who has bought and sold in a trade, whose order, or report of a
 * broker on it, for whom a client speaks, whose key it is and who has made it for them, who pays a corporate action, whose transfer of the bridge, identity or request for a verification it is, both people of a family relation, and whom a case of surveillance is about. By what D1 shows.
 */
export async function behindNames(db: Database, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const part of listParts([...new Set(names)], NAMES_AT_ONCE_MAX)) {
    const named = sql`json_each(${JSON.stringify(part)})`;
    const answers = await sqlBatch<{ readonly name: string | null }[][]>(db, [
      sql`SELECT r.account AS name FROM ${named} n CROSS JOIN transfer_requests r ON r.id = n.value`,
      sql`SELECT t.buyer AS name FROM ${named} n CROSS JOIN trades t ON t.id = n.value`,
      sql`SELECT t.seller AS name FROM ${named} n CROSS JOIN trades t ON t.id = n.value`,
      sql`SELECT o.account AS name FROM ${named} n CROSS JOIN orders o ON o.id = n.value`,
      sql`
        SELECT o.account AS name FROM ${named} m CROSS JOIN ${named} n
          CROSS JOIN broker_breaks b ON b.book = m.value AND b.id = n.value CROSS JOIN orders o ON o.id = b.order_id`,
      sql`SELECT c.user_id AS name FROM ${named} n CROSS JOIN oauth_clients c ON c.id = n.value`,
      sql`SELECT k.user_id AS name FROM ${named} n CROSS JOIN api_keys k ON k.id = n.value`,
      sql`SELECT k.account AS name FROM ${named} n CROSS JOIN api_keys k ON k.id = n.value`,
      sql`SELECT k.made_by AS name FROM ${named} n CROSS JOIN api_keys k ON k.id = n.value`,
      sql`SELECT b.account AS name FROM ${named} n CROSS JOIN bridge_transfers b ON b.id = n.value`,
      sql`SELECT i.user_id AS name FROM ${named} n CROSS JOIN identities i ON i.id = n.value`,
      sql`SELECT v.account AS name FROM ${named} n CROSS JOIN accreditation_verifications v ON v.id = n.value`,
      sql`SELECT f.account AS name FROM ${named} n CROSS JOIN family_relations f ON f.id = n.value`,
      sql`SELECT f.relative AS name FROM ${named} n CROSS JOIN family_relations f ON f.id = n.value`,
      sql`
        SELECT p.value AS name FROM ${named} n CROSS JOIN surveillance_cases s ON s.id = n.value CROSS JOIN json_each(s.people) p`,
      sql`SELECT a.payment_account AS name FROM ${named} n CROSS JOIN corporate_actions a ON a.id = n.value`,
    ]);
    found.push(...answers.flat().flatMap(({ name }) => name ?? []));
  }
  return found;
}

/** Ids of all accounts of these users. */
export async function accountsOfUsers(db: Database, userIds: readonly string[]): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT a.id FROM json_each(${JSON.stringify(userIds)}) u CROSS JOIN accounts a ON a.user_id = u.value`,
  ]);
  return rows.map(({ id }) => id);
}
