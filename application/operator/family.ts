import { type AccountRow, findAccountOfUser } from '../../data/accounts/accounts.ts';
import { findFamilyRelation, type RelatedUsers } from '../../data/accounts/family.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { FAMILY_MAX, type Relationship } from '../../domain/accreditation/family.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { invalidateUser } from '../identity/invalidate-gates.ts';
import { endFamily, type FamilyEndError, type FamilyError, recordFamily } from '../ledger/change-family.ts';
import { type CancelledOrders, cancelInBooks } from '../order-book/cancel-in-books.ts';
import { noSuchAccount } from './not-found.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** What an operator states of two people. */
export interface StatedFamily {
  readonly userId: string;
  readonly relativeId: string;
  /** What the relative is to the user. */
  readonly relationship: Relationship;
  /** Where the evidence is kept. */
  readonly evidence: string;
}

/** Records that two users are family (17 CFR 227.501(c)); their next orders may meet each other as such. */
export async function recordFamilyOfUser(
  env: Env,
  { userId, relativeId, relationship, evidence }: StatedFamily,
  action: OperatorAction,
): Promise<Result<RelatedUsers, ApiError>> {
  if (userId === relativeId)
    return err(apiError('VALIDATION_ERROR', 'nobody is family of their own', { field: 'relativeId' }));
  const db = database(env.DB);
  const [account, relative] = await Promise.all([userId, relativeId].map((id) => findAccountOfUser(db, id)));
  if (account == null || relative == null) return err(noSuchUser(account == null ? 'id' : 'relativeId'));
  const stated = { account: account.id, relative: relative.id, relationship, evidence };
  const recorded = await recordFamily(env, { ...stated, action, now: Date.now() });
  if (!recorded.ok) return err(recordError(recorded.error));
  await invalidateBoth(env, recorded.value);
  return recorded;
}

export interface EndedRelation {
  readonly relation: RelatedUsers;
  readonly cancelled: CancelledOrders;
}

/** Ends a relation of a user, and cancels what either has open that carries the other. */
export async function endFamilyOfUser(
  env: Env,
  { userId, relationId, reason }: { readonly userId: string; readonly relationId: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<EndedRelation, ApiError>> {
  const relation = await findFamilyRelation(database(env.DB), relationId);
  if (relation === null || (relation.userId !== userId && relation.relativeUserId !== userId))
    return err(apiError('NOT_FOUND', 'the user has no such relation'));
  const ended = await endFamily(env, { relation, reason, action, now: Date.now() });
  if (!ended.ok) return err(endError(ended.error));
  await invalidateBoth(env, relation);
  const { account, relative } = relation;
  const command = { account, keyId: null, side: null, relative, reason: 'revoked' } as const;
  const { unreachable, ...cancelled } = await cancelInBooks(env, ended.value.cancelIn, command, [action.id]);
  if (unreachable.length === 0) return ok({ relation: ended.value.relation, cancelled });
  const message =
    'the relation has ended, but a book did not answer; repeat with the same Idempotency-Key to cancel the open orders';
  return err(apiError('SERVICE_UNAVAILABLE', message));
}

/** The account of a user whose family may be read: of the organization, or (null) of anybody. */
export async function accountWithFamily(
  env: Env,
  userId: string,
  owner: string | null,
): Promise<Result<AccountRow, ApiError>> {
  const account = await findAccountOfUser(database(env.DB), userId);
  if (account === null || (owner !== null && account.owner !== owner)) return err(noSuchUser('id'));
  return ok(account);
}

async function invalidateBoth(env: Env, { userId, relativeUserId }: RelatedUsers): Promise<void> {
  const users = [userId, relativeUserId].filter((id) => id !== null);
  await Promise.all(users.map((id) => invalidateUser(env, id)));
}

function noSuchUser(field: 'id' | 'relativeId'): ApiError {
  return apiError('NOT_FOUND', 'user does not exist, or has no account', { field });
}

function recordError(error: FamilyError): ApiError {
  switch (error.reason) {
    case 'account_not_found':
      return noSuchAccount();
    case 'already_family':
      return apiError('CONFLICT', 'the two are recorded as family', { relationId: error.relation });
    case 'too_many':
      return apiError('CONFLICT', `an account has ${FAMILY_MAX} relatives at most`, { accountId: error.account });
    case 'outcome_unknown':
      return outcomeUnknown({ reason: error.reason });
  }
}

function endError({ reason }: FamilyEndError): ApiError {
  switch (reason) {
    case 'ended_before':
      return apiError('CONFLICT', 'the relation has ended before');
    case 'outcome_unknown':
      return outcomeUnknown({ reason });
  }
}
