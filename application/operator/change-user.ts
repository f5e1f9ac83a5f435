import { changeUser, type EditableUser } from '../../data/accounts/users.ts';
import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { findUser, type UserRow } from '../../data/identity/users.ts';
import { holdsPower } from '../../domain/identity/powers.ts';
import type { Role } from '../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { endKnownSecrets } from '../identity/clients/end-known-secrets.ts';
import { peopleBehind } from '../identity/clients/people-behind.ts';
import { type Ended, endEverything } from '../identity/end-everything.ts';
import { invalidateUser } from '../identity/invalidate-gates.ts';
import { numberAsKept } from '../identity/one-time-code/number-as-kept.ts';
import { NUMBER_CHANGED, tellByPhone } from '../identity/tell-by-phone.ts';

const NOTHING_ENDED = { keyIds: [], orderIds: [], pendingOrderIds: [], clientIds: [] } as const;

/** A user after a change, and what has ended with it. */
export interface ChangedUser extends Ended {
  readonly user: UserRow;
  /** Clients of others whose secret they knew, which wait for another one. */
  readonly clientIds: readonly string[];
}

export interface UserEdit {
  readonly id: string;
  readonly edit: Partial<Omit<EditableUser, 'deactivatedAt'>>;
  /** The roles that the edit was made from, in any order; undefined where it takes place whatever they are. */
  readonly rolesBefore?: readonly Role[] | undefined;
  readonly reason: string;
}

/** Changes name, address, phone number or roles of a user; what the Gates know of them is read again. Another number ends their sessions. */
export async function editUser(
  env: Env,
  { id, edit, rolesBefore, reason }: UserEdit,
  action: OperatorAction,
): Promise<Result<ChangedUser, ApiError>> {
  const db = database(env.DB);
  const user = await findUser(db, id);
  if (user === null) return err(noSuchUser());
  if (user.service && (edit.phone ?? null) !== null)
    return err(apiError('VALIDATION_ERROR', 'nobody signs in as a service', { field: 'phone' }));
  if (edit.roles !== undefined && (await peopleBehind(db, action)).has(id))
    return err(apiError('CONFLICT', 'another operator changes your roles'));
  const isAsRead = rolesBefore === undefined || asSet(rolesBefore) === asSet(user.roles);
  if (!isAsRead && (await findOperatorChange(db, action, id)) === null)
    return err(
      apiError('CONFLICT', 'the user has other roles than rolesBefore: read them again', { roles: user.roles }),
    );
  // As whoever has it already keeps it: so it is found to be taken, or to be their own.
  const edited = typeof edit.phone === 'string' ? { ...edit, phone: await numberAsKept(db, edit.phone) } : edit;
  const change = { user, change: edited, type: 'operator.user_changed', reason, now: Date.now() };
  if (!(await changeUser(db, change, action)))
    return err(apiError('CONFLICT', 'the phone number is taken, or the users have changed meanwhile: read them again'));
  await invalidateUser(env, id);
  const changed = (await findUser(db, id)) ?? user;
  if (changed.phone !== user.phone) await tellByPhone(env, [user.phone, changed.phone], NUMBER_CHANGED);
  if (edit.roles === undefined || runsVenue(changed)) return ok({ user: changed, ...NOTHING_ENDED });
  const known = await endKnownSecrets(env, id);
  return known.ok ? ok({ user: changed, ...NOTHING_ENDED, clientIds: known.value }) : known;
}

export interface Activation {
  readonly id: string;
  readonly active: boolean;
  readonly reason: string;
}

/**
 * Deactivates a user: tokens and keys end, open orders are cancelled, and nobody signs in as them until they are reactivated, which brings none
 * of that back. What they were shown of others ends with them (`endKnownSecrets`). Their account stays as it is.
 */
export async function setUserActive(
  env: Env,
  { id, active, reason }: Activation,
  action: OperatorAction,
): Promise<Result<ChangedUser, ApiError>> {
  const db = database(env.DB);
  const user = await findUser(db, id);
  if (user === null) return err(noSuchUser());
  if ((await peopleBehind(db, action)).has(id)) return err(apiError('CONFLICT', 'another operator deactivates you'));
  const now = Date.now();
  const isDone = (await findOperatorChange(db, action, id)) !== null;
  if (!isDone && (user.deactivatedAt === null) !== active) {
    const type = active ? 'operator.user_reactivated' : 'operator.user_deactivated';
    const change = { user, change: { deactivatedAt: active ? null : now }, type, reason, now };
    if (!(await changeUser(db, change, action)))
      return err(apiError('CONFLICT', 'the users have changed meanwhile: read them again'));
  }
  const current = (await findUser(db, id)) ?? user;
  // A repetition that comes after a reactivation ends nothing.
  if (active || current.deactivatedAt === null) {
    await invalidateUser(env, id);
    return ok({ user: current, ...NOTHING_ENDED });
  }
  const ended = await endEverything(env, id);
  if (!ended.ok) return ended;
  const known = await endKnownSecrets(env, id);
  return known.ok ? ok({ user: current, ...ended.value, clientIds: known.value }) : known;
}

function asSet(roles: readonly Role[]): string {
  return [...new Set(roles)].toSorted().join(' ');
}

function runsVenue({ owner, roles }: UserRow): boolean {
  return holdsPower({ owner, roles }, 'run_venue');
}

function noSuchUser(): ApiError {
  return apiError('NOT_FOUND', 'user does not exist');
}
