import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderRequest } from './order-request.ts';
import { placeOrders } from './place-orders.ts';
import type { PlacementOutcome } from './placement.ts';

/** Admits one order: placeOrders of one. */
export async function placeOrder(context: OrderEntryContext, request: OrderRequest): Promise<PlacementOutcome> {
  const [outcome] = await placeOrders(context, [request]);
  if (outcome === undefined) throw new Error('placeOrders answers every request');
  return outcome;
}
