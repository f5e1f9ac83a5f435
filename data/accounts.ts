import { and, eq, gt } from 'drizzle-orm';
import type { AccountTerms } from '../domain/accounts/account.ts';
import type { Database } from './database.ts';
import type { User } from './organizations.ts';
import { accounts, assets, balances, users } from './schema.ts';

export type AccountRow = typeof accounts.$inferSelect;

/** Stores a user and the trading account that is theirs, whole; what stands under these ids is left as it is. */
export async function openAccount(db: Database, user: User, account: AccountTerms): Promise<void> {
  await db.batch([
    db
      .insert(users)
      .values({ ...user, roles: JSON.stringify(user.roles) })
      .onConflictDoNothing({ target: users.id }),
    db
      .insert(accounts)
      .values({ ...account, owner: user.owner, userId: user.id, createdAt: user.createdAt })
      .onConflictDoNothing({ target: accounts.id }),
  ]);
}

/** The account under this id, boundary accounts included, or null. */
export async function findAccount(db: Database, id: string): Promise<AccountRow | null> {
  return (await db.select().from(accounts).where(eq(accounts.id, id)).get()) ?? null;
}

/** Trading accounts by id, of one organization or (null) of all, after the last one of the page before. */
export async function listAccounts(
  db: Database,
  { owner, after, limit }: { readonly owner: string | null; readonly after: string | null; readonly limit: number },
): Promise<AccountRow[]> {
  return db
    .select()
    .from(accounts)
    .where(
      and(
        eq(accounts.boundary, false),
        owner === null ? undefined : eq(accounts.owner, owner),
        after === null ? undefined : gt(accounts.id, after),
      ),
    )
    .orderBy(accounts.id)
    .limit(limit);
}

export interface BalanceRow {
  readonly asset: string;
  readonly symbol: string;
  readonly scale: number;
  readonly available: number;
  readonly held: number;
}

/** Everything that an account has, by asset symbol, allowances included. */
export async function listBalances(db: Database, account: string): Promise<BalanceRow[]> {
  return db
    .select({
      asset: balances.asset,
      symbol: assets.symbol,
      scale: assets.scale,
      available: balances.available,
      held: balances.held,
    })
    .from(balances)
    .innerJoin(assets, eq(assets.id, balances.asset))
    .where(eq(balances.account, account))
    .orderBy(assets.symbol);
}
