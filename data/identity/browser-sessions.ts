import { type SQL, sql } from 'drizzle-orm';
import {
  SESSION_IDLE_MS_MAX,
  SESSION_MS_MAX,
  SESSION_SEEN_MS,
  SESSIONS_MAX,
} from '../../domain/identity/browser-session.ts';
import type { SignInMethod } from '../../domain/identity/factors.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';
import { isTakenBack } from './taken-back.ts';

/** A browser that somebody is signed in with. */
export interface BrowserSession {
  /** SHA-256 of what the browser has. */
  readonly hash: string;
  readonly userId: string;
  /** When they signed in, Unix milliseconds. */
  readonly createdAt: number;
  readonly method: SignInMethod;
}

/** The same as its person sees it. */
export interface SeenBrowser extends BrowserSession {
  readonly seenAt: number;
  /** As of a session (`sessions.ts`). */
  readonly device: string | null;
  readonly place: string | null;
}

/**
 * Stores a session; false where a kill switch was pulled since `createdAt`, which lies before what entitled to it was read, or the person has another number now, or their account is being
 * taken back from somebody else (a recovery that says `compromised`), or who has a second factor by now signs in by a code alone. The oldest of a person's end beyond what they may have.
 *
 * @param phone by which they have signed in; null where it was by none
 * @param told statements that tell of the sign-in (`isSignedIn`)
 */
export async function createBrowserSession(
  db: Database,
  { hash, userId, createdAt, method, device, place }: Omit<SeenBrowser, 'seenAt'>,
  { phone, now }: { readonly phone: string | null; readonly now: number },
  told: readonly SQL[] = [],
): Promise<boolean> {
  const [made] = await sqlBatch(db, [
    sql`INSERT INTO browser_sessions (hash, user_id, created_at, seen_at, method, device, place)
        SELECT ${hash}, ${userId}, ${createdAt}, ${now}, ${method}, ${device}, ${place} WHERE ${stands(sql`${userId}`, sql`CAST(${createdAt} AS INTEGER)`)}
          AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND (${phone} IS NULL OR phone = ${phone}))
          AND (${method} <> 'code' OR NOT ${hasFactor(userId)}) RETURNING hash`,
    sql`DELETE FROM browser_sessions WHERE user_id = ${userId} AND hash NOT IN (
          SELECT hash FROM browser_sessions WHERE user_id = ${userId} ORDER BY created_at DESC, hash LIMIT ${SESSIONS_MAX})`,
    ...told,
  ]);
  return made?.length === 1;
}

/** The same as `hasSecondFactor`, of what stands. */
const hasFactor = (userId: string): SQL => sql`(EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})
  OR EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL))`;

/** Condition that a browser is signed in. */
export function isSignedIn(hash: string): SQL {
  return sql`EXISTS (SELECT 1 FROM browser_sessions WHERE hash = ${hash})`;
}

/** A session that is good, by the hash of what the browser has; null for none, one that is over, and one that a kill switch or a dismissal has ended. */
export async function findBrowserSession(db: Database, hash: string, now: number): Promise<BrowserSession | null> {
  const [rows] = await sqlBatch<[(BrowserSession & { readonly seenAt: number })[]]>(db, [
    sql`SELECT hash, user_id AS userId, created_at AS createdAt, seen_at AS seenAt, method FROM browser_sessions
        WHERE hash = ${hash} AND created_at > ${now - SESSION_MS_MAX} AND seen_at > ${now - SESSION_IDLE_MS_MAX}
          AND ${stands(sql`browser_sessions.user_id`, sql`browser_sessions.created_at`)}`,
  ]);
  const found = rows[0];
  if (found === undefined) return null;
  if (now - found.seenAt > SESSION_SEEN_MS)
    await sqlBatch(db, [sql`UPDATE browser_sessions SET seen_at = ${now} WHERE hash = ${hash}`]);
  const { userId, createdAt, method } = found;
  return { hash, userId, createdAt, method };
}

