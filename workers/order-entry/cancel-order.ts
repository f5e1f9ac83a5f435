import { type CancellationOutcome, cancelOrders } from './cancel-orders.ts';
import type { OrderEntryContext } from './order-entry-context.ts';

/** Cancels one order: cancelOrders of one. */
export async function cancelOrder(context: OrderEntryContext, orderId: string): Promise<CancellationOutcome> {
  const [outcome] = await cancelOrders(context, [orderId]);
  if (outcome === undefined) throw new Error('cancelOrders answers every request');
  return outcome;
}
