import { database } from '../../../data/database.ts';
import { findOAuthClient, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import type { Grant } from '../../../domain/identity/grant.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { findClientOfCodes } from '../authorization/authorizing-client.ts';
import { isEqual } from '../is-equal.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

/** What a client shows of itself. */
export interface ClientCredentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/** Finds and authenticates a client, and checks that it may use the grant. A public client has no secret to show. */
export async function authenticateClient(
  env: Env,
  { id, secret }: ClientCredentials,
  grant: Grant | null,
): Promise<Result<OAuthClient, OAuthError>> {
  if (id === undefined || id === '') return oauthError('invalid_request', 'client_id is missing');
  const client = (await findOAuthClient(database(env.DB), id)) ?? (await findClientOfCodes(env, id));
  const presented = await sha256Hex(secret ?? '');
  const authentic =
    client !== null &&
    client.revokedAt === null &&
    (client.secretHash === null ? secret === undefined : isEqual(client.secretHash, presented));
  if (!authentic) return oauthError('invalid_client', 'client authentication failed');
  if (grant !== null && !client.grants.includes(grant))
    return oauthError('unauthorized_client', 'the client may not use this grant');
  return ok(client);
}
