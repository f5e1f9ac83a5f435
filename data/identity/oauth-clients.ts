import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { oauthClients } from '../schema/identity.ts';

/** A machine client, or an application that people sign in through. */
export type OAuthClient = Readonly<typeof oauthClients.$inferSelect>;

type NewOAuthClient = Omit<OAuthClient, 'revokedAt'>;

/** Stores a client; one that stands under this id is left as it is. */
export async function createOAuthClient(db: Database, client: NewOAuthClient): Promise<void> {
  await db.insert(oauthClients).values(client).onConflictDoNothing();
}

/** The same by an operator, written down without its secret; false where the id is taken. */
export function registerOAuthClient(db: Database, client: NewOAuthClient, action: OperatorAction): Promise<boolean> {
  const { id, owner, name, secretHash, grants, userId, createdAt } = client;
  return createOnce(db, {
    action,
    type: 'operator.oauth_client_created',
    subject: id,
    after: { id, owner, name, grants, userId },
    now: createdAt,
    conflict: sql`SELECT 1 FROM oauth_clients WHERE id = ${id}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO oauth_clients (id, owner, name, secret_hash, grants, user_id, created_at)
          SELECT ${id}, ${owner}, ${name}, ${secretHash}, ${JSON.stringify(grants)}, ${userId}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
}

export async function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  return (await db.select().from(oauthClients).where(eq(oauthClients.id, id)).get()) ?? null;
}

/** Clients by id, of one organization or (null) of all, after the last one of the page before. */
export function listOAuthClients(
  db: Database,
  { owner, after, limit }: { readonly owner: string | null; readonly after: string | null; readonly limit: number },
): Promise<OAuthClient[]> {
  return db
    .select()
    .from(oauthClients)
    .where(
      and(
        owner === null ? undefined : eq(oauthClients.owner, owner),
        after === null ? undefined : gt(oauthClients.id, after),
      ),
    )
    .orderBy(asc(oauthClients.id))
    .limit(limit);
}

/** Replaces the secret of a client that has one and is not revoked, written down without it; false for any other. */
export function replaceOAuthClientSecret(
  db: Database,
  { id, secretHash, reason, now }: { id: string; secretHash: string; reason: string; now: number },
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.oauth_client_rotated',
    subject: id,
    details: { reason },
    before: null,
    after: null,
    now,
    when: sql`EXISTS (SELECT 1 FROM oauth_clients WHERE id = ${id} AND secret_hash IS NOT NULL AND revoked_at IS NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE oauth_clients SET secret_hash = ${secretHash} WHERE id = ${id} AND ${takesPlace}`,
    ],
  });
}

/** Under which the access tokens of a client are refused together (`revoked_tokens`). */
export function clientRevocationId(clientId: string): string {
  return `client:${clientId}`;
}

/** Ends a client with its refresh and access tokens, written down; false where there is none, or it has ended. */
export function endOAuthClient(
  db: Database,
  { id, reason, now, tokensExpireAt }: { id: string; reason: string; now: number; tokensExpireAt: number },
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.oauth_client_revoked',
    subject: id,
    details: { reason },
    before: { revokedAt: null },
    after: { revokedAt: now },
    now,
    when: sql`EXISTS (SELECT 1 FROM oauth_clients WHERE id = ${id} AND revoked_at IS NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE oauth_clients SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL AND ${takesPlace}`,
      sql`UPDATE refresh_tokens SET revoked_at = ${now} WHERE client_id = ${id} AND revoked_at IS NULL AND ${takesPlace}`,
      sql`INSERT INTO revoked_tokens (jti, expires_at) SELECT ${clientRevocationId(id)}, ${tokensExpireAt} WHERE ${takesPlace}
          ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`,
    ],
  });
}
