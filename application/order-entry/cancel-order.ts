import { type CancellationOutcome, cancelOrders } from './cancel-orders.ts';
import type { OrderEntryContext } from './order-entry-context.ts';

/** Cancels one order: cancelOrders of one. */
export async function cancelOrder(
  context: OrderEntryContext,
  orderId: string,
  symbol: string | null = null,
): Promise<CancellationOutcome> {
  const [outcome] = await cancelOrders(context, [orderId], symbol);
  if (outcome === undefined) throw new Error('cancelOrders answers every request');
  return outcome;
}
