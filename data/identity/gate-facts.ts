import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { complianceFactsOf } from '../../domain/accounts/account.ts';
import type { KeyAge } from '../../domain/identity/key-end.ts';
import type { AccountFacts, Role, Scope } from '../../domain/identity/principal.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import { accreditationEndOf, readAccreditationEnd } from '../accounts/accreditation-end.ts';
import { FAMILY_OF_ACCOUNT } from '../accounts/family.ts';
import { identityEndOf } from '../accounts/identity-end.ts';
import type { Database } from '../database.ts';
import { accounts, users } from '../schema/accounts.ts';
import { apiKeys, revokedTokens } from '../schema/identity.ts';
import { investors } from '../schema/investors.ts';

/** What the Gate must know of an API key, joined with its user and account. */
export interface KeyFacts {
  readonly userId: string;
  readonly owner: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly secretCiphertext: string;
  readonly ipAllowlist: readonly string[] | null;
  readonly rateLimits: Readonly<Partial<Record<RateBucket, number>>>;
  readonly positionLimits: Readonly<Record<string, number>> | null;
  readonly dailyLossMax: number | null;
  readonly orderSizeLimits: Readonly<Record<string, number>> | null;
  readonly dailyNotionalMax: number | null;
  readonly symbols: readonly string[] | null;
  readonly active: boolean;
  /** What its end goes by (`domain/identity/key-end.ts`). */
  readonly age: KeyAge;
  /** Day of its last use, days since 1970; null for none. */
  readonly usedOn: number | null;
  readonly account: AccountFacts;
}

/** Whether a key is of a partner that is not active: its investors are served with it alone. */
const IS_UNSERVED_PARTNER = sql<number>`EXISTS (SELECT 1 FROM partner_organizations p
  WHERE p.organization = ${apiKeys.owner} AND p.state <> 'active')`;

/** Who has an account, where that is an investor that a partner has introduced: one may have several. */
const INVESTOR_OF_ACCOUNT = sql<
  string | null
>`(SELECT ${investors.id} FROM ${investors} WHERE ${investors.id} = ${accounts.userId})`;

/** What the facts of an account are made of. */
const ACCOUNT_FACTS = {
  account: accounts,
  family: FAMILY_OF_ACCOUNT,
  investor: INVESTOR_OF_ACCOUNT,
  identityEndsAt: identityEndOf('accounts'),
  accreditationEnd: accreditationEndOf('accounts'),
};

export async function findKeyFacts(db: Database, keyId: string): Promise<KeyFacts | null> {
  const row = await db
    .select({
      key: apiKeys,
      ...ACCOUNT_FACTS,
      roles: users.roles,
      deactivatedAt: users.deactivatedAt,
      isUnserved: IS_UNSERVED_PARTNER,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.account))
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.id, keyId))
    .get();
  if (row === undefined) return null;
  const { key } = row;
  return {
    userId: key.userId,
    owner: key.owner,
    roles: row.roles,
    scopes: key.scopes,
    secretCiphertext: key.secretCiphertext,
    ipAllowlist: key.ipAllowlist,
    rateLimits: key.rateLimits ?? {},
    positionLimits: key.positionLimits,
    dailyLossMax: key.dailyLossMax,
    orderSizeLimits: key.orderSizeLimits,
    dailyNotionalMax: key.dailyNotionalMax,
    symbols: key.symbols,
    active: key.status === 'active' && row.deactivatedAt === null && row.isUnserved === 0,
    age: { expiresAt: key.expiresAt, createdAt: key.createdAt, secretAt: key.secretAt },
    usedOn: key.usedOn,
    account: accountFactsOf(row),
  };
}

/** What the Gate must know of a token's subject. */
export interface UserFacts {
  readonly owner: string;
  readonly roles: readonly Role[];
  /** Unix milliseconds. */
  readonly tokensValidAfter: number;
  readonly account: AccountFacts | null;
}

export async function findUserFacts(db: Database, userId: string): Promise<UserFacts | null> {
  const row = await db
    .select({ user: users, ...ACCOUNT_FACTS })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.id, userId))
    // A partner's investor may have several.
    .orderBy(asc(accounts.id))
    .limit(1)
    .get();
  if (row === undefined) return null;
  return {
    owner: row.user.owner,
    roles: row.user.roles,
    // No token of a deactivated user holds, whenever it was issued.
    tokensValidAfter: row.user.deactivatedAt === null ? row.user.tokensValidAfter : Number.MAX_SAFE_INTEGER,
    account: row.account === null ? null : accountFactsOf({ ...row, account: row.account }),
  };
}

/** Facts of this account of a user, or null where it is not theirs. */
export async function findAccountFacts(db: Database, userId: string, accountId: string): Promise<AccountFacts | null> {
  const row = await db
    .select(ACCOUNT_FACTS)
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.userId, userId)))
    .get();
  return row === undefined ? null : accountFactsOf(row);
}

/** Which of the ids (of tokens or of their grants) are revoked. */
export async function findRevoked(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: revokedTokens.jti })
    .from(revokedTokens)
    .where(inArray(revokedTokens.jti, [...ids]));
  return new Set(rows.map((row) => row.id));
}

/** Whose an API key is. */
export interface KeyHolder {
  readonly userId: string;
  readonly owner: string;
}

export async function findKeyHolder(db: Database, keyId: string): Promise<KeyHolder | null> {
  const { userId, owner } = apiKeys;
  return (await db.select({ userId, owner }).from(apiKeys).where(eq(apiKeys.id, keyId)).get()) ?? null;
}

interface AccountFactsRow {
  readonly account: typeof accounts.$inferSelect;
  /** JSON array of account ids. */
  readonly family: string;
  readonly investor: string | null;
  readonly identityEndsAt: number | null;
  readonly accreditationEnd: string | null;
}

function accountFactsOf(row: AccountFactsRow): AccountFacts {
  const { account, family: relatives, investor, identityEndsAt } = row;
  const { id: accountId, factsVersion } = account;
  const family: readonly string[] = JSON.parse(relatives);
  const accreditationEnd = readAccreditationEnd(row.accreditationEnd);
  return {
    accountId,
    ...complianceFactsOf(account),
    ...(family.length === 0 ? {} : { family }),
    ...(investor === null ? {} : { investor }),
    ...(identityEndsAt === null ? {} : { identityEndsAt }),
    ...(accreditationEnd === undefined ? {} : { accreditationEnd }),
    factsVersion,
  };
}
