import type { ExecutionRoute } from './execution-route.ts';

/** A venue that is not connected: nothing can be traded there. */
export const routeNotAvailable: ExecutionRoute = {
  place: async (_env, orders) =>
    orders.map(() => ({
      type: 'refused',
      failure: { reason: 'asset_not_tradeable', detail: 'route_not_available' },
      stored: false,
    })),
};
