import type { Market } from '../../../domain/markets/market.ts';
import type { OrderReport } from '../../../durable-objects/order-book/api.ts';
import type { CheckedOrder } from '../checks/checked-order.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/**
 * Where orders execute: one interface for the internal book, brokers, the prime broker and pre-IPO indications
 * (docs/design/matching.md#execution-routes).
 */
export interface ExecutionRoute {
  /** Places orders in their sequence and says what became of each, once that is durable. */
  place(env: Env, orders: readonly CheckedOrder[]): Promise<RouteOutcome[]>;
}

export type RouteOutcome =
  | { readonly type: 'placed'; readonly report: OrderReport; readonly market: Market }
  /** `stored`: the route has kept the order as rejected. */
  | { readonly type: 'refused'; readonly failure: OrderEntryFailure; readonly stored: boolean }
  /** The facts or rules that the order was checked under have changed: check again, the id is still good. */
  | { readonly type: 'stale' }
  /** The id is spent and nothing was done: try again under another. */
  | { readonly type: 'unavailable' };
