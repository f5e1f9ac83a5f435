import { z } from '@hono/zod-openapi';
import { invalidateUser } from '../../../application/identity/invalidate-gates.ts';
import { changeFacts, type FactsChangeError } from '../../../application/ledger/change-facts.ts';
import { cancelInBooks } from '../../../application/order-book/cancel-in-books.ts';
import { findAccount } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import type { ComplianceFacts } from '../../../domain/accounts/account.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { FactsView, factsView } from './account-schema.ts';
import { actionOf } from './action-of.ts';

export const FactsChangeView = z
  .object({ accountId: z.string(), before: FactsView, after: FactsView, cancelledOrders: z.array(z.string()) })
  .openapi('OperatorFactsChange');

export type FactsOutcome =
  | { readonly ok: true; readonly data: z.infer<typeof FactsChangeView> }
  | { readonly ok: false; readonly error: ApiError };

/** Changes facts of an account, tells the Gates, and cancels what may no longer be open. */
export async function applyFacts(
  c: AppContext,
  accountId: string,
  facts: Partial<ComplianceFacts>,
): Promise<FactsOutcome> {
  const account = await findAccount(database(c.env.DB), accountId);
  if (account === null) return { ok: false, error: apiError('NOT_FOUND', 'account does not exist') };
  const action = actionOf(c);
  const change = await changeFacts(c.env, { account: accountId, facts, action, now: Date.now() });
  if (!change.ok) return { ok: false, error: factsChangeError(change.error) };
  const { before, after, cancelIn } = change.value;
  if (account.userId !== null) await invalidateUser(c.env, account.userId);
  const command = { account: accountId, keyId: null, side: null, reason: 'revoked' } as const;
  const { orderIds, unreachable } = await cancelInBooks(c.env, cancelIn, command, [action.id]);
  if (unreachable.length > 0) {
    const message =
      'the facts have changed, but a book did not answer; repeat with the same Idempotency-Key to cancel the open orders';
    return { ok: false, error: apiError('SERVICE_UNAVAILABLE', message) };
  }
  return {
    ok: true,
    data: {
      accountId,
      before: factsView(before),
      after: factsView(after),
      cancelledOrders: [...orderIds],
    },
  };
}

function factsChangeError({ reason }: FactsChangeError): ApiError {
  switch (reason) {
    case 'account_not_found':
      return apiError('NOT_FOUND', 'account does not exist');
    case 'outcome_unknown':
      return apiError(
        'SERVICE_UNAVAILABLE',
        'no answer from the ledger; repeat with the same Idempotency-Key to learn the outcome',
        { reason },
      );
  }
}
