import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { findOrderAtRoutes } from '../../application/order-entry/routes/execution-routes.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { findBookOrder } from '../../data/orders/book-orders.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';
import { type Order, orderOf } from './order.ts';

/** An order of the account as it stands: an open one from its book, another from the read model once that has caught up. */
export async function readOrder(c: AppContext, account: string, orderId: string): Promise<Result<Order, ApiError>> {
  const open = await findOrderAtRoutes(c.env, { account, owner: principalOf(c).owner }, orderId);
  if (open !== null && open !== 'unknown') return ok(orderOf(open));
  if (!(await settleBeforeRead(c.env, account))) return err(notCurrent());
  const found = await findBookOrder(orderStore(c.env), account, orderId);
  return found === null ? err(apiError('ORDER_NOT_FOUND', 'order does not exist')) : ok(orderOf(found));
}
