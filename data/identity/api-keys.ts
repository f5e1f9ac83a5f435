import { and, asc, count, desc, eq, not, sql } from 'drizzle-orm';
import type { Scope } from '../../domain/identity/principal.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import type { Database } from '../database.ts';
import { apiKeys } from '../schema/identity.ts';
import { type Bearer, refuseEndedToken, tokenStands } from './bearer.ts';

const KEYS_OF_ACCOUNT_MAX = 1_000;

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string;
  /** Trading account that it acts for. */
  readonly account: string;
  readonly userId: string;
  readonly owner: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Addresses or CIDR blocks; null allows any. */
  readonly ipAllowlist: readonly string[] | null;
  /** Raised limits by bucket; null for the defaults. */
  readonly rateLimits: Readonly<Partial<Record<RateBucket, number>>> | null;
  /** Largest position per asset id in scaled units; null for none. */
  readonly positionLimits: Readonly<Record<string, number>> | null;
  /** Largest loss of a UTC day in US cents; null for none. */
  readonly dailyLossMax: number | null;
  /** Largest order per asset id in scaled units; none when left out. */
  readonly orderSizeLimits?: Readonly<Record<string, number>> | null;
  /** Largest notional of the orders placed in a UTC day, in US cents; none when left out. */
  readonly dailyNotionalMax?: number | null;
  /** Markets that it may trade; all when left out. */
  readonly symbols?: readonly string[] | null;
  readonly createdAt: number;
}

export interface StoredApiKey extends Required<ApiKey> {
  readonly status: 'active' | 'revoked';
  readonly revokedAt: number | null;
}

/** @param secretCiphertext of `sealSecret(secret, API_KEY_MASTER_KEY, key.id)` */
export async function createApiKey(db: Database, key: ApiKey, secretCiphertext: string): Promise<void> {
  await insertOf(db, key, secretCiphertext);
}

/**
 * The same for the bearer of a token, who may be another than the key's user; not once a kill switch of the bearer has been pulled since the token was verified.
 *
 * @returns false when there is no key
 */
export async function createApiKeyOfBearer(
  db: Database,
  key: ApiKey,
  secretCiphertext: string,
  bearer: Bearer,
): Promise<boolean> {
  const madeBy = bearer.userId === key.userId ? null : bearer.userId;
  const [, taken] = await db.batch([
    insertOf(db, { ...key, madeBy }, secretCiphertext),
    db
      .delete(apiKeys)
      .where(and(eq(apiKeys.id, key.id), not(tokenStands(bearer))))
      .returning({ id: apiKeys.id }),
  ]);
  return taken.length === 0;
}

function insertOf(db: Database, key: ApiKey & { readonly madeBy?: string | null }, secretCiphertext: string) {
  return db
    .insert(apiKeys)
    .values({ ...key, secretCiphertext })
    .onConflictDoNothing();
}

export async function findApiKey(db: Database, id: string): Promise<StoredApiKey | null> {
  const row = await db.select().from(apiKeys).where(eq(apiKeys.id, id)).get();
  return row === undefined ? null : keyOf(row);
}

/** Keys of a user, newest first, revoked ones included. */
export async function listApiKeys(db: Database, userId: string): Promise<StoredApiKey[]> {
  const rows = await db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id));
  return rows.map(keyOf);
}

/** Keys of an account, newest first, revoked ones included: so many at most. */
export async function listApiKeysOfAccount(db: Database, account: string): Promise<StoredApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.account, account))
    .orderBy(desc(apiKeys.id))
    .limit(KEYS_OF_ACCOUNT_MAX);
  return rows.map(keyOf);
}

/** Ids of keys of an organization that are not revoked. */
export async function listActiveKeysOfOwner(db: Database, owner: string): Promise<string[]> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.owner, owner), eq(apiKeys.status, 'active')));
  return rows.map(({ id }) => id);
}

export async function countActiveKeysOfOwner(db: Database, owner: string): Promise<number> {
  const isActive = and(eq(apiKeys.owner, owner), eq(apiKeys.status, 'active'));
  return (await db.select({ keys: count() }).from(apiKeys).where(isActive).get())?.keys ?? 0;
}

/** A user's active key under this id, or, with no id, the oldest one; null for none. */
export async function findActiveKeyId(db: Database, userId: string, id: string | null): Promise<string | null> {
  const row = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(activeOf(userId), id === null ? undefined : eq(apiKeys.id, id)))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(1)
    .get();
  return row?.id ?? null;
}

export async function countActiveApiKeys(db: Database, userId: string): Promise<number> {
  const [row] = await db.select({ keys: count() }).from(apiKeys).where(activeOf(userId));
  return row?.keys ?? 0;
}

/**
 * Puts another secret in place of an active key's; false for one revoked meanwhile.
 *
 * @throws TokenEnded where a kill switch has ended the token that asks for it
 */
export async function replaceApiKeySecret(
  db: Database,
  id: string,
  secretCiphertext: string,
  bearer: Bearer,
  now: number,
): Promise<boolean> {
  const replaced = await db
    .update(apiKeys)
    .set({ secretCiphertext, secretAt: now })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.status, 'active'), tokenStands(bearer)))
    .returning({ id: apiKeys.id });
  if (replaced.length === 0) await refuseEndedToken(db, bearer);
  return replaced.length === 1;
}

/** Ids of a user's active keys. */
export async function listActiveKeyIds(db: Database, userId: string): Promise<string[]> {
  return (await db.select({ id: apiKeys.id }).from(apiKeys).where(activeOf(userId))).map(({ id }) => id);
}

/** Active keys that a user has made for others, the oldest first. */
export async function listActiveKeysMadeBy(db: Database, madeBy: string, limit: number): Promise<StoredApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.madeBy, madeBy), eq(apiKeys.status, 'active')))
    .orderBy(asc(apiKeys.id))
    .limit(limit);
  return rows.map(keyOf);
}

/** @throws TokenEnded where a kill switch has ended the token that asks for it */
export async function setApiKeyRateLimits(
  db: Database,
  id: string,
  rateLimits: NonNullable<ApiKey['rateLimits']>,
  bearer: Bearer,
): Promise<void> {
  const set = await db
    .update(apiKeys)
    .set({ rateLimits })
    .where(and(eq(apiKeys.id, id), tokenStands(bearer)))
    .returning({ id: apiKeys.id });
  if (set.length === 0) await refuseEndedToken(db, bearer);
}

function activeOf(userId: string) {
  return and(eq(apiKeys.userId, userId), eq(apiKeys.status, 'active'));
}

function keyOf({ secretCiphertext: _, ...key }: typeof apiKeys.$inferSelect): StoredApiKey {
  return key;
}

/** Markets that active keys of an owner may trade, of those that name theirs; as many as `limit`. */
export async function listMarketsOfKeys(db: Database, owner: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ symbol: string }>(sql`
    SELECT DISTINCT m.value AS symbol FROM api_keys k, json_each(k.symbols) m
    WHERE k.owner = ${owner} AND k.status = 'active' AND k.symbols IS NOT NULL LIMIT CAST(${limit} AS INTEGER)`);
  return rows.map(({ symbol }) => symbol);
}
