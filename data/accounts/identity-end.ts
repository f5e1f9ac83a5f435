import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/**
 * Until when the identity of an account counts, Unix milliseconds; null for no end. What a person was approved by ends as the job `expire_identities` would end it, and what was decided, and the
 * account's facts do not follow yet, counts from the decision. An investor that an organization has introduced is known for as long as each of its checks is good, accreditation apart; one
 * that is not good any more ends it until the account's facts have followed.
 *
 * @param account the name under which the statement has the row of `accounts`
 */
export function identityEndOf(account: 'accounts' | 'a'): SQL<number | null> {
  const of = sql.raw(account);
  return sql`coalesce(
    (SELECT CASE WHEN i.state = 'APPROVED' THEN i.expires_at WHEN i.held_until IS NULL AND i.applied = 0 THEN i.decided_at ELSE i.held_until END
     FROM identities i WHERE i.user_id = ${of}.user_id AND i.account = ${of}.id),
    (SELECT min(CASE WHEN c.status = 'passed' THEN coalesce(c.expires_at, 0) WHEN c.applied = 0 THEN 0 END) FROM investor_checks c
     WHERE c.investor = ${of}.user_id AND c.kind <> 'accreditation'))`;
}

/** The ends of these accounts' identities; those without one are left out. */
export async function readIdentityEnds(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const [rows] = await sqlBatch<[{ id: string; endsAt: number | null }[]]>(db, [
    sql`SELECT a.id, ${identityEndOf('a')} AS endsAt FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN accounts a ON a.id = j.value`,
  ]);
  return new Map(rows.flatMap(({ id, endsAt }) => (endsAt === null ? [] : [[id, endsAt] as const])));
}
