import { expect, test } from 'vitest';
import type { AmendCommand } from '../../../durable-objects/order-book/api.ts';
import type { CheckedOrder } from '../checks/checked-order.ts';
import { AVAILABLE_ROUTES, EXECUTION_ROUTES, ROUTES_WITH_ORDERS } from './execution-routes.ts';

const env = {} as Env;
const failure = { reason: 'asset_not_tradeable', detail: 'route_not_available' };

test('the internal route, the broker and indications take orders, and keep them on books', () => {
  expect(AVAILABLE_ROUTES).toEqual(['internal', 'broker', 'indication']);
  expect(ROUTES_WITH_ORDERS).toEqual(['internal']);
});

test.each(['prime'] as const)(
  'the route %s is not available: it refuses every order, each by itself, and has none',
  async (name) => {
    const route = EXECUTION_ROUTES[name];
    const orders = [{}, {}] as CheckedOrder[];
    const refused = { type: 'refused', failure, stored: false };
    expect(await route.place(env, orders)).toEqual([refused, refused]);
    expect(await route.amend(env, { market: null, dollars: null }, {} as AmendCommand)).toEqual({
      type: 'refused',
      failure,
    });
    expect(await route.cancel(env, 'ada', [{ orderId: 'one', symbol: null }])).toEqual([{ ok: false, error: failure }]);
    expect(await route.massCancel(env, { account: 'ada', symbol: null, side: null })).toEqual({
      orderIds: [],
      complete: true,
    });
    expect(await route.status(env, { account: 'ada', owner: 'org' }, 'one')).toBeNull();
    expect(await route.openMarkets(env, 'ada')).toEqual([]);
    expect(await route.settled(env, null)).toBe(true);
  },
);
