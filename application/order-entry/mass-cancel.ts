import type { Side } from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { EXECUTION_ROUTES, ROUTES_WITH_ORDERS } from './routes/execution-routes.ts';

export interface MassCancellation {
  /** One market, or null for all in which the account has open orders. */
  readonly symbol: string | null;
  readonly side: Side | null;
}

/** Ids of what was cancelled; in a failure, of what was cancelled where it could be: some market is out of reach. */
export type MassCancellationOutcome = Result<
  readonly string[],
  { readonly failure: OrderEntryFailure; readonly orderIds: readonly string[] }
>;

/** Cancels every open order of the caller's account, whichever key or door it came through. */
export async function massCancel(
  { env, principal }: OrderEntryContext,
  wanted: MassCancellation,
): Promise<MassCancellationOutcome> {
  const account = principal.facts?.accountId;
  if (account === undefined) return ok([]);
  const cancellations = await Promise.all(
    ROUTES_WITH_ORDERS.map((route) => EXECUTION_ROUTES[route].massCancel(env, { account, ...wanted })),
  );
  const orderIds = cancellations.flatMap((cancellation) => cancellation.orderIds);
  if (cancellations.every(({ complete }) => complete)) return ok(orderIds);
  return err({ failure: { reason: 'unavailable' }, orderIds });
}
