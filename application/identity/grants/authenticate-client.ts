import { database } from '../../../data/database.ts';
import { findOAuthClient, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import type { Grant } from '../../../domain/identity/grant.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { CONSOLE_CLIENT_ID } from '../../console/console-client.ts';
import { findClientOfCodes } from '../authorization/authorizing-client.ts';
import type { Caller } from '../caller.ts';
import { isEqual } from '../is-equal.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';
import type { GrantFields } from './grant-fields.ts';
import { type OAuthError, oauthError } from './oauth-error.ts';

/** What a client shows of itself. */
export interface ClientCredentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/**
 * Finds and authenticates a client, and checks that it may use the grant. A public client has no secret to show.
 *
 * @param from a wrong secret is written down for the user that the client speaks for
 */
export async function authenticateClient(
  env: Env,
  { id, secret }: ClientCredentials,
  grant: Grant | null,
  from: Caller & Pick<GrantFields, 'later'>,
): Promise<Result<OAuthClient, OAuthError>> {
  if (id === undefined || id === '') return oauthError('invalid_request', 'client_id is missing');
  const stored = id === CONSOLE_CLIENT_ID ? null : await findOAuthClient(database(env.DB), id);
  const client = stored ?? (await findClientOfCodes(env, id));
  const presented = await sha256Hex(secret ?? '');
  const authentic =
    client !== null &&
    client.revokedAt === null &&
    (client.secretHash === null ? secret === undefined : isEqual(client.secretHash, presented));
  if (!authentic && client !== null && client.secretHash !== null)
    from.later(
      recordSignIn(env, {
        userId: client.userId ?? client.id,
        type: 'refused',
        reason: 'wrong_client_secret' satisfies SignInRefusal,
        clientId: client.id,
        caller: from,
      }),
    );
  if (!authentic) return oauthError('invalid_client', 'client authentication failed');
  if (grant !== null && !client.grants.includes(grant))
    return oauthError('unauthorized_client', 'the client may not use this grant');
  return ok(client);
}
