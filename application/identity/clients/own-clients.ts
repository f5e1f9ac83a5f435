import { database } from '../../../data/database.ts';
import { findOAuthClient, listClientsOfUser, type OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { findUser } from '../../../data/identity/users.ts';
import { hasPowerOver } from '../../../domain/identity/powers.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type ClientWithSecret, endClient, replaceSecret } from '../../operator/oauth-clients.ts';
import { type Actor, actionOf } from '../recorded-use.ts';
import { recordRefusedPower } from '../refused-power.ts';

/** Machine clients that speak for a user: for themselves, and for whoever manages their credentials. */
export async function clientsOf(
  env: Env,
  { principal }: Actor,
  userId: string,
): Promise<Result<OAuthClient[], ApiError>> {
  const db = database(env.DB);
  if (userId !== principal.userId) {
    const user = await findUser(db, userId);
    if (user === null || !hasPowerOver(principal, 'manage_credentials', user.owner))
      return err(apiError('NOT_FOUND', 'no such user'));
  }
  const clients = await listClientsOfUser(db, userId);
  return ok(
    clients.filter(({ owner }) => owner === principal.owner || hasPowerOver(principal, 'manage_credentials', owner)),
  );
}

/** Ends a machine client for good, for the user that it speaks for and for whoever manages their credentials; in the audit trail. */
export async function endClientOf(env: Env, actor: Actor, id: string): Promise<Result<OAuthClient, ApiError>> {
  const { principal } = actor;
  const client = await findOAuthClient(database(env.DB), id);
  if (client === null || client.userId === null) return err(noSuchClient());
  const isOwn = client.userId === principal.userId && client.owner === principal.owner;
  if (!isOwn && !hasPowerOver(principal, 'manage_credentials', client.owner)) {
    await recordRefusedPower(env, actor, { power: 'manage_credentials', attempt: `end client ${id}` });
    return err(noSuchClient());
  }
  return endClient(env, client, isOwn ? 'ended by its user' : 'ended by who manages credentials', actionOf(actor));
}

/**
 * Shows a person the secret of a client that speaks for them, a new one, by which they agree to it. By a token that they signed in for: a
 * client cannot agree in their place.
 */
export async function takeClientSecret(
  env: Env,
  actor: Actor,
  id: string,
): Promise<Result<ClientWithSecret, ApiError>> {
  const { principal } = actor;
  const db = database(env.DB);
  const client = await findOAuthClient(db, id);
  if (client === null || client.userId !== principal.userId || client.owner !== principal.owner)
    return err(noSuchClient());
  const user = await findUser(db, principal.userId);
  if (principal.kind !== 'user' || user === null || user.service)
    return err(apiError('FORBIDDEN', 'a person agrees by a token that they signed in for'));
  return replaceSecret(
    env,
    { client, isAgreement: true, reason: 'agreed by the person that it speaks for' },
    actionOf(actor),
  );
}

function noSuchClient(): ApiError {
  return apiError('NOT_FOUND', 'no such client');
}
