import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { users } from '../schema/accounts.ts';
import { refreshTokens, revokedTokens } from '../schema/identity.ts';

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

/** Ends every token of a user: access tokens issued until now, and refresh tokens. */
export async function endUserTokens(db: Database, userId: string, now: number): Promise<void> {
  await db.batch([
    db.update(users).set({ tokensValidAfter: now }).where(eq(users.id, userId)),
    db
      .update(refreshTokens)
      .set({ revokedAt: sql`coalesce(${refreshTokens.revokedAt}, ${now})` })
      .where(eq(refreshTokens.userId, userId)),
  ]);
}
