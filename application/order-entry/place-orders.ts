import type { Instrument } from '../../data/catalog/instruments.ts';
import { isOrderReleased } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { readExistingOrder } from '../../data/orders/existing-order.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { transact } from '../ledger/transact.ts';
import { checkOrder } from './checks/check-order.ts';
import type { AskedOrder, CheckedOrder } from './checks/checked-order.ts';
import { readFacts } from './checks/read-facts.ts';
import { isKept } from './is-kept.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { OrderRequest } from './order-request.ts';
import { rejectedOrderOf } from './rejected-order-of.ts';
import { retryId } from './retry-id.ts';
import type { RouteOutcome } from './routes/execution-route.ts';
import { EXECUTION_ROUTES } from './routes/execution-routes.ts';
import { standingOrder } from './standing-order.ts';

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

const NOTHING_DONE: PlacementOutcome = { ok: false, failure: { reason: 'unavailable' }, orderId: null };

type Refusal = Extract<RouteOutcome, { type: 'refused' }>;

/**
 * Admits orders of one principal, whichever profile or gateway they came through, and answers each by itself, in the order given
 * (docs/design/order-path.md#parts-of-the-path). Orders for one book reach it together and keep their sequence.
 */
export async function placeOrders(
  context: OrderEntryContext,
  requests: readonly OrderRequest[],
): Promise<PlacementOutcome[]> {
  const { env, principal } = context;
  const outcomes: PlacementOutcome[] = requests.map(() => NOTHING_DONE);
  const startedAt = Date.now();
  let facts = principal.facts;
  let waiting: Waiting[] = requests.map((request, index) => ({ index, request }));
  for (let round = 0; waiting.length > 0 && round < ROUNDS_MAX; round++) {
    if (round >= ROUNDS_MIN && Date.now() - startedAt > FURTHER_ROUNDS_WITHIN_MS) break;
    const routed: Routed[] = [];
    const again: Waiting[] = [];
    const conclude = async (index: number, order: AskedOrder, outcome: RouteOutcome): Promise<void> => {
      if (outcome.type === 'stale') again.push({ index, request: order.request });
      else if (outcome.type === 'unavailable') {
        const fate = await fateOf(env, order);
        if (fate === 'spent') {
          outcomes[index] = NOTHING_DONE;
          again.push({ index, request: await underAnotherId(order.request) });
        } else if (fate === 'never_placed') {
          outcomes[index] = { ok: false, failure: { reason: 'request_too_old' }, orderId: null };
        } else {
          outcomes[index] = { ok: false, failure: { reason: 'outcome_unknown' }, orderId: order.request.orderId };
          if (round + 1 < ROUNDS_MIN) again.push({ index, request: order.request });
        }
      } else outcomes[index] = placementOf(order, outcome);
    };
    for (const { index, request } of waiting) {
      const check = await checkOrder(env, principal, facts, request, round > 0);
      if (check.ok) routed.push({ index, order: check.order, route: check.route });
      else if (check.asked === null) outcomes[index] = { ok: false, failure: check.failure, orderId: null };
      else await conclude(index, check.asked, await keepRejected(context, check.asked, check.failure));
    }
    for (const [position, outcome] of (await placeRouted(env, routed)).entries()) {
      const { index, order } = routed[position] as Routed;
      await conclude(index, order, mustBeKept(outcome) ? await keepRejected(context, order, outcome.failure) : outcome);
    }
    waiting = again;
    if (waiting.length === 0) break;
    // The checks that follow read what has moved since the last ones.
    await projected(env);
    if (facts !== null) facts = await readFacts(env, principal);
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

/** A refusal whose order is yet to be stored as rejected. */
function mustBeKept(outcome: RouteOutcome): outcome is Refusal {
  return outcome.type === 'refused' && !outcome.stored && isKept(outcome.failure);
}

/** Stores an order as rejected for this failure, unless one stands under its id: then what became of that. */
async function keepRejected(
  { env, principal }: OrderEntryContext,
  order: AskedOrder,
  failure: OrderEntryFailure,
): Promise<RouteOutcome> {
  const rejected = rejectedOrderOf(order, principal, failure);
  switch ((await transact(env, { kind: 'rejected_order', order: rejected })).type) {
    case 'done':
      return { type: 'refused', failure, stored: true };
    case 'exists':
      return standingOrder(env, principal, order);
    case 'outcome_unknown':
      return { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };
  }
}

function placementOf(
  { request, instrument, terms }: AskedOrder,
  outcome: Extract<RouteOutcome, { type: 'placed' }> | Refusal,
): PlacementOutcome {
  if (outcome.type === 'placed') {
    return { ok: true, report: outcome.report, terms, market: outcome.market, asset: instrument.asset };
  }
  const { failure, stored } = outcome;
  return { ok: false, failure, orderId: stored ? request.orderId : null };
}

/**
 * What is known of an order whose book says nothing of it. `spent`: the ledger has given the id up, and the order may be tried under
 * another one. `never_placed`: nothing was admitted under the id, and it is too old to be admitted any more. A book that is `unavailable`
 * may have executed it before: then its outcome is unknown.
 */
async function fateOf(env: Env, { request, account }: AskedOrder): Promise<'spent' | 'never_placed' | 'unknown'> {
  const { orderId } = request;
  try {
    // Its book may have released it a moment ago.
    await settleBeforeRead(env, account);
    if (await isOrderReleased(orderStore(env), account, orderId)) return 'spent';
    // From here on nothing is admitted under the id; what was before has its row once D1 has caught up.
    if ((await askLedger(env, (ledger) => ledger.isForgotten(orderId))) !== true) return 'unknown';
    const isNowhere = (await projected(env)) && (await readExistingOrder(env, orderId, account)) === null;
    return isNowhere ? 'never_placed' : 'unknown';
  } catch {
    return 'unknown';
  }
}

async function underAnotherId(request: OrderRequest): Promise<OrderRequest> {
  return { ...request, orderId: await retryId(request.orderId) };
}
