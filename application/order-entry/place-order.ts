import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderRequest } from './order-request.ts';
import { type PlacementOutcome, placeOrders } from './place-orders.ts';

/** Admits one order: placeOrders of one. */
export async function placeOrder(context: OrderEntryContext, request: OrderRequest): Promise<PlacementOutcome> {
  const [outcome] = await placeOrders(context, [request]);
  if (outcome === undefined) throw new Error('placeOrders answers every request');
  return outcome;
}
