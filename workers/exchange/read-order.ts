import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { findOrderAtRoutes } from '../../application/order-entry/routes/execution-routes.ts';
import { findOrder, type ScaledOrder } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../data/orders/book-orders.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderEntryError } from '../responses/order-entry-error.ts';

/** The caller's order with everything acknowledged in it: another user's order does not exist. */
export async function readOrder(c: AppContext, id: string): Promise<Result<ScaledOrder, ApiError>> {
  const { facts, owner } = principalOf(c);
  if (facts === null) return err(orderEntryError({ reason: 'order_not_found' }));
  const open = await findOrderAtRoutes(c.env, { account: facts.accountId, owner }, id);
  if (open !== null && open !== 'unknown') return ok(scaledOrder(open));
  if (!(await settleBeforeRead(c.env, facts.accountId))) return err(notCurrent());
  const order = await findOrder(orderStore(c.env), { id, account: facts.accountId, owner });
  return order === null ? err(orderEntryError({ reason: 'order_not_found' })) : ok(order);
}
