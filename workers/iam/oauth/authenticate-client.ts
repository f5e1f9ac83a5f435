import { isEqual } from '../../../application/identity/is-equal.ts';
import { sha256Hex } from '../../../application/identity/sha256-hex.ts';
import { database } from '../../../data/database.ts';
import { findOAuthClient, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import type { Grant } from '../../../domain/identity/grant.ts';
import type { OAuthError } from './oauth-error.ts';

export interface ClientCredentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

export type ClientResult =
  | { readonly ok: true; readonly client: OAuthClient }
  | { readonly ok: false; readonly error: OAuthError };

/**
 * Client credentials of a request to an OAuth endpoint: HTTP Basic or the form (RFC 6749, 2.3.1), never both.
 *
 * @param authorization header, if sent
 */
export function clientCredentialsOf(
  authorization: string | undefined,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientCredentials | OAuthError {
  if (authorization === undefined) return { id: form.client_id, secret: form.client_secret };
  const pair = decodeBasic(authorization);
  if (pair === null) return { error: 'invalid_client', description: 'the authorization header is not HTTP Basic' };
  if (form.client_secret !== undefined || (form.client_id !== undefined && form.client_id !== pair.id)) {
    return { error: 'invalid_request', description: 'client credentials were sent twice' };
  }
  return pair;
}

/** Finds and authenticates a client, and checks that it may use the grant. A public client has no secret to show. */
export async function authenticateClient(
  { id, secret }: ClientCredentials,
  grant: Grant | null,
  env: Env,
): Promise<ClientResult> {
  if (id === undefined || id === '') return refused('invalid_request', 'client_id is missing');
  const client = await findOAuthClient(database(env.DB), id);
  const presented = await sha256Hex(secret ?? '');
  const authentic =
    client !== null && (client.secretHash === null ? secret === undefined : isEqual(client.secretHash, presented));
  if (!authentic) return refused('invalid_client', 'client authentication failed');
  if (grant !== null && !client.grants.includes(grant))
    return refused('unauthorized_client', 'the client may not use this grant');
  return { ok: true, client };
}

function refused(error: OAuthError['error'], description: string): ClientResult {
  return { ok: false, error: { error, description } };
}

/** Both halves are form-encoded inside the Base64 (RFC 6749, 2.3.1). */
function decodeBasic(authorization: string): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  try {
    const [id, secret, ...rest] = atob(encoded).split(':');
    if (id === undefined || secret === undefined || rest.length > 0) return null;
    return { id: decodeURIComponent(id.replaceAll('+', ' ')), secret: decodeURIComponent(secret.replaceAll('+', ' ')) };
  } catch {
    return null;
  }
}
