import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import { endUserTokens } from '../../data/identity/revocations.ts';
import { findUser, type UserRow } from '../../data/identity/users.ts';
import { hasPowerOver } from '../../domain/identity/powers.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { projected } from '../ledger/projected.ts';
import { revokeUser } from '../ledger/revoke.ts';
import { cancelUntilNone } from '../order-book/cancel-until-none.ts';
import { invalidateUser } from './invalidate-gates.ts';
import { type Actor, recordedUse } from './recorded-use.ts';

/** What a kill switch has ended. */
export interface Killed {
  readonly keyIds: readonly string[];
  readonly orderIds: readonly string[];
}

const NOTHING_OPEN = { orderIds: [], unreachable: [] };

/**
 * The kill switch of a user, pulled by themselves or somebody with the power: every token and key ends at once, every open order is cancelled.
 * Signing in again works, so this is no freeze.
 */
export async function pullKillSwitch(env: Env, actor: Actor, userId: string): Promise<Result<Killed, ApiError>> {
  const { principal } = actor;
  const user = await findUser(database(env.DB), userId);
  if (user !== null && user.id === principal.userId && user.owner === principal.owner) return endEverything(env, user);
  if (user === null || !hasPowerOver(principal, 'manage_credentials', user.owner))
    return err(apiError('NOT_FOUND', 'no such user'));
  const use = { actor, type: 'operator.kill_switch_pulled', subject: user.id, details: {} };
  return recordedUse(env, use, () => endEverything(env, user));
}

async function endEverything(env: Env, user: UserRow): Promise<Result<Killed, ApiError>> {
  const db = database(env.DB);
  await endUserTokens(db, user.id, Date.now());
  // At once: what follows waits for the ledger and for books.
  await invalidateUser(env, user.id);
  const ended = await revokeUser(env, user.id, Date.now());
  if (ended === null) {
    const message = 'the tokens have ended, but the ledger did not answer for the keys: repeat';
    return err(apiError('SERVICE_UNAVAILABLE', message));
  }
  const { keyIds, cancelIn, askedBy } = ended;
  const account = (await findUserFacts(db, user.id))?.account?.accountId ?? null;
  const command = { keyId: null, side: null, reason: 'revoked' } as const;
  const { orderIds, unreachable } =
    account === null
      ? NOTHING_OPEN
      : await cancelUntilNone(env, { command: { ...command, account }, cancelIn, askedBy });
  const isShown = await projected(env);
  await invalidateUser(env, user.id);
  if (!isShown) return err(apiError('SERVICE_UNAVAILABLE', 'ended, but reads do not show it yet: repeat'));
  if (unreachable.length > 0)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but some books are out of reach: repeat', { unreachable }));
  return ok({ keyIds, orderIds });
}
