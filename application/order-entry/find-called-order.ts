import { orderStore } from '../../data/orders/archive/order-store.ts';
import { listBookOrders } from '../../data/orders/book-orders.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { findOpenOrderCalled } from '../order-book/open-orders.ts';

/** Of the archive, a page looks through two million orders. */
const PAGES_MAX = 5;

/**
 * Id of the account's order that carries a client order id: the open one, which the ledger knows, else the latest of the others.
 *
 * @param placedBefore only an order with an id below this one, or null for any: what repeats a request means no order that was placed after it
 * @throws OrderArchiveUnavailable
 */
export async function findCalledOrder(
  env: Env,
  account: string,
  clientOrderId: string,
  placedBefore: string | null = null,
): Promise<Result<string, { readonly reason: 'order_not_found' | 'unavailable' }>> {
  const open = await findOpenOrderCalled(env, account, clientOrderId);
  if (open === 'unknown') return err({ reason: 'unavailable' });
  if (open !== null && (placedBefore === null || open < placedBefore)) return ok(open);
  if (!(await settleBeforeRead(env, account))) return err({ reason: 'unavailable' });
  let before = placedBefore;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const query = { account, statuses: null, book: null, clientOrderId, before, limit: 1 };
    const { orders, next } = await listBookOrders(orderStore(env), query);
    const [latest] = orders;
    if (latest !== undefined) return ok(latest.order.id);
    if (next === null) break;
    before = next;
  }
  return err({ reason: 'order_not_found' });
}
