import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { refreshTokens } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

export type RefreshTokenRow = typeof refreshTokens.$inferSelect;

export type NewRefreshToken = Omit<RefreshTokenRow, 'usedAt' | 'revokedAt'>;

/** Stores a token; false when its grant was revoked meanwhile, which a token that came later would outlive. */
export async function storeRefreshToken(db: Database, token: NewRefreshToken): Promise<boolean> {
  const { hash, family, userId, clientId, scope, expiresAt } = token;
  const [stored] = await sqlBatch(db, [
    sql`INSERT INTO refresh_tokens (hash, family, user_id, client_id, scope, expires_at)
        SELECT ${hash}, ${family}, ${userId}, ${clientId}, ${scope}, ${expiresAt}
        WHERE NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE family = ${family} AND revoked_at IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ${family})
        RETURNING hash`,
  ]);
  return stored?.length === 1;
}

export async function findRefreshToken(db: Database, hash: string): Promise<RefreshTokenRow | null> {
  return (await db.select().from(refreshTokens).where(eq(refreshTokens.hash, hash)).get()) ?? null;
}

/** Marks a token as used; false when it was used, revoked or out of date before. */
export async function useRefreshToken(db: Database, hash: string, now: number): Promise<boolean> {
  const used = await db
    .update(refreshTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(refreshTokens.hash, hash),
        isNull(refreshTokens.usedAt),
        isNull(refreshTokens.revokedAt),
        gt(refreshTokens.expiresAt, now),
      ),
    )
    .returning({ hash: refreshTokens.hash });
  return used.length === 1;
}
