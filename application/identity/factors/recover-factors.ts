import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  askForRecovery,
  completeRecovery,
  type FactorRecovery,
  findRecovery,
  listDueRecoveries,
  stopRecoveryOf,
} from '../../../data/identity/factor-recoveries.ts';
import { countHeld, listNotYetEnded } from '../../../data/identity/taken-back.ts';
import { findUser } from '../../../data/identity/users.ts';
import { countOpenOrdersOfUser, countSessions } from '../../../data/identity/what-ends.ts';
import type { PostedMail } from '../../../data/mail/mail-messages.ts';
import { RECOVERY_WAIT_MS } from '../../../domain/identity/factors.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { eachAlone } from '../../log/each-alone.ts';
import { carryMail, messageOf } from '../../mail/post-mail.ts';
import { peopleBehind } from '../clients/people-behind.ts';
import { derivedId } from '../derived-id.ts';
import { endEverything } from '../end-everything.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import { RECOVERY_REQUESTED, tellByPhone } from '../tell-by-phone.ts';

/** Of one run; the next goes on. */
const RECOVERIES_PER_RUN = 100;

/**
 * An operator begins to remove the factors of somebody who has lost them. Nothing changes for a day: the person is told by mail and phone, and stops it by showing a factor. Never for who
 * asks. Of an account that somebody else has got into (`compromised`) the factors may be theirs: none stops it, all that is good for the
 * user without the user ends, as by a kill switch, and nobody is given a session, a token or a key of theirs until it is done.
 */
export async function beginRecovery(
  env: Env,
  { userId, reason, compromised }: Pick<FactorRecovery, 'userId' | 'reason' | 'compromised'>,
  action: OperatorAction,
): Promise<Result<FactorRecovery, ApiError>> {
  const db = database(env.DB);
  const user = await findUser(db, userId);
  if (user === null || user.service) return err(apiError('NOT_FOUND', 'no such user'));
  if ((await peopleBehind(db, action)).has(userId))
    return err(apiError('CONFLICT', 'another operator does this for you', { reason: 'same_person' }));
  const now = Date.now();
  const dueAt = now + RECOVERY_WAIT_MS;
  const told = await mailOf(env, { id: action.id, userId }, 'recovery_requested', {
    until: new Date(dueAt).toISOString(),
  });
  const ends = compromised ? await whatItEnds(env, userId, now) : null;
  const isAsked = await askForRecovery(db, { userId, reason, compromised, now, dueAt }, told, ends, action);
  const recovery = isAsked ? await findRecovery(db, action.id) : null;
  if (recovery === null)
    return err(apiError('CONFLICT', 'the user has nothing to remove, or a recovery waits already'));
  const ended = recovery.compromised ? await endEverything(env, userId) : ok(null);
  await carryMail(env, [told.id]);
  await tellByPhone(env, [user.phone], RECOVERY_REQUESTED);
  if (ended.ok) return ok(recovery);
  const { details } = ended.error;
  const message = 'the recovery waits and tokens have ended; keys and orders end within minutes';
  return err(apiError('SERVICE_UNAVAILABLE', message, details));
}

async function whatItEnds(env: Env, userId: string, now: number) {
  const db = database(env.DB);
  const [held, { orders }, sessions] = await Promise.all([
    countHeld(db, userId),
    countOpenOrdersOfUser(db, userId),
    countSessions(db, userId, now),
  ]);
  return { ...held, orders, sessions };
}

/** An operator stops a recovery that somebody else than the person has asked for. */
export async function endRecovery(
  env: Env,
  { userId, reason }: { readonly userId: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const db = database(env.DB);
  if ((await findUser(db, userId)) === null) return err(apiError('NOT_FOUND', 'no such user'));
  const id = await derivedId(action.id, 'recovery stopped');
  const entry = await entryOf({ id, userId, type: 'recovery_stopped', reason: 'by_operator' }, env);
  const isStopped = await stopRecoveryOf(db, { userId, reason, entry }, action);
  return isStopped ? ok(null) : err(apiError('CONFLICT', 'no recovery of the user waits'));
}

/** Every five minutes: recoveries that are due take effect. One that fails keeps back none of the others. */
export async function completeDueRecoveries(env: Env, now: number): Promise<void> {
  const notYetEnded = await endWhatIsLeft(env);
  const due = (await listDueRecoveries(database(env.DB), now, RECOVERIES_PER_RUN)).filter(
    ({ userId }) => !notYetEnded.has(userId),
  );
  const each = { idOf: ({ id }: FactorRecovery) => id, failure: 'a recovery did not take effect yet' };
  await eachAlone(due, each, (recovery) => complete(env, recovery, now));
}

async function complete(env: Env, recovery: FactorRecovery, now: number): Promise<void> {
  const { id, userId } = recovery;
  const entry = await entryOf({ id: await derivedId(id, 'recovery done'), userId, type: 'recovery_done' }, env);
  const told = await mailOf(env, recovery, 'recovery_done', { at: new Date(now).toISOString() });
  if (!(await completeRecovery(database(env.DB), recovery, { ...entry, at: now }, told))) return;
  await invalidateUser(env, userId);
  await carryMail(env, [told.id]);
}

/** Of accounts that are being taken back: what was not ended where that was asked for. One that fails keeps back none of the others. @returns whose is not ended yet */
async function endWhatIsLeft(env: Env): Promise<ReadonlySet<string>> {
  const left = await listNotYetEnded(database(env.DB), RECOVERIES_PER_RUN);
  const each = { idOf: (userId: string) => userId, failure: 'an account that is taken back has something left' };
  const unended = new Set<string>();
  const failed = await eachAlone(left, each, async (userId) => {
    const ended = await endEverything(env, userId);
    if (ended.ok) return;
    unended.add(userId);
    log('error', 'an account that is taken back still has keys or orders', { user: userId, code: ended.error.code });
  });
  return new Set([...unended, ...failed.keys()]);
}

/** Under an id of its own, so that it is told once. */
async function mailOf(
  env: Env,
  { id, userId }: Pick<FactorRecovery, 'id' | 'userId'>,
  kind: 'recovery_requested' | 'recovery_done',
  facts: Readonly<Record<string, string>>,
): Promise<PostedMail> {
  return messageOf(env, { id: await derivedId(id, kind), userId, to: null, kind, language: 'en', facts });
}
