import { and, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { consents } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { type BrowserSession, stands } from './browser-sessions.ts';
import { isApplicationEnded } from './ended-applications.ts';
import { signInEntry } from './sign-ins.ts';

/** What a person has allowed a client. */
export type ClientConsent = Readonly<typeof consents.$inferSelect>;

/** Of a list without pages, and of what is remembered of one person. */
const CONSENTS_MAX = 200;

/** What counts still: what was allowed before a kill switch is asked again. */
export async function findClientConsent(
  db: Database,
  { userId, clientId, resource }: Pick<ClientConsent, 'userId' | 'clientId' | 'resource'>,
): Promise<ClientConsent | null> {
  const of = and(eq(consents.userId, userId), eq(consents.clientId, clientId), eq(consents.resource, resource));
  const counts = stands(sql`${consents.userId}`, sql`${consents.agreedAt}`);
  return (await db.select().from(consents).where(and(of, counts)).get()) ?? null;
}

/**
 * Writes down what a person allows by a browser, in place of what they have allowed this client for the resource before.
 *
 * @param entryId of the entry in the trail that is written with it
 * @returns its id, which stays; null where the browser is not signed in any more
 */
export async function recordClientConsent(
  db: Database,
  consent: ClientConsent,
  session: BrowserSession,
  entryId: string,
): Promise<string | null> {
  const { id, userId, clientId, clientName, resource, scope, keyId, agreedAt } = consent;
  const entry = { id: entryId, userId, type: 'client_allowed', reason: scope, clientId, keyId, at: agreedAt } as const;
  const [recorded] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`INSERT INTO consents (id, user_id, client_id, client_name, resource, scope, key_id, agreed_at)
        SELECT ${id}, ${userId}, ${clientId}, ${clientName}, ${resource}, ${scope}, ${keyId}, CAST(${agreedAt} AS INTEGER)
        WHERE ${stands(sql`${userId}`, sql`CAST(${session.createdAt} AS INTEGER)`)}
          AND EXISTS (SELECT 1 FROM browser_sessions WHERE hash = ${session.hash} AND user_id = ${userId})
          AND NOT ${isApplicationEnded(clientId)}
        ON CONFLICT (user_id, client_id, resource) DO UPDATE SET client_name = excluded.client_name, scope = excluded.scope,
          key_id = excluded.key_id, agreed_at = excluded.agreed_at
        RETURNING id`,
    signInEntry(
      entry,
      sql`EXISTS (SELECT 1 FROM consents WHERE user_id = ${userId} AND client_id = ${clientId} AND resource = ${resource}
                    AND agreed_at = CAST(${agreedAt} AS INTEGER) AND key_id IS ${keyId})`,
    ),
  ]);
  return recorded[0]?.id ?? null;
}

/** Of a person, the latest first. */
export function listClientConsents(db: Database, userId: string): Promise<ClientConsent[]> {
  return db
    .select()
    .from(consents)
    .where(eq(consents.userId, userId))
    .orderBy(desc(consents.agreedAt), desc(consents.id))
    .limit(CONSENTS_MAX);
}

/** What a person has allowed beyond what is remembered, the oldest. */
export async function listConsentsBeyond(db: Database, userId: string): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT id FROM consents WHERE user_id = ${userId} ORDER BY agreed_at DESC, id DESC LIMIT ${CONSENTS_MAX} OFFSET ${CONSENTS_MAX}`,
  ]);
  return rows.map(({ id }) => id);
}

export async function findOwnConsent(db: Database, userId: string, id: string): Promise<ClientConsent | null> {
  const of = and(eq(consents.id, id), eq(consents.userId, userId));
  return (await db.select().from(consents).where(of).get()) ?? null;
}

/** Ends what a person has allowed with every grant that came of it: a code of it buys nothing from here on, nor does what a code bought. */
export async function endClientConsent(
  db: Database,
  { id, now, tokensExpireAt }: { readonly id: string; readonly now: number; readonly tokensExpireAt: number },
): Promise<void> {
  const grants = sql`SELECT family FROM authorizations WHERE consent_id = ${id} AND used_at IS NOT NULL`;
  await sqlBatch(db, [
    sql`UPDATE refresh_tokens SET revoked_at = ${now} WHERE family IN (${grants}) AND revoked_at IS NULL`,
    sql`INSERT INTO revoked_tokens (jti, expires_at) SELECT family, ${tokensExpireAt} FROM (${grants}) WHERE true
        ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
    sql`UPDATE sessions SET ended_at = coalesce(ended_at, CAST(${now} AS INTEGER)) WHERE id IN (${grants})`,
    sql`DELETE FROM consents WHERE id = ${id}`,
  ]);
}

/** Keys that grants of a consent act under, beside the one that it names. */
export async function keysOfConsent(db: Database, id: string): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT DISTINCT key_id AS id FROM authorizations WHERE consent_id = ${id} AND key_id IS NOT NULL LIMIT ${CONSENTS_MAX}`,
  ]);
  return rows.map(({ id: key }) => key);
}
