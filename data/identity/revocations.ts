import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { refreshTokens, revokedTokens, sessions } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

/** Refuses an access token, by its `jti`, until it expires. Times in Unix milliseconds. */
export async function revokeAccessToken(db: Database, jti: string, expiresAt: number): Promise<void> {
  await db.insert(revokedTokens).values({ jti, expiresAt }).onConflictDoNothing();
}

/** Ends a grant: its refresh tokens, and, by its id in their `sid`, the access tokens that came of it. */
export async function revokeGrant(db: Database, family: string, now: number, expiresAt: number): Promise<void> {
  await db.batch([
    db
      .update(refreshTokens)
      .set({ revokedAt: now })
      .where(and(eq(refreshTokens.family, family), isNull(refreshTokens.revokedAt))),
    db
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.id, family), isNull(sessions.endedAt))),
    db.insert(revokedTokens).values({ jti: family, expiresAt }).onConflictDoNothing(),
  ]);
}

/**
 * Ends everything that is good for a user without them: access tokens issued until now, refresh tokens, codes that were sent, and the secrets
 * of clients that speak for them, which wait for another one. A code that is just being sent again is not (`recordSending` goes by the time of
 * the sending).
 */
export async function endUserTokens(db: Database, userId: string, now: number): Promise<void> {
  await sqlBatch(db, endTokensOf(userId, now));
}

/** The same as statements. */
export function endTokensOf(userId: string, now: number, when: SQL = sql`true`): SQL[] {
  return [
    sql`UPDATE users SET tokens_valid_after = max(tokens_valid_after, CAST(${now} AS INTEGER)) WHERE id = ${userId} AND ${when}`,
    sql`UPDATE refresh_tokens SET revoked_at = coalesce(revoked_at, CAST(${now} AS INTEGER)) WHERE user_id = ${userId} AND ${when}`,
    sql`UPDATE sessions SET ended_at = coalesce(ended_at, CAST(${now} AS INTEGER)) WHERE user_id = ${userId} AND ${when}`,
    sql`UPDATE oauth_clients SET waiting_since = coalesce(waiting_since, CAST(${now} AS INTEGER))
        WHERE user_id = ${userId} AND secret_hash IS NOT NULL AND revoked_at IS NULL AND ${when}`,
    endCodesOf(sql`(SELECT phone FROM users WHERE id = ${userId})`, when),
  ];
}

/** The statement that makes codes that were sent to a number good for nobody, at whichever client or at each. */
export function endCodesOf(phone: SQL, when: SQL = sql`true`): SQL {
  return sql`UPDATE one_time_codes SET code_hash = '', code_sealed = '', earlier_hash = '', sent_at = sent_at + 1
    WHERE (phone = ${phone} OR (phone >= ${phone} || ' ' AND phone < ${phone} || '!')) AND ${when}`;
}
