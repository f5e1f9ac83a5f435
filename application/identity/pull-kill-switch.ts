import { database } from '../../data/database.ts';
import { findUser } from '../../data/identity/users.ts';
import { hasPowerOver } from '../../domain/identity/powers.ts';
import { err, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type Ended, endEverything } from './end-everything.ts';
import { type Actor, recordedUse } from './recorded-use.ts';
import { recordRefusedPower } from './refused-power.ts';

/**
 * The kill switch of a user, pulled by themselves or somebody with the power: every token and key ends at once, every open order is cancelled.
 * Signing in again works, so this is no freeze.
 */
export async function pullKillSwitch(env: Env, actor: Actor, userId: string): Promise<Result<Ended, ApiError>> {
  const { principal } = actor;
  const user = await findUser(database(env.DB), userId);
  if (user !== null && user.id === principal.userId && user.owner === principal.owner)
    return endEverything(env, user.id);
  if (user === null) return err(noSuchUser());
  if (!hasPowerOver(principal, 'manage_credentials', user.owner)) {
    const attempt = `kill switch of ${user.id}`;
    await recordRefusedPower(env, actor, { power: 'manage_credentials', attempt });
    return err(noSuchUser());
  }
  const use = { actor, type: 'operator.kill_switch_pulled', subject: user.id, details: {} };
  return recordedUse(env, use, () => endEverything(env, user.id));
}

function noSuchUser(): ApiError {
  return apiError('NOT_FOUND', 'no such user');
}
