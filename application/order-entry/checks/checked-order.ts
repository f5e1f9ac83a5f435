import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { PlaceCommand, RejectCommand } from '../../../durable-objects/order-book/api.ts';
import type { OrderRequest } from '../order-request.ts';

/** An order that is asked for, with what it is of, where it would execute, and its terms in the units of that. */
export interface AskedOrder {
  readonly request: OrderRequest;
  readonly account: string;
  readonly instrument: Instrument;
  readonly route: ExecutionRouteName;
  readonly terms: OrderTerms;
}

/** An order that has passed every check but those that its route makes. */
export interface CheckedOrder extends AskedOrder {
  readonly command: PlaceCommand;
}

/** An order that a check has refused, to be kept as rejected by the route where it would have executed. */
export interface RefusedOrder extends AskedOrder {
  readonly command: RejectCommand;
}
