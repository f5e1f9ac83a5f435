import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { StandingTerms } from '../../../domain/orders/standing-terms.ts';
import type { RouteEvent } from './execution-route.ts';

/**
 * Orders that an isolate remembers, so that cancelling what was just placed needs no read of the database. Final ones, too: who cancels one
 * of them with others must not wait for the ledger or D1 to say where it was.
 */
const ORDERS_MAX = 20_000;

interface KnownOrder {
  readonly account: string;
  readonly route: ExecutionRouteName;
  readonly symbol: string;
  /** Null where nobody has said it here. Other isolates may have amended its trigger since. */
  readonly terms: StandingTerms | null;
}

/** Where orders stand, as far as their routes have reported it here. */
export class KnownOrders {
  readonly #ordersMax: number;
  readonly #orders = new Map<string, KnownOrder>();

  constructor(ordersMax = ORDERS_MAX) {
    this.#ordersMax = ordersMax;
  }

  /** Of too many the one that was reported longest ago is forgotten. */
  note({ route, account, symbol, report, terms }: RouteEvent): void {
    const { orderId } = report;
    const said = terms ?? this.#orders.get(orderId)?.terms ?? null;
    this.#orders.delete(orderId);
    if (this.#orders.size >= this.#ordersMax) this.#orders.delete(this.#orders.keys().next().value ?? '');
    this.#orders.set(orderId, { route, account, symbol, terms: said });
  }

  /** Where this account's order stands, or null. */
  find(orderId: string, account: string): KnownOrder | null {
    const known = this.#orders.get(orderId);
    return known?.account === account ? known : null;
  }
}
