import { eq } from 'drizzle-orm';
import type { AccountTerms } from '../domain/accounts/account.ts';
import type { Database } from './database.ts';
import type { User } from './organizations.ts';
import { accounts, users } from './schema.ts';

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

/** The trading account of a user, or null. */
export async function findAccountOfUser(db: Database, userId: string): Promise<AccountRow | null> {
  return (await db.select().from(accounts).where(eq(accounts.userId, userId)).get()) ?? null;
}
