import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, apiKeys, refreshTokens, revokedTokens, users } from '../schema.ts';

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
    db.insert(revokedTokens).values({ jti: family, expiresAt }).onConflictDoNothing(),
  ]);
}

/**
 * Ends every credential of a user: tokens issued until now, refresh tokens, API keys. What was checked under one of them and is not
 * admitted yet is refused as stale, since the facts of the user's account get another version. Returns the keys that it ended.
 */
export async function revokeUser(db: Database, userId: string, now: number): Promise<string[]> {
  const [keys] = await db.batch([
    db
      .update(apiKeys)
      .set({ status: 'revoked', revokedAt: now })
      .where(and(eq(apiKeys.userId, userId), eq(apiKeys.status, 'active')))
      .returning({ id: apiKeys.id }),
    db.update(users).set({ tokensValidAfter: now }).where(eq(users.id, userId)),
    db
      .update(accounts)
      .set({ factsVersion: sql`${accounts.factsVersion} + 1` })
      .where(eq(accounts.userId, userId)),
    db
      .update(refreshTokens)
      .set({ revokedAt: sql`coalesce(${refreshTokens.revokedAt}, ${now})` })
      .where(eq(refreshTokens.userId, userId)),
  ]);
  return keys.map((key) => key.id);
}
