import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

/** Whose an account is. */
export interface AccountHolder {
  readonly userId: string;
  readonly name: string;
}

/** The people of these accounts, by account; one without a user is left out. */
export async function findAccountHolders(
  db: Database,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountHolder>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db.all<AccountHolder & { readonly account: string }>(sql`
    SELECT a.id AS account, u.id AS userId, u.name FROM accounts a JOIN users u ON u.id = a.user_id
    WHERE a.id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(accountIds)])}))`);
  return new Map(rows.map(({ account, ...holder }) => [account, holder]));
}
