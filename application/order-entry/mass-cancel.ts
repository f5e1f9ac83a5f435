import type { Side } from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { CancelledOrders } from '../order-book/cancel-in-books.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { EXECUTION_ROUTES, ROUTES_WITH_ORDERS } from './routes/execution-routes.ts';

export interface MassCancellation {
  /** One market, or null for all in which the account has open orders. */
  readonly symbol: string | null;
  readonly side: Side | null;
}

/** In a failure, what was cancelled where it could be: some market is out of reach. */
export type MassCancellationOutcome = Result<
  CancelledOrders,
  { readonly failure: OrderEntryFailure; readonly cancelled: CancelledOrders }
>;

/** Cancels every open order of the caller's account, whichever key or door it came through. */
export async function massCancel(
  { env, principal }: OrderEntryContext,
  wanted: MassCancellation,
): Promise<MassCancellationOutcome> {
  const account = principal.facts?.accountId;
  if (account === undefined) return ok({ orderIds: [], pendingOrderIds: [] });
  const cancellations = await Promise.all(
    ROUTES_WITH_ORDERS.map((route) => EXECUTION_ROUTES[route].massCancel(env, { account, ...wanted })),
  );
  const cancelled = {
    orderIds: cancellations.flatMap(({ orderIds }) => orderIds),
    pendingOrderIds: cancellations.flatMap(({ pendingOrderIds }) => pendingOrderIds),
  };
  if (cancellations.every(({ complete }) => complete)) return ok(cancelled);
  return err({ failure: { reason: 'unavailable' }, cancelled });
}
