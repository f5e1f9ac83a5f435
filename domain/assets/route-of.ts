import type { ExecutionRouteName } from './asset.ts';

/** Where an order for the asset executes (docs/design/matching.md#execution-routes). A pair executes on the internal book, whatever its asset says. */
export function routeOfAsset({
  executionRoute,
}: {
  readonly executionRoute: ExecutionRouteName | null;
}): ExecutionRouteName {
  return executionRoute ?? 'internal';
}

/** The route that knows an order: whatever stands on a book, routed markets included, is found as on the internal route. */
export function routeOfOrder(order: {
  readonly book: string | null;
  /** Of its asset. */
  readonly executionRoute: ExecutionRouteName | null;
}): ExecutionRouteName {
  return order.book === null ? routeOfAsset(order) : 'internal';
}
