import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';

/** Accounts that one query names. */
const ACCOUNTS_PER_QUERY = 20_000;

/** Every account of the people whose accounts these are, each with its user id. Accounts of the venue itself are left out. */
export async function accountsOfPeopleWith(
  db: Database,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const part of listParts(accounts, ACCOUNTS_PER_QUERY)) {
    const rows = await db.all<{ id: string; userId: string }>(sql`
      SELECT id, user_id AS userId FROM accounts WHERE user_id IN (
        SELECT user_id FROM accounts WHERE id IN (SELECT value FROM json_each(${JSON.stringify(part)})))`);
    for (const { id, userId } of rows) found.set(id, userId);
  }
  return found;
}

/** Family of two accounts, as it was recorded at some time of a span. */
interface RecordedFamily {
  readonly account: string;
  readonly relative: string;
  readonly relationship: string;
}

export async function listFamilyAmong(
  db: Database,
  accounts: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RecordedFamily[]> {
  const found: RecordedFamily[] = [];
  for (const part of listParts(accounts, ACCOUNTS_PER_QUERY))
    found.push(
      ...(await db.all<RecordedFamily>(sql`
        SELECT f.account, f.relative, f.relationship FROM json_each(${JSON.stringify(part)}) a
        CROSS JOIN family_relations f ON f.account = a.value
        WHERE f.created_at < CAST(${to} AS INTEGER) AND (f.ended_at IS NULL OR f.ended_at > CAST(${from} AS INTEGER))`)),
    );
  return found;
}

/** Names of users, by id; one that there is not is left out. */
export async function namesOfUsers(db: Database, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.all<{ id: string; name: string }>(sql`
    SELECT id, name FROM users WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(userIds)])}))`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