/** Browsers that a person is signed in with, the last one first. */
export async function listBrowserSessions(db: Database, userId: string, now: number): Promise<SeenBrowser[]> {
  const [rows] = await sqlBatch<[SeenBrowser[]]>(db, [
    sql`SELECT hash, user_id AS userId, created_at AS createdAt, seen_at AS seenAt, method, device, place FROM browser_sessions
        WHERE user_id = ${userId} AND created_at > ${now - SESSION_MS_MAX} AND seen_at > ${now - SESSION_IDLE_MS_MAX}
          AND ${stands(sql`browser_sessions.user_id`, sql`browser_sessions.created_at`)}
        ORDER BY created_at DESC, hash LIMIT ${SESSIONS_MAX}`,
  ]);
  return rows;
}

export async function endBrowserSession(db: Database, hash: string): Promise<void> {
  await sqlBatch(db, [sql`DELETE FROM browser_sessions WHERE hash = ${hash}`]);
}

/**
 * Ends one of a person's own, as they say themselves, and the change of their mail address that it has asked for, or that a session has which is there no more: a browser that signs in again gets
 * another session.
 *
 * @param stopped written where a change ends with it
 * @returns false where there is none
 */
export async function endOwnBrowserSession(
  db: Database,
  { userId, hash }: Pick<BrowserSession, 'userId' | 'hash'>,
  stopped: SignInEntry,
): Promise<boolean> {
  const isStopped = sql`user_id = ${userId} AND state IN ('asked', 'waiting')
    AND EXISTS (SELECT 1 FROM browser_sessions own WHERE own.hash = ${hash} AND own.user_id = ${userId})
    AND (browser = ${hash} OR NOT EXISTS (SELECT 1 FROM browser_sessions b WHERE b.hash = mail_address_changes.browser))`;
  const [, , ended] = await sqlBatch(db, [
    signInEntry(stopped, sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE ${isStopped})`),
    sql`UPDATE mail_address_changes SET state = 'stopped', ended_at = ${stopped.at}, address_sealed = '', code_hash = '' WHERE ${isStopped}`,
    sql`DELETE FROM browser_sessions WHERE hash = ${hash} AND user_id = ${userId} RETURNING hash`,
  ]);
  return ended?.length === 1;
}

/**
 * Ends a browser session with what it gave to a client: codes, refresh tokens, and access tokens by their `sid`. A grant says when its person had signed in, which is when its browser's session
 * began. All of it in one batch, with its entry; a session that has ended stays so. A change of a mail address that waits goes on.
 *
 * @param clientId null for none: then the browser's session ends alone
 */
export async function endBrowserSessionWithGrants(
  db: Database,
  {
    session: { hash, userId, createdAt },
    clientId,
    now,
    tokensExpireAt,
  }: {
    readonly session: BrowserSession;
    readonly clientId: string | null;
    readonly now: number;
    readonly tokensExpireAt: number;
  },
  entry: SignInEntry,
): Promise<void> {
  const isGrant = sql`user_id = ${userId} AND client_id = ${clientId} AND auth_time = ${createdAt}`;
  const grants = sql`(SELECT family FROM authorizations WHERE ${isGrant})`;
  await sqlBatch(db, [
    signInEntry(entry, isSignedIn(hash)),
    sql`INSERT INTO revoked_tokens (jti, expires_at)
        SELECT family, CAST(${tokensExpireAt} AS INTEGER) FROM authorizations WHERE ${isGrant} AND used_at IS NOT NULL
        ON CONFLICT DO NOTHING`,
    sql`UPDATE refresh_tokens SET revoked_at = coalesce(revoked_at, CAST(${now} AS INTEGER)) WHERE family IN ${grants}`,
    sql`UPDATE sessions SET ended_at = coalesce(ended_at, CAST(${now} AS INTEGER)) WHERE id IN ${grants}`,
    sql`UPDATE authorizations SET expires_at = min(expires_at, CAST(${now} AS INTEGER)) WHERE ${isGrant} AND used_at IS NULL`,
    sql`DELETE FROM browser_sessions WHERE hash = ${hash} AND user_id = ${userId}`,
  ]);
}

/** That whoever signed in then is active, has ended nothing of theirs since, and that nobody takes their account back from somebody else. Columns are named with their table: users have some of the same names. */
export function stands(userId: ReturnType<typeof sql>, since: ReturnType<typeof sql>) {
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND deactivated_at IS NULL AND tokens_valid_after < ${since})
    AND NOT ${isTakenBack(userId)}`;
}
