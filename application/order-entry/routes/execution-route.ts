import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { BookOrder } from '../../../data/orders/book-orders.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { OpenOrderPlace } from '../../../domain/ledger/outcomes.ts';
import type { Market } from '../../../domain/markets/market.ts';
import type { Side } from '../../../domain/orders/order.ts';
import type { StandingTerms } from '../../../domain/orders/standing-terms.ts';
import type { Result } from '../../../domain/result.ts';
import type { AmendCommand, OrderReport } from '../../../durable-objects/order-book/api.ts';
import type { CancelledOrders } from '../../order-book/cancel-in-books.ts';
import type { OrderHolder } from '../../order-book/open-orders.ts';
import type { CheckedOrder, RefusedOrder } from '../checks/checked-order.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/**
 * Where orders execute (docs/design/matching.md#execution-routes): one interface for the internal books, brokers, the prime broker and
 * pre-IPO indications. Order entry checks; a route does, and answers once what it says is durable. Orders of several requests are answered
 * in their order.
 *
 * What a route says of an order, it also reports to the listener that it was made with (`OnRouteEvent`).
 */
export interface ExecutionRoute {
  /** Places orders in their sequence, and records those among them that were refused. */
  place(env: Env, orders: readonly (CheckedOrder | RefusedOrder)[]): Promise<RoutePlacement[]>;
  /**
   * Changes an order whose new terms have passed the checks.
   *
   * @param instrument that the order is of; without a market on a route without markets
   */
  amend(env: Env, instrument: AmendedInstrument, command: AmendCommand): Promise<RouteAmendment>;
  /** Cancels orders of one account. A route that does not have an order says `order_not_found`. */
  cancel(env: Env, account: string, orders: readonly RoutedOrder[]): Promise<RouteCancellation[]>;
  /** Cancels every open order of an account on the route, whichever key or door it came through. */
  massCancel(env: Env, wanted: RouteMassCancel): Promise<RouteMassCancellation>;
  /** An open order of the account, with everything acknowledged in it. Null when none is open under this id. */
  status(env: Env, holder: OrderHolder, orderId: string): Promise<BookOrder | null | 'unknown'>;
  /** The same of an order whose market is known: of that alone is asked, and of nobody whom cancelling it there does without. */
  statusAt(env: Env, holder: OrderHolder, place: OpenOrderPlace): Promise<BookOrder | null | 'unknown'>;
  /** Symbols of the markets on which the account has open orders, shown in D1 or not. Null when that cannot be known. */
  openMarkets(env: Env, account: string): Promise<readonly string[] | null>;
  /**
   * Waits until the ledger has what the route has acknowledged on a market; false when that cannot be.
   *
   * @param symbol null on a route without markets
   */
  settled(env: Env, symbol: string | null): Promise<boolean>;
}

/** What an amended order is of. */
export type AmendedInstrument = Pick<Instrument, 'market' | 'dollars'>;

/** What a route says of an order: it was placed, changed or cancelled. */
export interface RouteEvent {
  readonly route: ExecutionRouteName;
  readonly account: string;
  /** Market that the order stands on. */
  readonly symbol: string;
  readonly report: OrderReport;
  /** What the order is; null where the route was not told. */
  readonly terms: StandingTerms | null;
}

export type OnRouteEvent = (event: RouteEvent) => void;

export type RoutePlacement =
  | { readonly type: 'placed'; readonly report: OrderReport; readonly market: Market }
  /** `stored`: the route has kept the order as rejected. */
  | { readonly type: 'refused'; readonly failure: OrderEntryFailure; readonly stored: boolean }
  /** The order that was refused stands as rejected. */
  | { readonly type: 'recorded' }
  /** The facts or rules that the order was checked under have changed: check again, the id is still good. */
  | { readonly type: 'stale' }
  /** The route does not say what became of the id: ask the ledger whether it is spent. */
  | { readonly type: 'unavailable' };

export type RouteAmendment =
  | { readonly type: 'amended'; readonly report: OrderReport; readonly market: Market }
  /** `order_not_found`: the order is final by now. */
  | { readonly type: 'refused'; readonly failure: OrderEntryFailure }
  /** The facts, rules or terms that the amendment was checked under have changed: check again. */
  | { readonly type: 'stale' }
  /** The route does not say whether the amendment was applied. */
  | { readonly type: 'unavailable' };

/** An order as far as its route must know it to find it. */
export interface RoutedOrder {
  readonly orderId: string;
  /** Market that it stands on; null on a route without markets. */
  readonly symbol: string | null;
  /** What it is; null where that is not known. */
  readonly terms: StandingTerms | null;
}

interface Cancelled {
  /** Of an order that a broker is to end, and has not ended in time: as it stands, open. */
  readonly report: OrderReport;
  readonly symbol: string;
}

export type RouteCancellation = Result<Cancelled, OrderEntryFailure>;

interface RouteMassCancel {
  readonly account: string;
  /** One market, or null for all. */
  readonly symbol: string | null;
  readonly side: Side | null;
}

interface RouteMassCancellation extends CancelledOrders {
  /** Whether every market was reached. */
  readonly complete: boolean;
}
