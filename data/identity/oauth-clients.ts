import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { oauthClients, shownSecrets } from '../schema/identity.ts';

/** A machine client, or an application that people sign in through. */
export type OAuthClient = Readonly<typeof oauthClients.$inferSelect>;

type RedirectsOfClient = Pick<OAuthClient, 'redirectUris' | 'postLogoutRedirectUris'>;

type NewOAuthClient = Omit<OAuthClient, 'revokedAt' | 'waitingSince' | 'agreedAt' | keyof RedirectsOfClient> &
  Partial<RedirectsOfClient>;

/** Stores a client; one that stands under this id is left as it is. The person that it speaks for counts as having agreed. */
export async function createOAuthClient(db: Database, client: NewOAuthClient): Promise<void> {
  await db
    .insert(oauthClients)
    .values({ ...client, agreedAt: client.createdAt })
    .onConflictDoNothing();
}

/**
 * The same by an operator, written down without its secret; false where the id is taken. Nobody has agreed to it yet.
 *
 * @param shownTo user id of whoever is shown the secret, or null where nobody is
 */
export function registerOAuthClient(
  db: Database,
  client: NewOAuthClient,
  shownTo: string | null,
  action: OperatorAction,
): Promise<boolean> {
  const { id, owner, name, secretHash, grants, userId, createdAt } = client;
  const { redirectUris = [], postLogoutRedirectUris = [] } = client;
  return createOnce(db, {
    action,
    type: 'operator.oauth_client_created',
    subject: id,
    after: { id, owner, name, grants, redirectUris, postLogoutRedirectUris, userId },
    now: createdAt,
    conflict: sql`SELECT 1 FROM oauth_clients WHERE id = ${id}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO oauth_clients (id, owner, name, secret_hash, grants, redirect_uris, post_logout_redirect_uris, user_id, created_at)
          SELECT ${id}, ${owner}, ${name}, ${secretHash}, ${JSON.stringify(grants)}, ${JSON.stringify(redirectUris)}, ${JSON.stringify(postLogoutRedirectUris)}, ${userId}, ${createdAt}
          WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
      ...(shownTo === null ? [] : [shown({ client: id, shownTo, now: createdAt }, action, takesPlace)]),
    ],
  });
}

function shown(
  { client, shownTo, now }: { readonly client: string; readonly shownTo: string; readonly now: number },
  { id }: OperatorAction,
  takesPlace: SQL,
): SQL {
  return sql`INSERT INTO shown_secrets (id, client, shown_to, shown_at) SELECT ${id}, ${client}, ${shownTo}, ${now} WHERE ${takesPlace}
             ON CONFLICT DO NOTHING`;
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

export interface SecretChange {
  /** Client id. */
  readonly id: string;
  /** Of the new secret. */
  readonly secretHash: string;
  /** User id of whoever is shown it. */
  readonly shownTo: string;
  /** Whether that is the person that the client speaks for, who agrees by it. */
  readonly isAgreement: boolean;
  readonly reason: string;
  readonly now: number;
}

/** Replaces the secret of a client that has one and is not revoked, written down without it; false for any other. A client that waited goes on. */
export function replaceOAuthClientSecret(
  db: Database,
  { id, secretHash, shownTo, isAgreement, reason, now }: SecretChange,
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: isAgreement ? 'operator.oauth_client_agreed' : 'operator.oauth_client_rotated',
    subject: id,
    details: { reason },
    before: null,
    after: null,
    now,
    when: sql`EXISTS (SELECT 1 FROM oauth_clients WHERE id = ${id} AND secret_hash IS NOT NULL AND revoked_at IS NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE oauth_clients SET secret_hash = ${secretHash}, waiting_since = NULL,
            agreed_at = ${isAgreement ? sql`${now}` : sql`agreed_at`} WHERE id = ${id} AND ${takesPlace}`,
      sql`UPDATE shown_secrets SET ended_at = ${now} WHERE client = ${id} AND ended_at IS NULL AND id <> ${action.id} AND ${takesPlace}`,
      shown({ client: id, shownTo, now }, action, takesPlace),
    ],
  });
}

/** Replaces where an application may be answered, written down; false for one that is not there, is revoked, or has a secret. */
export function replaceRedirectUris(
  db: Database,
  {
    client: { id, redirectUris: before, postLogoutRedirectUris: leavingBefore },
    redirectUris,
    postLogoutRedirectUris,
    reason,
    now,
  }: {
    readonly client: OAuthClient;
    readonly redirectUris: readonly string[];
    readonly postLogoutRedirectUris: readonly string[];
    readonly reason: string;
    readonly now: number;
  },
  action: OperatorAction,
): Promise<boolean> {
  const grants = grantsOfApplication(redirectUris);
  return changeOnce(db, {
    action,
    type: 'operator.oauth_client_redirects_set',
    subject: id,
    details: { reason },
    before: { redirectUris: before, postLogoutRedirectUris: leavingBefore },
    after: { redirectUris, postLogoutRedirectUris },
    now,
    when: sql`EXISTS (SELECT 1 FROM oauth_clients WHERE id = ${id} AND secret_hash IS NULL AND revoked_at IS NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE oauth_clients SET redirect_uris = ${JSON.stringify(redirectUris)}, post_logout_redirect_uris = ${JSON.stringify(postLogoutRedirectUris)}, grants = ${JSON.stringify(grants)}
          WHERE id = ${id} AND ${takesPlace}`,
    ],
  });
}

/** What an application may use: a code in a browser where it has somewhere to be answered, and a one-time code. */
export function grantsOfApplication(redirectUris: readonly string[]): OAuthClient['grants'] {
  return [...(redirectUris.length === 0 ? [] : (['authorization_code'] as const)), 'password', 'refresh_token'];
}

/** Clients with a secret that speak for a user, by id. */
export function listClientsOfUser(db: Database, userId: string): Promise<OAuthClient[]> {
  return db
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.userId, userId), isNotNull(oauthClients.secretHash)))
    .orderBy(asc(oauthClients.id))
    .limit(CLIENTS_OF_USER_MAX);
}

/** Of a list without pages: a user has a handful. */
const CLIENTS_OF_USER_MAX = 1_000;

/**
 * Who can have what a client gets tokens by: whoever was shown its secret in force, or one that ended after `since`, as long ago as its last
 * token may live.
 */
export async function listShownTo(db: Database, client: string, since: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ shownTo: shownSecrets.shownTo })
    .from(shownSecrets)
    .where(and(eq(shownSecrets.client, client), sql`coalesce(${shownSecrets.endedAt}, ${since}) >= ${since}`));
  return rows.map(({ shownTo }) => shownTo);
}

/** A secret that somebody was shown, of a client that speaks for another and does not wait for another secret. */
export interface KnownSecret {
  readonly client: string;
  /** Whom the client speaks for. */
  readonly userId: string;
}

/** What somebody was shown and can still use, of secrets in force and of those that ended after `since`. */
export async function listKnownSecrets(
  db: Database,
  shownTo: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<KnownSecret[]> {
  return db.all<KnownSecret>(sql`
    SELECT DISTINCT c.id AS client, c.user_id AS userId FROM shown_secrets s JOIN oauth_clients c ON c.id = s.client
    WHERE s.shown_to = ${shownTo} AND coalesce(s.ended_at, ${since}) >= ${since} AND c.revoked_at IS NULL
      AND c.user_id IS NOT NULL AND c.user_id <> ${shownTo}
      AND (s.ended_at IS NULL AND (c.waiting_since IS NULL OR EXISTS (
             SELECT 1 FROM api_keys k WHERE (k.user_id = c.user_id OR k.made_by = c.user_id) AND k.status = 'active' AND k.created_at <= c.waiting_since))
           OR s.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE id = c.user_id AND tokens_valid_after < s.ended_at))
    ORDER BY c.id LIMIT ${limit}`);
}

/** An API key that somebody who was shown the secret of a client may have made for whom it speaks. */
export interface KeyOfSecret {
  readonly id: string;
  readonly client: string;
}

/**
 * API keys in force that were made, by the service for itself or others, or given their secret, while somebody knew the secret of a client of a service, or within `tokenMs` of its end: tokens that it bought
 * were good for as long.
 */
export async function listKeysOfKnownSecrets(
  db: Database,
  shownTo: string,
  { tokenMs, limit }: { readonly tokenMs: number; readonly limit: number },
): Promise<KeyOfSecret[]> {
  return db.all<KeyOfSecret>(sql`
    SELECT DISTINCT k.id, c.id AS client FROM shown_secrets s
      JOIN oauth_clients c ON c.id = s.client
      JOIN users u ON u.id = c.user_id AND u.service
      JOIN api_keys k ON (k.user_id = u.id OR k.made_by = u.id) AND k.status = 'active'
    WHERE s.shown_to = ${shownTo} AND coalesce(k.secret_at, k.created_at) >= s.shown_at
      AND (s.ended_at IS NULL OR coalesce(k.secret_at, k.created_at) <= s.ended_at + CAST(${tokenMs} AS INTEGER))
    ORDER BY k.id LIMIT CAST(${limit} AS INTEGER)`);
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
