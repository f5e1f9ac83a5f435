import { z } from '@hono/zod-openapi';
import { findAccount } from '../../../data/accounts.ts';
import { changeFacts } from '../../../data/change-facts.ts';
import { database } from '../../../data/database.ts';
import type { ComplianceFacts } from '../../../domain/accounts/account.ts';
import { revokes } from '../../../domain/accounts/revokes.ts';
import { type ApiError, apiError } from '../../middleware/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { invalidateUser } from '../../middleware/invalidate-gates.ts';
import { FactsView, factsView } from './account-schema.ts';
import { actionOf } from './action-of.ts';
import { cancelOpenOrders } from './cancel-open-orders.ts';

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
  const db = database(c.env.DB);
  const account = await findAccount(db, accountId);
  const change = await changeFacts(db, { account: accountId, facts, action: actionOf(c), now: Date.now() });
  if (account === null || change === null) return { ok: false, error: apiError('NOT_FOUND', 'account does not exist') };
  if (account.userId !== null) await invalidateUser(c.env, account.userId);
  const cancelledOrders = revokes(change.before, change.after) ? await cancelOpenOrders(c.env, accountId) : [];
  if (cancelledOrders === null) {
    const message =
      'the facts have changed, but a book did not answer; repeat with the same Idempotency-Key to cancel the open orders';
    return { ok: false, error: apiError('SERVICE_UNAVAILABLE', message) };
  }
  return {
    ok: true,
    data: { accountId, before: factsView(change.before), after: factsView(change.after), cancelledOrders },
  };
}
