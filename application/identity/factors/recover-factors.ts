import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  askForRecovery,
  completeRecovery,
  type FactorRecovery,
  findRecovery,
  listDueRecoveries,
} from '../../../data/identity/factor-recoveries.ts';
import { findUser } from '../../../data/identity/users.ts';
import { RECOVERY_WAIT_MS } from '../../../domain/identity/factors.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { postMail } from '../../mail/post-mail.ts';
import { peopleBehind } from '../clients/people-behind.ts';
import { derivedId } from '../derived-id.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';

/** Of one run; the next goes on. */
const RECOVERIES_PER_RUN = 100;

/**
 * An operator begins to remove the factors of somebody who has lost them. Nothing changes for a day: it is mailed, and the person stops it by signing in with a
 * factor. Never for who asks.
 */
export async function beginRecovery(
  env: Env,
  { userId, reason }: { readonly userId: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<FactorRecovery, ApiError>> {
  const db = database(env.DB);
  const user = await findUser(db, userId);
  if (user === null || user.service) return err(apiError('NOT_FOUND', 'no such user'));
  if ((await peopleBehind(db, action)).has(userId))
    return err(apiError('CONFLICT', 'another operator does this for you', { reason: 'same_person' }));
  const now = Date.now();
  const asked = { userId, reason, now, dueAt: now + RECOVERY_WAIT_MS };
  const isAsked = await askForRecovery(db, asked, action);
  const recovery = isAsked ? await findRecovery(db, action.id) : null;
  if (recovery === null)
    return err(apiError('CONFLICT', 'the user has nothing to remove, or a recovery waits already'));
  await tell(env, recovery, 'recovery_requested', { until: new Date(recovery.dueAt).toISOString() });
  return ok(recovery);
}

/** Every five minutes: recoveries that are due take effect. */
export async function completeDueRecoveries(env: Env, now: number): Promise<void> {
  const db = database(env.DB);
  for (const recovery of await listDueRecoveries(db, now, RECOVERIES_PER_RUN)) {
    const { id, userId } = recovery;
    const entry = await entryOf({ id: await derivedId(id, 'recovery done'), userId, type: 'recovery_done' }, env);
    if (!(await completeRecovery(db, recovery, { ...entry, at: now }))) continue;
    await invalidateUser(env, userId);
    await tell(env, recovery, 'recovery_done', { at: new Date(now).toISOString() });
  }
}

/** Under an id of its own, so that it is told once. */
async function tell(
  env: Env,
  { id, userId }: FactorRecovery,
  kind: 'recovery_requested' | 'recovery_done',
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  await postMail(env, { id: await derivedId(id, kind), userId, to: null, kind, language: 'en', facts });
}
