import { and, asc, count, desc, eq, inArray, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Scope } from '../../domain/identity/principal.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import type { Database } from '../database.ts';
import { apiKeys, signIns } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { type Bearer, refuseEndedToken, tokenStands, tokenStandsNow } from './bearer.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';
import { isTakenBack } from './taken-back.ts';

/** Of those that are revoked, what a list shows: the latest. */
const KEYS_LISTED_MAX = 1_000;
/** Of one account that are not revoked, and that it makes in a day: rows and what the ledger remembers of revoked ones stay. */
export const ACTIVE_KEYS_MAX = 50;
export const KEYS_PER_DAY_MAX = 100;

/** What became of a key that somebody makes. */
type KeyMaking = 'made' | 'token_ended' | 'taken_back' | 'too_many';

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
  /** When it ends by itself, as its owner has set it, Unix milliseconds; not when left out. */
  readonly expiresAt?: number | null;
}

export interface StoredApiKey extends Required<ApiKey> {
  /** When its secret was replaced last; null where it has its first one. */
  readonly secretAt: number | null;
  /** Day of its last use, days since 1970; null for none. */
  readonly usedOn: number | null;
  readonly status: 'active' | 'revoked';
  readonly revokedAt: number | null;
}

/** @param secretCiphertext of `sealSecret(secret, API_KEY_MASTER_KEY, key.id)` */
export async function createApiKey(db: Database, key: ApiKey, secretCiphertext: string): Promise<void> {
  await insertOf(db, key, secretCiphertext);
}

/**
 * The same for the bearer of a token, who may be another than the key's user; not once a kill switch of the bearer has been pulled since the token was verified,
 * not while the account of the key's user is being taken back, and not beyond what an account may have and make, however many are made at once.
 */
export async function createApiKeyOfBearer(
  db: Database,
  key: ApiKey,
  secretCiphertext: string,
  bearer: Bearer,
): Promise<KeyMaking> {
  const madeBy = bearer.userId === key.userId ? null : bearer.userId;
  const { id, userId, createdAt: at } = key;
  const by = madeBy === null ? 'by_user' : 'by_another';
  const [, taken] = await db.batch([
    insertOf(db, { ...key, madeBy }, secretCiphertext),
    db
      .delete(apiKeys)
      .where(
        and(
          eq(apiKeys.id, key.id),
          not(and(tokenStands(bearer), hasRoom(key), not(isTakenBack(sql`${userId}`))) as SQL),
        ),
      )
      .returning({ id: apiKeys.id }),
    db
      .insert(signIns)
      .values({ id, userId, type: 'key_made', reason: by, keyId: id, createdAt: at, lastAt: at })
      .onConflictDoNothing(),
    db.delete(signIns).where(and(eq(signIns.id, id), sql`NOT EXISTS (SELECT 1 FROM api_keys WHERE id = ${id})`)),
  ]);
  if (taken.length === 0) return 'made';
  if (!(await tokenStandsNow(db, bearer))) return 'token_ended';
  return (await db.all(sql`SELECT 1 WHERE ${isTakenBack(sql`${userId}`)}`)).length === 1 ? 'taken_back' : 'too_many';
}

/** With this key among them. */
function hasRoom({ account, createdAt }: ApiKey): SQL {
  return sql`EXISTS (SELECT 1 FROM (
    SELECT count(*) FILTER (WHERE status = 'active') AS active, count(*) FILTER (WHERE created_at > CAST(${createdAt - DAY_MS} AS INTEGER)) AS today
    FROM api_keys WHERE account = ${account}
  ) WHERE active <= CAST(${ACTIVE_KEYS_MAX} AS INTEGER) AND today <= CAST(${KEYS_PER_DAY_MAX} AS INTEGER))`;
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

/** Keys of a user, newest first: all that are active, and of those that are revoked the latest. */
export function listApiKeys(db: Database, userId: string): Promise<StoredApiKey[]> {
  return listed(db, eq(apiKeys.userId, userId));
}

/** The same of an account. */
export function listApiKeysOfAccount(db: Database, account: string): Promise<StoredApiKey[]> {
  return listed(db, eq(apiKeys.account, account));
}

async function listed(db: Database, of: SQL): Promise<StoredApiKey[]> {
  const latest = db.select({ id: apiKeys.id }).from(apiKeys).where(of).orderBy(desc(apiKeys.id)).limit(KEYS_LISTED_MAX);
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(of, or(eq(apiKeys.status, 'active'), inArray(apiKeys.id, latest))))
    .orderBy(desc(apiKeys.id));
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

/**
 * Puts another secret in place of an active key's, with its entry; false for one revoked meanwhile.
 *
 * @throws TokenEnded where a kill switch has ended the token that asks for it
 */
export async function replaceApiKeySecret(
  db: Database,
  id: string,
  secretCiphertext: string,
  bearer: Bearer,
  now: number,
  entry: SignInEntry,
): Promise<boolean> {
  const stands = tokenStands(bearer);
  const [replaced] = await sqlBatch(db, [
    sql`UPDATE api_keys SET secret_ciphertext = ${secretCiphertext}, secret_at = CAST(${now} AS INTEGER)
        WHERE id = ${id} AND status = 'active' AND ${stands} RETURNING id`,
    signInEntry(
      entry,
      sql`EXISTS (SELECT 1 FROM api_keys WHERE id = ${id} AND secret_ciphertext = ${secretCiphertext})`,
    ),
  ]);
  if (replaced?.length !== 1) await refuseEndedToken(db, bearer);
  return replaced?.length === 1;
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

/** Writes down the day of a key's last use. */
export async function noteKeyUse(db: Database, id: string, day: number): Promise<void> {
  await db
    .update(apiKeys)
    .set({ usedOn: day })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.usedOn), lt(apiKeys.usedOn, day))));
}

/** Active keys whose end has come (`keyEnd`). @param daysMax the venue's maximum; null for none */
export async function listExpiredKeys(
  db: Database,
  daysMax: number | null,
  now: number,
  limit: number,
): Promise<StoredApiKey[]> {
  const isActive = sql`status = 'active'`;
  const own = and(isActive, sql`expires_at IS NOT NULL`, lte(apiKeys.expiresAt, now));
  const since = now - (daysMax ?? 0) * DAY_MS;
  const venues =
    daysMax === null
      ? undefined
      : and(isActive, lte(apiKeys.createdAt, since), or(isNull(apiKeys.secretAt), lte(apiKeys.secretAt, since)));
  const rows = await db.select().from(apiKeys).where(or(own, venues)).limit(limit);
  return rows.map(keyOf);
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
