import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { findOpenOrder } from '../../application/order-book/open-orders.ts';
import { findOrder, type ScaledOrder } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../data/orders/book-orders.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderEntryError } from '../responses/order-entry-error.ts';

type ReadOrder = { readonly ok: true; readonly order: ScaledOrder } | { readonly ok: false; readonly error: ApiError };

/** The caller's order with everything acknowledged in it: another user's order does not exist. */
export async function readOrder(c: AppContext, id: string): Promise<ReadOrder> {
  const { facts, owner } = principalOf(c);
  if (facts === null) return { ok: false, error: orderEntryError({ reason: 'order_not_found' }) };
  const open = await findOpenOrder(c.env, { account: facts.accountId, owner }, id);
  if (open !== null && open !== 'unknown') return { ok: true, order: scaledOrder(open) };
  if (!(await settleBeforeRead(c.env, facts.accountId))) return { ok: false, error: notCurrent() };
  const order = await findOrder(orderStore(c.env), { id, account: facts.accountId, owner });
  return order === null ? { ok: false, error: orderEntryError({ reason: 'order_not_found' }) } : { ok: true, order };
}
