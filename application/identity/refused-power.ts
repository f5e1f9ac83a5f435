import { recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { Power } from '../../domain/identity/powers.ts';
import { log } from '../../durable-objects/log/log.ts';
import { isD1Away } from '../log/is-d1-away.ts';
import { hourlyId } from './hourly-id.ts';
import { type Actor, actionOf } from './recorded-use.ts';

/**
 * Writes down that somebody has asked for what they do not hold the power for: once a person, power and hour, with what was asked for first,
 * so that nobody fills the audit trail by asking. A database that is away takes no entry, and the refusal stands.
 *
 * @param attempt what was asked for, such as `POST /v1/operator/deposits`
 */
export async function recordRefusedPower(
  env: Env,
  actor: Actor,
  { power, attempt }: { readonly power: Power; readonly attempt: string },
): Promise<void> {
  const now = Date.now();
  const { userId } = actor.principal;
  try {
    await recordOperatorAction(database(env.DB), {
      action: actionOf(actor, await hourlyId(now, `${userId} ${power}`)),
      type: 'operator.power_refused',
      subject: userId,
      createdAt: now,
      details: { power, attempt },
      before: null,
      after: null,
    });
  } catch (error) {
    if (!isD1Away(error)) throw error;
    log('warn', 'a refused use of a power was not written down', { user: userId, power });
  }
}
