import type { Instrument } from '../../data/instruments.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import type { PlaceCommand } from '../../durable-objects/order-book/api.ts';
import type { OrderRequest } from './order-request.ts';

/** An order that has passed every check but those that its route makes. */
export interface CheckedOrder {
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  readonly terms: OrderTerms;
  readonly command: PlaceCommand;
}
