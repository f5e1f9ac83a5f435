import { err } from '../../../domain/result.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import type { ExecutionRoute } from './execution-route.ts';

const NOT_AVAILABLE: OrderEntryFailure = { reason: 'asset_not_tradeable', detail: 'route_not_available' };

/** A route that is not connected: it refuses whatever is asked of it, and has no orders. */
export const routeNotAvailable: ExecutionRoute = {
  place: async (_env, orders) => orders.map(() => ({ type: 'refused', failure: NOT_AVAILABLE, stored: false })),
  amend: async () => ({ type: 'refused', failure: NOT_AVAILABLE }),
  cancel: async (_env, _account, orders) => orders.map(() => err(NOT_AVAILABLE)),
  massCancel: async () => ({ orderIds: [], complete: true }),
  status: async () => null,
  openMarkets: async () => [],
  settled: async () => true,
};
