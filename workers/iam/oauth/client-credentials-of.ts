import type { ClientCredentials } from '../../../application/identity/grants/authenticate-client.ts';
import { type OAuthError, oauthError } from '../../../application/identity/grants/oauth-error.ts';
import { ok, type Result } from '../../../domain/result.ts';

/**
 * Client credentials of a request to an OAuth endpoint: HTTP Basic or the form (RFC 6749, 2.3.1), never both.
 *
 * @param authorization header, if sent
 */
export function clientCredentialsOf(
  authorization: string | undefined,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): Result<ClientCredentials, OAuthError> {
  if (authorization === undefined) return ok({ id: form.client_id, secret: form.client_secret });
  const pair = decodeBasic(authorization);
  if (pair === null) return oauthError('invalid_client', 'the authorization header is not HTTP Basic');
  if (form.client_secret !== undefined || (form.client_id !== undefined && form.client_id !== pair.id))
    return oauthError('invalid_request', 'client credentials were sent twice');
  return ok(pair);
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
