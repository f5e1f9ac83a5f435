import { eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, users } from '../schema/accounts.ts';

/** Who holds a trading account. */
export interface Holder {
  readonly userId: string;
  readonly name: string;
}

/** @throws Error for an account without a holder: callers have been authenticated as its user */
export async function readHolder(db: Database, account: string): Promise<Holder> {
  const row = await db
    .select({ userId: users.id, name: users.name })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(eq(accounts.id, account))
    .get();
  if (row === undefined) throw new Error(`account ${account} has no user`);
  return row;
}
