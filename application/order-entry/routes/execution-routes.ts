import type { BookOrder } from '../../../data/orders/book-orders.ts';
import { EXECUTION_ROUTE_NAMES, type ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { OrderHolder } from '../../order-book/open-orders.ts';
import type { ExecutionRoute } from './execution-route.ts';
import { internalRoute } from './internal-route.ts';
import { KnownOrders } from './known-orders.ts';

/** What every route has reported to this isolate. */
export const knownOrders = new KnownOrders();

/** Orders that stand on books, whether they meet there, are handed to a broker or the prime broker, or wait there for a listing event. */
const books = internalRoute((event) => knownOrders.note(event));

/** Every kind of route. */
export const EXECUTION_ROUTES: Readonly<Record<ExecutionRouteName, ExecutionRoute>> = {
  internal: books,
  broker: books,
  prime: books,
  indication: books,
};

/** Of routes that share where their orders stand, one: what is asked of all routes is asked there once. */
export const ROUTES_WITH_ORDERS = EXECUTION_ROUTE_NAMES.filter(
  (name, at) => EXECUTION_ROUTE_NAMES.findIndex((other) => EXECUTION_ROUTES[other] === EXECUTION_ROUTES[name]) === at,
);

/** An open order of the account, from whichever route has it. Null when none has, `unknown` when one of them cannot say. */
export async function findOrderAtRoutes(
  env: Env,
  holder: OrderHolder,
  orderId: string,
): Promise<BookOrder | null | 'unknown'> {
  const answers = await Promise.all(
    ROUTES_WITH_ORDERS.map((name) => EXECUTION_ROUTES[name].status(env, holder, orderId)),
  );
  const found = answers.find((answer) => answer !== null && answer !== 'unknown');
  return found ?? (answers.includes('unknown') ? 'unknown' : null);
}
