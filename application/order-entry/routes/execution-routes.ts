import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { ExecutionRoute } from './execution-route.ts';
import { internalRoute } from './internal-route.ts';
import { routeNotAvailable } from './route-not-available.ts';

/** Every kind of route. Broker, prime and indication refuse until the routes exist. */
export const EXECUTION_ROUTES: Readonly<Record<ExecutionRouteName, ExecutionRoute>> = {
  internal: internalRoute,
  broker: routeNotAvailable,
  prime: routeNotAvailable,
  indication: routeNotAvailable,
};

/** Routes that take orders. */
export const AVAILABLE_ROUTES = (Object.keys(EXECUTION_ROUTES) as ExecutionRouteName[]).filter(
  (name) => EXECUTION_ROUTES[name] !== routeNotAvailable,
);
