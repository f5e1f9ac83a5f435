import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import type { RouteEvent } from './execution-route.ts';

/** Open orders that an isolate remembers, so that cancelling what was just placed needs no read of the database. */
const ORDERS_MAX = 20_000;

interface KnownOrder {
  readonly account: string;
  readonly route: ExecutionRouteName;
  readonly symbol: string;
}

/** Where open orders stand, as far as their routes have reported it here. */
export class KnownOrders {
  readonly #ordersMax: number;
  readonly #orders = new Map<string, KnownOrder>();

  constructor(ordersMax = ORDERS_MAX) {
    this.#ordersMax = ordersMax;
  }

  /** Remembers an order that is open, forgets one that is final. Of too many the oldest is forgotten. */
  note({ route, account, symbol, report: { orderId, status } }: RouteEvent): void {
    this.#orders.delete(orderId);
    if (isFinal(status)) return;
    if (this.#orders.size >= this.#ordersMax) this.#orders.delete(this.#orders.keys().next().value ?? '');
    this.#orders.set(orderId, { route, account, symbol });
  }

  /** Where this account's order stands, or null. */
  find(orderId: string, account: string): KnownOrder | null {
    const known = this.#orders.get(orderId);
    return known?.account === account ? known : null;
  }
}
