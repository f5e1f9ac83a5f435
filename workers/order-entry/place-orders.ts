import { database } from '../../data/database.ts';
import type { Instrument } from '../../data/instruments.ts';
import { type RejectedOrder, storeRejectedOrder } from '../../data/orders.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import type { Principal } from '../middleware/principal.ts';
import { checkOrder } from './check-order.ts';
import type { CheckedOrder } from './checked-order.ts';
import { releaseDailyNotional, reserveDailyNotional } from './daily-notional.ts';
import type { RouteOutcome } from './execution-route.ts';
import { EXECUTION_ROUTES } from './execution-routes.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { OrderRequest } from './order-request.ts';
import { readFacts } from './read-facts.ts';
import { rejectedOrderOf } from './rejected-order-of.ts';
import { retryId } from './retry-id.ts';

export type PlacementOutcome =
  | {
      readonly ok: true;
      readonly report: OrderReport;
      /** The terms as placed, scaled by the market. */
      readonly terms: OrderTerms;
      readonly market: Market;
      readonly asset: Instrument['asset'];
    }
  | {
      readonly ok: false;
      readonly failure: OrderEntryFailure;
      /** The order that was stored as rejected, for `error.details.orderId`; null when none was. */
      readonly orderId: string | null;
    };

/**
 * Rounds of an order that has to be tried again: always a second one, further ones only while they go quickly, as when a repeated
 * request passes through the ids that earlier attempts have spent.
 */
const ROUNDS_MIN = 2;
const ROUNDS_MAX = 16;
const FURTHER_ROUNDS_WITHIN_MS = 3_000;

interface Waiting {
  /** Position among the requests. */
  readonly index: number;
  readonly request: OrderRequest;
}

interface Routed {
  readonly index: number;
  readonly order: CheckedOrder;
  readonly route: ExecutionRouteName;
}

/**
 * Admits orders of one principal, whichever door they came through (DESIGN 15), and answers each by itself, in the order given.
 * Orders for one book reach it together and keep their sequence.
 */
export async function placeOrders(
  { env, principal }: OrderEntryContext,
  requests: readonly OrderRequest[],
): Promise<PlacementOutcome[]> {
  const outcomes: PlacementOutcome[] = requests.map(() => ({
    ok: false,
    failure: { reason: 'unavailable' },
    orderId: null,
  }));
  const startedAt = Date.now();
  let facts = principal.facts;
  let waiting: Waiting[] = requests.map((request, index) => ({ index, request }));
  for (let round = 0; waiting.length > 0 && round < ROUNDS_MAX; round++) {
    if (round >= ROUNDS_MIN && Date.now() - startedAt > FURTHER_ROUNDS_WITHIN_MS) break;
    const routed: Routed[] = [];
    for (const { index, request } of waiting) {
      const check = await checkOrder(env, principal, facts, request, round > 0);
      const limited = check.ok ? await reserveDailyNotional(env, principal, check.order) : null;
      if (!check.ok) outcomes[index] = await refused(env, check.failure, check.rejected);
      else if (limited !== null) outcomes[index] = await refusedAsRejected(env, principal, check.order, limited);
      else routed.push({ index, order: check.order, route: check.route });
    }
    waiting = [];
    for (const [position, outcome] of (await placeRouted(env, routed)).entries()) {
      const { index, order } = routed[position] as Routed;
      if (outcome.type === 'stale') waiting.push({ index, request: order.request });
      else if (outcome.type === 'unavailable') {
        await releaseDailyNotional(env, principal, order.request.orderId);
        waiting.push({ index, request: await underAnotherId(order.request) });
      } else outcomes[index] = await placementOf(env, principal, order, outcome);
    }
    if (waiting.length > 0 && facts !== null) facts = await readFacts(env, principal);
  }
  return outcomes;
}

/** Hands each route its orders, and gives the outcomes in the order of `routed`. */
async function placeRouted(env: Env, routed: readonly Routed[]): Promise<RouteOutcome[]> {
  const outcomes: RouteOutcome[] = routed.map(() => ({ type: 'unavailable' }));
  await Promise.all(
    Array.from(
      Map.groupBy(routed.keys(), (position) => (routed[position] as Routed).route),
      async ([route, positions]) => {
        const orders = positions.map((position) => (routed[position] as Routed).order);
        for (const [at, outcome] of (await EXECUTION_ROUTES[route].place(env, orders)).entries()) {
          outcomes[positions[at] as number] = outcome;
        }
      },
    ),
  );
  return outcomes;
}

async function placementOf(
  env: Env,
  principal: Principal,
  order: CheckedOrder,
  outcome: Extract<RouteOutcome, { type: 'placed' | 'refused' }>,
): Promise<PlacementOutcome> {
  const { request, instrument, terms } = order;
  if (outcome.type === 'placed') {
    return { ok: true, report: outcome.report, terms, market: outcome.market, asset: instrument.asset };
  }
  const { failure } = outcome;
  if (outcome.stored) return { ok: false, failure, orderId: request.orderId };
  if (failure.reason === 'duplicate_client_order_id') {
    await releaseDailyNotional(env, principal, request.orderId);
    return { ok: false, failure, orderId: null };
  }
  return refusedAsRejected(env, principal, order, failure);
}

function refusedAsRejected(
  env: Env,
  principal: Principal,
  { request, command, instrument, terms }: CheckedOrder,
  failure: OrderEntryFailure,
): Promise<PlacementOutcome> {
  return refused(env, failure, rejectedOrderOf(request, principal, command.account, instrument, terms, failure));
}

async function refused(
  env: Env,
  failure: OrderEntryFailure,
  rejected: RejectedOrder | null,
): Promise<PlacementOutcome> {
  if (rejected !== null) await storeRejectedOrder(database(env.DB), rejected);
  return { ok: false, failure, orderId: rejected?.id ?? null };
}

async function underAnotherId(request: OrderRequest): Promise<OrderRequest> {
  return { ...request, orderId: await retryId(request.orderId) };
}
