import { and, eq, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { CODES_PER_DAY_MAX, CODES_UNUSED_MAX } from '../../domain/identity/browser-session.ts';
import type { Database } from '../database.ts';
import { authorizations } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { stands } from './browser-sessions.ts';

/** A grant by authorization code. */
export type Authorization = Readonly<typeof authorizations.$inferSelect>;

type NewAuthorization = Omit<Authorization, 'usedAt'>;

/**
 * Stores the code of a grant; false where what entitles to it has ended since the person signed in, or this client has used too many of theirs today. Of a client's codes that nobody has used
 * the latest are kept: whoever asks for codes keeps no other client's out.
 *
 * @param session hash of the browser's
 */
export async function createAuthorization(
  db: Database,
  authorization: NewAuthorization,
  session: string,
): Promise<boolean> {
  const { codeHash, userId, clientId, authTime, createdAt, consentId } = authorization;
  const isTaken = sql`${stands(sql`${userId}`, sql`CAST(${authTime} AS INTEGER)`)}
    AND EXISTS (SELECT 1 FROM browser_sessions WHERE hash = ${session} AND user_id = ${userId})
    AND EXISTS (SELECT 1 FROM consents WHERE id = ${consentId})
    AND (SELECT count(*) FROM authorizations WHERE user_id = ${userId} AND client_id = ${clientId} AND used_at IS NOT NULL
           AND created_at > CAST(${createdAt - DAY_MS} AS INTEGER)) < CAST(${CODES_PER_DAY_MAX} AS INTEGER)`;
  const unused = sql`user_id = ${userId} AND client_id = ${clientId} AND used_at IS NULL`;
  const [, refused] = await db.batch([
    db.insert(authorizations).values(authorization),
    db
      .delete(authorizations)
      .where(and(eq(authorizations.codeHash, codeHash), sql`NOT (${isTaken})`))
      .returning({ codeHash: authorizations.codeHash }),
    db
      .delete(authorizations)
      .where(
        sql`${unused} AND code_hash NOT IN (SELECT code_hash FROM authorizations WHERE ${unused} ORDER BY created_at DESC, rowid DESC LIMIT ${CODES_UNUSED_MAX})`,
      ),
  ]);
  return refused.length === 0;
}

export async function findAuthorization(db: Database, codeHash: string): Promise<Authorization | null> {
  return (await db.select().from(authorizations).where(eq(authorizations.codeHash, codeHash)).get()) ?? null;
}

/** That of a grant; null for a grant of another kind. */
export async function findAuthorizationOfGrant(db: Database, family: string): Promise<Authorization | null> {
  return (await db.select().from(authorizations).where(eq(authorizations.family, family)).get()) ?? null;
}

/**
 * Spends a code; false where it was spent before, is out of date, or has lost what entitled to it. Of those who ask at once, one is told true.
 *
 * @param keptUntil when the last token of the grant may end
 */
export async function useAuthorization(
  db: Database,
  { codeHash, now, keptUntil }: { readonly codeHash: string; readonly now: number; readonly keptUntil: number },
): Promise<boolean> {
  const [used] = await sqlBatch(db, [
    sql`UPDATE authorizations SET used_at = ${now}, kept_until = ${keptUntil}
        WHERE code_hash = ${codeHash} AND used_at IS NULL AND expires_at > ${now} AND ${stands(sql`authorizations.user_id`, sql`authorizations.auth_time`)}
          AND EXISTS (SELECT 1 FROM consents WHERE id = consent_id) RETURNING code_hash`,
  ]);
  return used?.length === 1;
}

/** A grant goes on: another token of it may live until then. */
export async function keepAuthorization(db: Database, family: string, keptUntil: number): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE authorizations SET kept_until = max(kept_until, ${keptUntil}) WHERE family = ${family}`,
  ]);
}
