import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { accounts } from '../schema/accounts.ts';
import { investors } from '../schema/investors.ts';
import type { StartedCheck } from './investor-checks.ts';

export type Investor = Readonly<typeof investors.$inferSelect>;

/** Investors of one organization, and accounts of one investor. */
export const INVESTORS_MAX = 10_000;
export const ACCOUNTS_MAX = 10;

/** Stores an investor, the user that it is, and the checks that are to be made, with who introduced it. False where the organization has as many as it may. */
export function registerInvestor(
  db: Database,
  investor: Investor,
  checks: readonly StartedCheck[],
  action: OperatorAction,
): Promise<boolean> {
  const { id, organization, name, accountType, country, usPerson, createdAt } = investor;
  return createOnce(db, {
    action,
    type: 'partner.investor_introduced',
    subject: id,
    after: { ...investor },
    now: createdAt,
    conflict: sql`SELECT 1 FROM investors WHERE organization = ${organization} AND id <> ${id} LIMIT 1 OFFSET ${INVESTORS_MAX - 1}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO users (id, owner, phone, email, name, roles, created_at)
          SELECT ${id}, ${organization}, NULL, '', ${name}, '[]', ${createdAt} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      sql`INSERT INTO investors (id, organization, name, account_type, country, us_person, created_at)
          SELECT ${id}, ${organization}, ${name}, ${accountType}, ${country}, ${usPerson ? 1 : 0}, ${createdAt}
          WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      ...checks.map(
        ({ kind, request, provider }) => sql`
          INSERT INTO investor_checks (investor, kind, status, request, request_provider, open, asked_at, applied)
          SELECT ${id}, ${kind}, 'pending', ${request}, ${provider}, 1, ${createdAt}, 1
          WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      ),
    ],
  });
}

/**
 * Opens an account of an investor, of which nothing is proven yet: what the compliance record makes of it follows. False where the investor has as many as it
 * may.
 */
export function registerInvestorAccount(
  db: Database,
  { id: investor, organization, usPerson }: Pick<Investor, 'id' | 'organization' | 'usPerson'>,
  account: { readonly id: string; readonly createdAt: number },
  action: OperatorAction,
): Promise<boolean> {
  const { id, createdAt } = account;
  return createOnce(db, {
    action,
    type: 'partner.account_opened',
    subject: id,
    after: { id, investor, organization },
    now: createdAt,
    conflict: sql`SELECT 1 FROM accounts WHERE user_id = ${investor} AND id <> ${id} LIMIT 1 OFFSET ${ACCOUNTS_MAX - 1}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO accounts (id, owner, user_id, us_person, created_at)
          SELECT ${id}, ${organization}, ${investor}, ${usPerson ? 1 : 0}, ${createdAt} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      sql`UPDATE investor_checks SET applied = 0 WHERE investor = ${investor} AND ${takesPlace}`,
    ],
  });
}

/** An investor that the organization has introduced, or null. */
export async function findInvestorOf(db: Database, organization: string, id: string): Promise<Investor | null> {
  const found = db
    .select()
    .from(investors)
    .where(and(eq(investors.id, id), eq(investors.organization, organization)));
  return (await found.get()) ?? null;
}

/**
 * An investor that a partner may read, or null: a lister those that it has introduced, a transfer agent those that hold or have traded a
 * security which it is the accepted agent of.
 */
export async function findVisibleInvestor(
  db: Database,
  { organization, role }: { readonly organization: string; readonly role: PartnerRole },
  id: string,
): Promise<Investor | null> {
  if (role === 'cross_lister') return findInvestorOf(db, organization, id);
  const found = db
    .select()
    .from(investors)
    .where(and(eq(investors.id, id), holdsSecurityOf(organization)));
  return (await found.get()) ?? null;
}

function holdsSecurityOf(agent: string): SQL {
  const account = sql`accounts a WHERE a.user_id = ${investors.id}`;
  return sql`EXISTS (
    SELECT 1 FROM securities s WHERE s.transfer_agent = ${agent} AND s.agent_state = 'accepted' AND (
      EXISTS (SELECT 1 FROM ${account}
              AND EXISTS (SELECT 1 FROM balances b WHERE b.account = a.id AND b.asset = s.id AND b.available + b.held > 0))
      OR EXISTS (SELECT 1 FROM ${account}
                 AND (EXISTS (SELECT 1 FROM trades t WHERE t.buyer = a.id AND t.asset_id = s.id)
                   OR EXISTS (SELECT 1 FROM trades t WHERE t.seller = a.id AND t.asset_id = s.id)))))`;
}

/** The same whoever has introduced it. */
export async function findInvestor(db: Database, id: string): Promise<Investor | null> {
  return (await db.select().from(investors).where(eq(investors.id, id)).get()) ?? null;
}

/** Investors of an organization by id, after the last one of the page before. */
export function listInvestors(
  db: Database,
  {
    organization,
    after,
    limit,
  }: { readonly organization: string; readonly after: string | null; readonly limit: number },
): Promise<Investor[]> {
  return db
    .select()
    .from(investors)
    .where(and(eq(investors.organization, organization), after === null ? undefined : gt(investors.id, after)))
    .orderBy(asc(investors.id))
    .limit(limit);
}

export type InvestorAccount = Pick<
  typeof accounts.$inferSelect,
  'id' | 'kycStatus' | 'accreditationStatus' | 'accreditationType' | 'frozen' | 'createdAt'
> & { readonly investor: string };

/** Accounts of these investors, oldest first. */
export async function listInvestorAccounts(db: Database, ids: readonly string[]): Promise<InvestorAccount[]> {
  const rows = await db
    .select({
      id: accounts.id,
      investor: accounts.userId,
      kycStatus: accounts.kycStatus,
      accreditationStatus: accounts.accreditationStatus,
      accreditationType: accounts.accreditationType,
      frozen: accounts.frozen,
      createdAt: accounts.createdAt,
    })
    .from(accounts)
    .where(sql`${accounts.userId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(accounts.id))
    .limit(ids.length * ACCOUNTS_MAX);
  return rows.map((row) => ({ ...row, investor: row.investor ?? '' }));
}

/** Whether the account is one of an investor whom the organization has introduced. */
export async function ownsAccount(db: Database, organization: string, account: string): Promise<boolean> {
  const row = await db.get<{ found: number }>(sql`
    SELECT 1 AS found FROM accounts a JOIN investors i ON i.id = a.user_id
    WHERE a.id = ${account} AND i.organization = ${organization}`);
  return row !== undefined;
}
