import { findAccount } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { invalidateUser } from '../identity/invalidate-gates.ts';
import { changeFacts, type FactsChangeError, type FactsChangeRequest } from '../ledger/change-facts.ts';
import { type CancelledOrders, cancelInBooks } from '../order-book/cancel-in-books.ts';
import { regCfAmountsOf } from '../order-entry/checks/reg-cf-amounts-of.ts';
import { noSuchAccount } from './not-found.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

export interface AppliedFacts {
  readonly before: ComplianceFacts;
  readonly after: ComplianceFacts;
  readonly cancelled: CancelledOrders;
}

/** Changes facts of an account, tells the Gates, and cancels what may no longer be open. */
export async function applyFacts(
  env: Env,
  accountId: string,
  facts: FactsChangeRequest['facts'],
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  const account = await findAccount(database(env.DB), accountId);
  if (account === null) return err(noSuchAccount());
  const change = await changeFacts(env, {
    account: accountId,
    facts,
    action,
    regCfAmounts: regCfAmountsOf(env),
    now: Date.now(),
  });
  if (!change.ok) return err(factsChangeError(change.error));
  const { before, after, cancelIn, side } = change.value;
  if (account.userId !== null) await invalidateUser(env, account.userId);
  const command = { account: accountId, keyId: null, side, reason: 'revoked' } as const;
  const { unreachable, ...cancelled } = await cancelInBooks(env, cancelIn, command, [action.id]);
  if (unreachable.length > 0) {
    const message =
      'the facts have changed, but a book did not answer; repeat with the same Idempotency-Key to cancel the open orders';
    return err(apiError('SERVICE_UNAVAILABLE', message));
  }
  return ok({ before, after, cancelled });
}

function factsChangeError({ reason }: FactsChangeError): ApiError {
  switch (reason) {
    case 'account_not_found':
      return noSuchAccount();
    case 'outcome_unknown':
      return outcomeUnknown({ reason });
  }
}
