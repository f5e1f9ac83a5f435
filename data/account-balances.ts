import { asc, desc, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { accounts, balances } from './schema.ts';

export interface AccountBalanceRow {
  readonly account: string;
  readonly asset: string;
  readonly available: number;
  readonly held: number;
  readonly cost: number;
}

/** Ids of accounts: the boundary accounts, then those opened last. */
export async function listAuditedAccounts(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .orderBy(desc(accounts.boundary), desc(accounts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Every balance of these accounts, as it stands in D1. */
export function listAccountBalances(db: Database, accountIds: readonly string[]): Promise<AccountBalanceRow[]> {
  return db
    .select({
      account: balances.account,
      asset: balances.asset,
      available: balances.available,
      held: balances.held,
      cost: balances.cost,
    })
    .from(balances)
    .where(sql`${balances.account} IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`)
    .orderBy(asc(balances.account), asc(balances.asset));
}
