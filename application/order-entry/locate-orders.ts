import { database } from '../../data/database.ts';
import { findOrderBooks } from '../../data/orders/account-orders.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import { routeOfOrder } from '../../domain/assets/route-of.ts';
import { allows } from '../../domain/order-state/order-state.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { type StandingTerms, standingTermsOf } from '../../domain/orders/standing-terms.ts';
import type { OrderHolder } from '../order-book/open-orders.ts';
import { EXECUTION_ROUTES, findOrderAtRoutes, knownOrders, ROUTES_WITH_ORDERS } from './routes/execution-routes.ts';

interface OrderPlace {
  readonly route: ExecutionRouteName;
  /** Market of the route; null on a route without markets. */
  readonly symbol: string | null;
}

/** Where an order may be open and what it is, null where that is not known; or the state that it ended in and the market on which that was. */
export type Location =
  | { readonly places: readonly OrderPlace[]; readonly terms: StandingTerms | null }
  | { readonly ended: OrderStatus; readonly symbol: string | null };

/**
 * Where each order is: remembered by this isolate, else as D1 has it, else (just acknowledged, or D1 is away) as its book has it, else on one of the
 * markets on which the account has open orders. What cannot be known now is left out. Of an order that is remembered neither D1 nor the ledger is asked:
 * whoever cancels it waits for its book alone.
 */
export async function locateOrders(
  env: Env,
  holder: OrderHolder,
  orderIds: readonly string[],
): Promise<Map<string, Location>> {
  const { account } = holder;
  const locations = new Map<string, Location>();
  const places = new Map<string, OrderPlace>();
  for (const orderId of orderIds) {
    const known = knownOrders.find(orderId, account);
    if (known === null) continue;
    if (known.terms === null) places.set(orderId, known);
    else locations.set(orderId, { places: [known], terms: known.terms });
  }
  const notRemembered = orderIds.filter((orderId) => !locations.has(orderId));
  for (const stored of (await readStored(env, account, notRemembered)) ?? []) {
    locations.set(stored.id, locationOf(stored));
  }
  await Promise.all([readTriggers(env, holder, locations), askRoutes(env, holder, locations, notRemembered)]);
  for (const [orderId, place] of places)
    if (!locations.has(orderId)) locations.set(orderId, { places: [place], terms: null });
  const unknown = notRemembered.filter((orderId) => !locations.has(orderId));
  if (unknown.length === 0) return locations;
  const open = await openPlaces(env, account);
  if (open !== null) for (const orderId of unknown) locations.set(orderId, { places: open, terms: null });
  return locations;
}

/** Another isolate may have amended a trigger since it was remembered, and D1 may show it as it was: its book has it. */
async function readTriggers(env: Env, holder: OrderHolder, locations: Map<string, Location>): Promise<void> {
  await Promise.all(
    Array.from(locations, async ([orderId, location]) => {
      if (!('terms' in location) || location.terms?.stopPrice == null) return;
      const { places, terms } = location;
      const [place] = places;
      if (place === undefined || place.symbol === null) return;
      const { clientOrderId } = terms;
      const wanted = { orderId, book: place.symbol, clientOrderId };
      const found = await EXECUTION_ROUTES[place.route].statusAt(env, holder, wanted);
      if (found === null || found === 'unknown') return;
      locations.set(orderId, { places, terms: standingTermsOf(found.order) });
    }),
  );
}

/** Adds what the routes say of orders that D1 does not show. */
async function askRoutes(
  env: Env,
  holder: OrderHolder,
  locations: Map<string, Location>,
  orderIds: readonly string[],
): Promise<void> {
  const asked = orderIds.filter((orderId) => !locations.has(orderId));
  for (const found of await Promise.all(asked.map((orderId) => findOrderAtRoutes(env, holder, orderId)))) {
    if (found === null || found === 'unknown') continue;
    const { order, market } = found;
    locations.set(order.id, {
      places: [{ route: ROUTE_OF_BOOKS, symbol: market.symbol }],
      terms: standingTermsOf(order),
    });
  }
}

/** Of orders that stand on books: all routes of today. */
const [ROUTE_OF_BOOKS = 'internal'] = ROUTES_WITH_ORDERS;

type StoredOrder = Awaited<ReturnType<typeof findOrderBooks>>[number];

function locationOf(stored: StoredOrder): Location {
  const { book: symbol, status } = stored;
  if (!allows(status, 'cancel')) return { ended: status, symbol };
  return { places: [{ route: routeOfOrder(stored), symbol }], terms: standingTermsOf(stored) };
}

/** Every place at which a route has open orders of the account; null when one of the routes cannot say. */
async function openPlaces(env: Env, account: string): Promise<OrderPlace[] | null> {
  const ofRoutes = await Promise.all(
    ROUTES_WITH_ORDERS.map(async (route) => {
      const markets = await EXECUTION_ROUTES[route].openMarkets(env, account);
      return markets === null ? null : markets.map((symbol) => ({ route, symbol }));
    }),
  );
  return ofRoutes.some((places) => places === null) ? null : ofRoutes.flatMap((places) => places ?? []);
}

/** Orders as D1 shows them; null while it is away. */
async function readStored(env: Env, account: string, orderIds: readonly string[]): Promise<StoredOrder[] | null> {
  if (orderIds.length === 0) return [];
  try {
    return await findOrderBooks(database(env.DB), account, orderIds);
  } catch {
    return null;
  }
}
