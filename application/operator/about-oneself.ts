import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../data/database.ts';
import { accountsOfUsers, behindNames } from '../../data/identity/behind-names.ts';
import { type NamedCall, namesOf } from '../../domain/identity/approval.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { peopleBehind } from '../identity/clients/people-behind.ts';
import { projected } from '../ledger/projected.ts';

/** Ids of everybody who may be acting, and of their accounts. */
export async function namesOfWhoActs(
  db: Database,
  action: Pick<OperatorAction, 'actor' | 'credential'>,
): Promise<ReadonlySet<string>> {
  const people = [...(await peopleBehind(db, action))];
  return new Set([...people, ...(await accountsOfUsers(db, people))]);
}

/** Ids of those whom a call is about, by whatever ids it names them; null while D1 does not show everything that the ledger has done. */
export async function namedBy(env: Env, call: NamedCall): Promise<readonly string[] | null> {
  // Whose a request or a trade is stands in D1 once the ledger's journal is projected.
  if (!(await projected(env))) return null;
  const names = namesOf(call);
  return [...names, ...(await behindNames(database(env.DB), names))];
}

/** Why an operator does not make a call, because it is about them or whoever else may be acting; null where it is about others. */
export async function refuseOfOneself(
  env: Env,
  call: NamedCall,
  action: Pick<OperatorAction, 'actor' | 'credential'>,
): Promise<ApiError | null> {
  const named = await namedBy(env, call);
  if (named === null)
    return apiError('SERVICE_UNAVAILABLE', 'the venue does not show everything yet; repeat it in a moment');
  const own = await namesOfWhoActs(database(env.DB), action);
  if (!named.some((name) => own.has(name))) return null;
  return apiError('FORBIDDEN', 'another operator does this for you', { reason: 'about_you' });
}
