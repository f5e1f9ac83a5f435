import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { OAuthError } from '../../../application/identity/grants/oauth-error.ts';
import type { FailureResponse } from '../../responses/failure.ts';

const OAuthErrorBody = z.object({ error: z.string(), error_description: z.string() }).openapi('OAuthError');

/** Failures of an OAuth endpoint, as its document names them (RFC 6749 section 5.2). */
export const oauthFailures = {
  400: { description: 'What is wrong.', content: { 'application/json': { schema: OAuthErrorBody } } },
  401: { description: 'invalid_client', content: { 'application/json': { schema: OAuthErrorBody } } },
};

/** Answers `{error, error_description}`: 401 for a client that did not authenticate, else 400. */
export function oauthFailure(c: Context, { error, description }: OAuthError): FailureResponse {
  if (error === 'invalid_client') c.header('www-authenticate', 'Basic');
  const status = error === 'invalid_client' ? 401 : 400;
  return c.json({ error, error_description: description }, status) as unknown as FailureResponse;
}
