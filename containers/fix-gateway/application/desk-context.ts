import type { CallerHeaders, Exchange } from './exchange.ts';
import type { OrderDesk } from './order-desk.ts';
import type { Unanswered } from './order-placement.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What a request about orders is worked off with. */
export interface DeskContext {
  readonly desk: OrderDesk;
  readonly exchange: Exchange;
  readonly caller: CallerHeaders;
  /** An order of the account that the session does not know, by its ClOrdID; it is tracked from then on. */
  find(clOrdId: string): Promise<TrackedOrder | null | Unanswered>;
  /** The same by its OrderID, which an order without a client_order_id has alone. */
  findById(orderId: string): Promise<TrackedOrder | null | Unanswered>;
  /** Brings what is known of an order to what the exchange has; false where that cannot be asked. */
  refresh(order: TrackedOrder): Promise<boolean>;
  /** Learns of what was passed over. */
  reconcile(): void;
}
