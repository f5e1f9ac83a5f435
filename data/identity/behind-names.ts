import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';
import { sqlBatch } from '../sql-batch.ts';

/** Names that go into one batch, at most. */
const NAMES_AT_ONCE_MAX = 1_000;

/**
 * Accounts and users behind what a call names by ids: whose request to pay in or out it is, who has bought and sold in a trade, whose order, or report of a
 * broker on it, for whom a client speaks, who pays a corporate action. By what D1 shows.
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
      sql`SELECT a.payment_account AS name FROM ${named} n CROSS JOIN corporate_actions a ON a.id = n.value`,
    ]);
    found.push(...answers.flat().flatMap(({ name }) => name ?? []));
  }
  return found;
}
