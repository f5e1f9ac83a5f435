import { database } from '../../data/database.ts';
import { findOrderBooks } from '../../data/orders/account-orders.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import { routeOfOrder } from '../../domain/assets/route-of.ts';
import { allows } from '../../domain/order-state/order-state.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { EXECUTION_ROUTES, knownOrders, ROUTES_WITH_ORDERS } from './routes/execution-routes.ts';

interface OrderPlace {
  readonly route: ExecutionRouteName;
  /** Market of the route; null on a route without markets. */
  readonly symbol: string | null;
}

/** Where an order may be open, or the state that it ended in and the market on which that was. */
export type Location =
  | { readonly places: readonly OrderPlace[] }
  | { readonly ended: OrderStatus; readonly symbol: string | null };

/**
 * Where each order is: remembered by this isolate, else as D1 has it, else (just acknowledged, or D1 is away) on one of the markets on
 * which the account has open orders. What cannot be known now is left out.
 */
export async function locateOrders(
  env: Env,
  account: string,
  orderIds: readonly string[],
): Promise<Map<string, Location>> {
  const locations = new Map<string, Location>();
  for (const orderId of orderIds) {
    const known = knownOrders.find(orderId, account);
    if (known !== null) locations.set(orderId, { places: [known] });
  }
  const notRemembered = orderIds.filter((orderId) => !locations.has(orderId));
  for (const stored of (await readStored(env, account, notRemembered)) ?? []) {
    locations.set(stored.id, locationOf(stored));
  }
  const unknown = notRemembered.filter((orderId) => !locations.has(orderId));
  if (unknown.length === 0) return locations;
  const places = await openPlaces(env, account);
  if (places !== null) for (const orderId of unknown) locations.set(orderId, { places });
  return locations;
}

type StoredOrder = Awaited<ReturnType<typeof findOrderBooks>>[number];

function locationOf(stored: StoredOrder): Location {
  const { book: symbol, status } = stored;
  if (!allows(status, 'cancel')) return { ended: status, symbol };
  return { places: [{ route: routeOfOrder(stored), symbol }] };
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
