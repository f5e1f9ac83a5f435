import { orderStore } from '../../data/orders/archive/order-store.ts';
import { listBookOrders } from '../../data/orders/book-orders.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { findOpenOrderCalled } from '../order-book/open-orders.ts';

/**
 * Id of the account's order that carries a client order id: the open one, which the ledger knows, else the latest of the others.
 *
 * @throws OrderArchiveUnavailable
 */
export async function findCalledOrder(
  env: Env,
  account: string,
  clientOrderId: string,
): Promise<Result<string, { readonly reason: 'order_not_found' | 'unavailable' }>> {
  const open = await findOpenOrderCalled(env, account, clientOrderId);
  if (open === 'unknown') return err({ reason: 'unavailable' });
  if (open !== null) return ok(open);
  if (!(await settleBeforeRead(env, account))) return err({ reason: 'unavailable' });
  const query = { account, statuses: null, book: null, clientOrderId, before: null, limit: 1 };
  const { orders } = await listBookOrders(orderStore(env), query);
  const [latest] = orders;
  return latest === undefined ? err({ reason: 'order_not_found' }) : ok(latest.order.id);
}
