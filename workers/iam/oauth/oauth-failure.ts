import type { Context } from 'hono';
import type { OAuthError } from '../../../application/identity/grants/oauth-error.ts';
import type { FailureResponse } from '../../responses/failure.ts';

/** Answers `{error, error_description}`: 401 for a client that did not authenticate, else 400. */
export function oauthFailure(c: Context, { error, description }: OAuthError): FailureResponse {
  if (error === 'invalid_client') c.header('www-authenticate', 'Basic');
  const status = error === 'invalid_client' ? 401 : 400;
  return c.json({ error, error_description: description }, status) as unknown as FailureResponse;
}
