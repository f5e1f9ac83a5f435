import { and, eq, gt, sql } from 'drizzle-orm';
import type { AccountTerms, ComplianceFacts } from '../../domain/accounts/account.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { accounts, users } from '../schema/accounts.ts';
import { assets } from '../schema/catalog.ts';
import { balances } from '../schema/ledger.ts';
import type { User } from './organizations.ts';

export type AccountRow = typeof accounts.$inferSelect;

/** Stores a user and the trading account that is theirs, whole; what stands under these ids is left as it is. */
export async function openAccount(db: Database, user: User, account: AccountTerms): Promise<void> {
  await db.batch([
    db.insert(users).values(user).onConflictDoNothing({ target: users.id }),
    db
      .insert(accounts)
      .values({ ...account, owner: user.owner, userId: user.id, createdAt: user.createdAt })
      .onConflictDoNothing({ target: accounts.id }),
  ]);
}

/** Stores a user and their account for an operator, written down; false where the id or the phone number is taken. */
export function registerUser(
  db: Database,
  user: User,
  account: { readonly id: string } & ComplianceFacts,
  action: OperatorAction,
): Promise<boolean> {
  const { id, owner, phone, email, name, service = false, createdAt } = user;
  const roles = JSON.stringify(user.roles);
  return createOnce(db, {
    action,
    type: 'operator.user_created',
    subject: id,
    after: { ...user, account },
    now: createdAt,
    conflict: sql`SELECT 1 FROM users WHERE id = ${id} OR phone = ${phone}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO users (id, owner, phone, email, name, roles, service, created_at)
          SELECT ${id}, ${owner}, ${phone}, ${email}, ${name}, ${roles}, ${service ? 1 : 0}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
      sql`INSERT INTO accounts (id, owner, user_id, kyc_status, accreditation_status, accreditation_type, us_person, annual_income,
                                net_worth, frozen, created_at)
          SELECT ${account.id}, ${owner}, ${id}, ${account.kycStatus}, ${account.accreditationStatus},
                 ${account.accreditationType}, ${account.usPerson ? 1 : 0}, ${account.annualIncome}, ${account.netWorth},
                 ${account.frozen ? 1 : 0}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
}

/** The account under this id, boundary accounts included, or null. */
export async function findAccount(db: Database, id: string): Promise<AccountRow | null> {
  return (await db.select().from(accounts).where(eq(accounts.id, id)).get()) ?? null;
}

/** The trading account of a user, or null; of a partner's investor with several the first. */
export async function findAccountOfUser(db: Database, userId: string): Promise<AccountRow | null> {
  const found = db.select().from(accounts).where(eq(accounts.userId, userId)).orderBy(accounts.id).limit(1);
  return (await found.get()) ?? null;
}

/** The accounts under these ids; unknown ones are left out. */
export function findAccounts(db: Database, ids: readonly string[]): Promise<AccountRow[]> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return db.select().from(accounts).where(sql`${accounts.id} IN ${wanted}`);
}

/** Trading accounts by id, of one organization or (null) of all, after the last one of the page before. */
export async function listAccounts(
  db: Database,
  {
    owner,
    frozen,
    after,
    limit,
  }: {
    readonly owner: string | null;
    /** Null for either. */
    readonly frozen: boolean | null;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<AccountRow[]> {
  return db
    .select()
    .from(accounts)
    .where(
      and(
        eq(accounts.boundary, false),
        owner === null ? undefined : eq(accounts.owner, owner),
        // A literal, so that the partial index accounts_frozen serves it.
        frozen === null ? undefined : sql`${accounts.frozen} = ${sql.raw(frozen ? '1' : '0')}`,
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
