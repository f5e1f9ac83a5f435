import { isOrderReleased } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { readExistingOrder } from '../../data/orders/existing-order.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { transact } from '../ledger/transact.ts';
import { checkOrder } from './checks/check-order.ts';
import type { AskedOrder } from './checks/checked-order.ts';
import { readFacts } from './checks/read-facts.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderRequest } from './order-request.ts';
import {
  afterChecks,
  afterInquiry,
  afterKeeping,
  afterRoute,
  asked,
  type Failed,
  type Fate,
  hasRound,
  nextRound,
  type Placement,
  type PlacementOutcome,
} from './placement.ts';
import { rejectedOrderOf } from './rejected-order-of.ts';
import { retryId } from './retry-id.ts';
import type { RoutePlacement } from './routes/execution-route.ts';
import { EXECUTION_ROUTES } from './routes/execution-routes.ts';
import { standingOrder } from './standing-order.ts';

/** What every order of one round goes by. */
interface Round {
  /** Counted from 0. */
  readonly number: number;
  /** Of the caller's account, as they are read for this round. */
  readonly facts: AccountFacts | null;
}

/**
 * Admits orders of one principal, whichever profile or gateway they came through, and answers each by itself, in the order given
 * (docs/design/order-path.md#parts-of-the-path). Orders for one book reach it together and keep their sequence.
 */
export async function placeOrders(
  context: OrderEntryContext,
  requests: readonly OrderRequest[],
): Promise<PlacementOutcome[]> {
  const { env, principal } = context;
  const startedAt = Date.now();
  let placements: Placement[] = requests.map(asked);
  let round: Round = { number: 0, facts: principal.facts };
  while (hasRound(round.number, Date.now() - startedAt)) {
    placements = await runRound(context, round, placements);
    if (!placements.some(({ state }) => state === 'postponed')) break;
    // The checks that follow read what has moved since the last ones.
    await projected(env);
    const facts = round.facts === null ? null : await readFacts(env, principal);
    round = { number: round.number + 1, facts };
  }
  return placements.map(({ outcome }) => outcome);
}

/** Takes each order as far as it gets: those that pass the checks go to their routes together. */
async function runRound(context: OrderEntryContext, round: Round, before: readonly Placement[]): Promise<Placement[]> {
  const toRoute: Placement[] = [];
  for (const placement of before) toRoute.push(await advance(context, round, await begin(placement)));
  const after: Placement[] = [];
  for (const placement of await giveToRoutes(context.env, toRoute)) {
    after.push(await advance(context, round, placement));
  }
  return after;
}

async function begin(placement: Placement): Promise<Placement> {
  if (placement.state !== 'postponed') return placement;
  const { orderId } = placement.request;
  return nextRound(placement, placement.isIdSpent ? await retryId(orderId) : orderId);
}

/** Does what an order's state asks for, until it waits for its route, for the next round, or for nothing. */
async function advance(context: OrderEntryContext, round: Round, placement: Placement): Promise<Placement> {
  const { env, principal } = context;
  switch (placement.state) {
    case 'asked': {
      const check = await checkOrder(env, principal, round.facts, placement.request, round.number > 0);
      return advance(context, round, afterChecks(placement, check));
    }
    case 'failed':
      return advance(context, round, afterKeeping(placement, await keepRejected(context, placement)));
    case 'unexplained':
      return afterInquiry(placement, await fateOf(env, placement.order), round.number);
    case 'checked':
    case 'postponed':
    case 'ended':
      return placement;
  }
}

/** Hands each route its orders, all routes at once. */
async function giveToRoutes(env: Env, placements: readonly Placement[]): Promise<Placement[]> {
  const after = [...placements];
  const checked = placements.flatMap((placement, index) =>
    placement.state === 'checked' ? [{ index, placement }] : [],
  );
  await Promise.all(
    Array.from(
      Map.groupBy(checked, ({ placement }) => placement.order.route),
      async ([route, group]) => {
        const orders = group.map(({ placement }) => placement.order);
        const said = await EXECUTION_ROUTES[route].place(env, orders);
        for (const [at, { index, placement }] of group.entries()) {
          after[index] = afterRoute(placement, said[at] ?? { type: 'unavailable' });
        }
      },
    ),
  );
  return after;
}

/** Stores an order as rejected, unless one stands under its id: then what became of that. */
async function keepRejected(
  { env, principal }: OrderEntryContext,
  { order, failure }: Failed,
): Promise<RoutePlacement> {
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

async function fateOf(env: Env, { request, account }: AskedOrder): Promise<Fate> {
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
