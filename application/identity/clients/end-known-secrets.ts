import { database } from '../../../data/database.ts';
import { listKnownSecrets } from '../../../data/identity/oauth-clients.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { endEverything } from '../end-everything.ts';
import { tokensEndedBefore } from './people-behind.ts';

/** Clients whose users a call ends; each asks the ledger and books. */
const KNOWN_SECRETS_MAX = 50;

/**
 * Ends what somebody was shown of others, when they stop being an operator: each user that a client they know the secret of speaks for loses
 * tokens and keys, and their clients wait for another secret. Repeated, it goes on.
 *
 * @returns ids of the clients
 */
export async function endKnownSecrets(env: Env, operator: string): Promise<Result<readonly string[], ApiError>> {
  const period = { since: tokensEndedBefore(Date.now()), limit: KNOWN_SECRETS_MAX };
  const known = await listKnownSecrets(database(env.DB), operator, period);
  for (const userId of new Set(known.map(({ userId }) => userId))) {
    const ended = await endEverything(env, userId);
    if (!ended.ok) return ended;
  }
  if (known.length === KNOWN_SECRETS_MAX)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but not yet every secret that was shown: repeat'));
  return ok(known.map(({ client }) => client));
}
