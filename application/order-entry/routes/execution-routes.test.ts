import { expect, test } from 'vitest';
import { EXECUTION_ROUTE_NAMES } from '../../../domain/assets/asset.ts';
import { EXECUTION_ROUTES, ROUTES_WITH_ORDERS } from './execution-routes.ts';

test('orders of every route stand on books, which are asked once', () => {
  expect(new Set(EXECUTION_ROUTE_NAMES.map((name) => EXECUTION_ROUTES[name])).size).toBe(1);
  expect(ROUTES_WITH_ORDERS).toEqual(['internal']);
});
