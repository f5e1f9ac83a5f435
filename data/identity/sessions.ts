import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { CODE_MS_MAX } from '../../domain/identity/browser-session.ts';
import type { SignInMethod } from '../../domain/identity/factors.ts';
import type { Database } from '../database.ts';
import { sessions } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';
import { isTakenBack } from './taken-back.ts';

export type SessionRow = Readonly<typeof sessions.$inferSelect>;

type NewSession = Pick<
  SessionRow,
  'id' | 'userId' | 'clientId' | 'device' | 'place' | 'begunAt' | 'endsAt' | 'authTime' | 'method'
>;

/**
 * Begins a session with its entry, or writes down that it is used.
 *
 * @param told statements that tell of a sign-in, before its entry is written
 * @returns as it stands; null for one that is over, and where the account of its user is being taken back
 */
export async function keepSession(
  db: Database,
  session: NewSession,
  entry: SignInEntry,
  told: readonly SQL[] = [],
): Promise<SessionRow | null> {
  const { id, userId, clientId, device, place, begunAt: now, endsAt, authTime, method } = session;
  await sqlBatch(db, [
    sql`INSERT INTO sessions (id, user_id, client_id, device, place, begun_at, last_used_at, ends_at, auth_time, method)
        SELECT ${id}, ${userId}, ${clientId}, ${device}, ${place}, CAST(${now} AS INTEGER), CAST(${now} AS INTEGER), CAST(${endsAt} AS INTEGER),
               CAST(${authTime} AS INTEGER), ${method}
        WHERE NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ${id}) AND NOT ${isTakenBack(sql`${userId}`)}
        ON CONFLICT (id) DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)
        WHERE ended_at IS NULL AND ends_at > CAST(${now} AS INTEGER)`,
    ...told,
    // Its id is that of the session: once, however often that is used.
    signInEntry(entry, sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${id})`),
  ]);
  const row = await findSession(db, id);
  return row !== null && row.endedAt === null && row.endsAt > now ? row : null;
}

/** Condition that a session has just begun: it is used for the first time. */
export function hasBegun(id: string, at: number): SQL {
  return sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${id} AND begun_at = CAST(${at} AS INTEGER))
             AND NOT EXISTS (SELECT 1 FROM sign_ins WHERE id = ${id})`;
}

export async function findSession(db: Database, id: string): Promise<SessionRow | null> {
  return (await db.select().from(sessions).where(eq(sessions.id, id)).get()) ?? null;
}

/** Sessions of a user that are not over, newest first. */
export function listSessions(db: Database, userId: string, now: number, limit: number): Promise<SessionRow[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.endsAt, now)))
    .orderBy(desc(sessions.id))
    .limit(limit);
}

/** Ends a session that no token came of. */
export async function endSession(db: Database, id: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)));
}

/** What goes on of a user's sessions; nothing, where nothing is named. */
interface Spared {
  /** Hash of a browser session. */
  readonly browser?: string;
  /** Sessions by another method than this one. */
  readonly othersThan?: SignInMethod;
}

/** The statements that end the sessions of a user: refresh tokens, access tokens by their `sid`, browsers that are signed in, and codes that they were given. */
export function endSessionsOf(
  userId: string,
  now: number,
  tokensExpireAt: number,
  when: SQL = sql`true`,
  { browser = '', othersThan }: Spared = {},
): SQL[] {
  const isOfMethod = othersThan === undefined ? sql`true` : sql`method = ${othersThan}`;
  const isOfGrant =
    othersThan === undefined
      ? sql`true`
      : sql`family IN (SELECT id FROM sessions WHERE user_id = ${userId} AND ${isOfMethod})`;
  const isStopped = sql`user_id = ${userId} AND state IN ('asked', 'waiting') AND browser <> ${browser} AND ${isOfMethod} AND ${when}`;
  const stopped = { id: uuidv7(), userId, type: 'address_change_stopped', at: now } as const;
  return [
    sql`INSERT INTO revoked_tokens (jti, expires_at)
        SELECT id, CAST(${tokensExpireAt} AS INTEGER) FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL AND ends_at > CAST(${now} AS INTEGER)
          AND ${isOfMethod} AND ${when}
        ON CONFLICT DO NOTHING`,
    // Grants whose code was just used, and whose session has not begun.
    sql`INSERT INTO revoked_tokens (jti, expires_at)
        SELECT family, CAST(${tokensExpireAt} AS INTEGER) FROM authorizations WHERE user_id = ${userId} AND used_at > CAST(${now - CODE_MS_MAX} AS INTEGER)
          AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = family) AND ${isOfMethod} AND ${when}
        ON CONFLICT DO NOTHING`,
    sql`UPDATE refresh_tokens SET revoked_at = coalesce(revoked_at, CAST(${now} AS INTEGER)) WHERE user_id = ${userId} AND ${isOfGrant} AND ${when}`,
    sql`DELETE FROM browser_sessions WHERE user_id = ${userId} AND hash <> ${browser} AND ${isOfMethod} AND ${when}`,
    sql`UPDATE authorizations SET expires_at = min(expires_at, CAST(${now} AS INTEGER)) WHERE user_id = ${userId} AND used_at IS NULL AND ${isOfMethod} AND ${when}`,
    // What a session that ends has asked for is no longer asked for by anybody.
    signInEntry(stopped, sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE ${isStopped})`),
    sql`UPDATE mail_address_changes SET state = 'stopped', ended_at = ${now}, address_sealed = '', code_hash = '' WHERE ${isStopped}`,
    sql`UPDATE sessions SET ended_at = coalesce(ended_at, CAST(${now} AS INTEGER)) WHERE user_id = ${userId} AND ${isOfMethod} AND ${when}`,
  ];
}

/** Ends every session of a user, with its entry. */
export async function endSessions(
  db: Database,
  { userId, now, tokensExpireAt }: { readonly userId: string; readonly now: number; readonly tokensExpireAt: number },
  entry: SignInEntry,
): Promise<void> {
  await sqlBatch(db, [...endSessionsOf(userId, now, tokensExpireAt), signInEntry(entry)]);
}
