import { isOrderReleased } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { readExistingOrder } from '../../data/orders/existing-order.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import type { AccountFacts, Principal } from '../../domain/identity/principal.ts';
import { log } from '../../durable-objects/log/log.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { transact } from '../ledger/transact.ts';
import { describeBug } from '../log/describe-bug.ts';
import { checkOrder } from './checks/check-order.ts';
import type { AskedOrder, CheckedOrder, RefusedOrder } from './checks/checked-order.ts';
import { readFacts } from './checks/read-facts.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderRequest } from './order-request.ts';
import {
  afterChecks,
  afterInquiry,
  afterKeeping,
  afterRoute,
  afterRouteKeeping,
  asked,
  type Checked,
  type Failed,
  type Fate,
  givenUp,
  hasRound,
  interrupted,
  nextRound,
  type Placement,
  type PlacementOutcome,
} from './placement.ts';
import { type RefusedRequest, recordRefusedOrders } from './refusals/record-refusals.ts';
import { isKeptByRoute, refusedOrderOf, rejectedOrderOf } from './rejected-order-of.ts';
import { retryId } from './retry-id.ts';
import type { RoutePlacement } from './routes/execution-route.ts';
import { EXECUTION_ROUTES } from './routes/execution-routes.ts';
import { standingOrder } from './standing-order.ts';

/** Orders of one principal. */
export interface PlacementGroup {
  readonly principal: Principal;
  readonly requests: readonly OrderRequest[];
}

/** A group on its way. */
interface Group {
  readonly principal: Principal;
  /** Of the principal's account, as they are read for this round. */
  readonly facts: AccountFacts | null;
  readonly placements: readonly Placement[];
}

/**
 * Admits orders of one principal, whichever profile or gateway they came through, and answers each by itself, in the order given
 * (docs/design/order-path.md#parts-of-the-path). Orders for one book reach it together and keep their sequence.
 */
export async function placeOrders(
  { env, principal }: OrderEntryContext,
  requests: readonly OrderRequest[],
): Promise<PlacementOutcome[]> {
  const [outcomes] = await placeTogether(env, [{ principal, requests }]);
  if (outcomes === undefined) throw new Error('placeTogether answers every group');
  return outcomes;
}

/** The same for orders of several principals at once, which reach each book in one call. */
export async function placeTogether(env: Env, asking: readonly PlacementGroup[]): Promise<PlacementOutcome[][]> {
  const startedAt = Date.now();
  let groups = asking.map(
    ({ principal, requests }): Group => ({ principal, facts: principal.facts, placements: requests.map(asked) }),
  );
  for (let round = 0; hasRound(round, Date.now() - startedAt); round++) {
    groups = await runRound(env, round, groups);
    if (!groups.some(isPostponed)) break;
    // The checks that follow read what has moved since the last ones.
    await projected(env);
    groups = await Promise.all(groups.map((group) => (isPostponed(group) ? withFactsReread(env, group) : group)));
  }
  const outcomes = groups.map(({ placements }) => placements.map(({ outcome }) => outcome));
  await recordRefusedOrders(env, refusedRequests(groups, asking, outcomes));
  return outcomes;
}

function refusedRequests(
  groups: readonly Group[],
  asking: readonly PlacementGroup[],
  outcomes: readonly (readonly PlacementOutcome[])[],
): RefusedRequest[] {
  return groups.flatMap(({ principal, facts }, group) =>
    (asking[group]?.requests ?? []).flatMap((request, index) => {
      const outcome = outcomes[group]?.[index];
      if (outcome === undefined || outcome.ok) return [];
      const { failure, orderId: storedAs } = outcome.error;
      return [{ principal, facts, request, failure, storedAs }];
    }),
  );
}

function isPostponed({ placements }: Group): boolean {
  return placements.some(({ state }) => state === 'postponed');
}

/** A group whose facts cannot be read is not tried again: its orders are answered what is known of them. */
async function withFactsReread(env: Env, group: Group): Promise<Group> {
  if (group.facts === null) return group;
  try {
    return { ...group, facts: await readFacts(env, group.principal) };
  } catch (error) {
    log('warn', 'facts cannot be read', describeBug(error));
    return { ...group, placements: group.placements.map(givenUp) };
  }
}

/**
 * Takes each order as far as it gets: what passes the checks, and what does not, goes to its route together. Orders of one principal are checked in
 * their sequence, and those of different ones at the same time.
 */
async function runRound(env: Env, round: number, groups: readonly Group[]): Promise<Group[]> {
  // Before a route was asked nothing is done, and the caller's own answer to an exception is true.
  const mayThrow = groups.length === 1 && round === 0;
  const toRoute = await Promise.all(
    groups.map((group) =>
      eachApart(mayThrow, group.placements, async (placement) => check(env, round, group, await begin(placement))),
    ),
  );
  const principals = groups.flatMap(({ principal, placements }) => placements.map(() => principal));
  const routed = await giveToRoutes(env, toRoute.flat(), principals);
  let from = 0;
  return Promise.all(
    groups.map(async (group) => {
      const placements = routed.slice(from, from + group.placements.length);
      from += group.placements.length;
      return {
        ...group,
        placements: await eachApart(false, placements, (placement) => advance(env, round, group, placement)),
      };
    }),
  );
}

/** One by one. What throws for one order is no other's concern: its own outcome is open. */
async function eachApart(
  mayThrow: boolean,
  placements: readonly Placement[],
  take: (placement: Placement) => Promise<Placement>,
): Promise<Placement[]> {
  const after: Placement[] = [];
  for (const placement of placements) {
    const taken = take(placement);
    after.push(await (mayThrow ? taken : taken.catch((error: unknown) => afterBug(placement, error))));
  }
  return after;
}

function afterBug(placement: Placement, error: unknown): Placement {
  log('error', 'bug', { ...describeBug(error) });
  return interrupted(placement);
}

async function begin(placement: Placement): Promise<Placement> {
  if (placement.state !== 'postponed') return placement;
  const { orderId } = placement.request;
  return nextRound(placement, placement.isIdSpent ? await retryId(orderId) : orderId);
}

async function check(env: Env, round: number, { principal, facts }: Group, placement: Placement): Promise<Placement> {
  if (placement.state !== 'asked') return placement;
  return afterChecks(placement, await checkOrder(env, principal, facts, placement.request, round > 0));
}

/** Does what an order's state asks for once its route has spoken, until it waits for the next round, or for nothing. */
async function advance(env: Env, round: number, group: Group, placement: Placement): Promise<Placement> {
  const { principal } = group;
  switch (placement.state) {
    case 'failed':
      return advance(env, round, group, afterKeeping(placement, await keepRejected({ env, principal }, placement)));
    case 'unexplained':
      return afterInquiry(placement, await fateOf(env, placement.order), round);
    case 'asked':
    case 'checked':
    case 'postponed':
    case 'ended':
      return placement;
  }
}

/** An order for its route: to be placed, or to be kept as rejected. */
interface Routed {
  readonly index: number;
  readonly placement: Checked | Failed;
  readonly order: CheckedOrder | RefusedOrder;
}

/**
 * Hands each route its orders, all routes at once.
 *
 * @param principals of each placement
 */
async function giveToRoutes(
  env: Env,
  placements: readonly Placement[],
  principals: readonly Principal[],
): Promise<Placement[]> {
  const after = [...placements];
  const routed = placements.flatMap((placement, index): Routed[] => {
    if (placement.state === 'checked') return [{ index, placement, order: placement.order }];
    if (placement.state !== 'failed' || !isKeptByRoute(placement.order)) return [];
    const order = refusedOrderOf(placement.order, principals[index] as Principal, placement.failure);
    return [{ index, placement, order }];
  });
  await Promise.all(
    Array.from(
      Map.groupBy(routed, ({ order }) => order.route),
      async ([route, group]) => {
        const said = await askRoute(
          env,
          route,
          group.map(({ order }) => order),
        );
        for (const [at, { index, placement }] of group.entries())
          after[index] = saidOf(placement, said[at] ?? { type: 'unavailable' });
      },
    ),
  );
  return after;
}

/** An exception says nothing of any of the orders, as no answer does. */
async function askRoute(
  env: Env,
  route: ExecutionRouteName,
  orders: readonly (CheckedOrder | RefusedOrder)[],
): Promise<readonly RoutePlacement[]> {
  try {
    return await EXECUTION_ROUTES[route].place(env, orders);
  } catch (error) {
    log('error', 'bug', { ...describeBug(error) });
    return [];
  }
}

function saidOf(placement: Checked | Failed, answer: RoutePlacement): Placement {
  try {
    return placement.state === 'checked' ? afterRoute(placement, answer) : afterRouteKeeping(placement, answer);
  } catch (error) {
    return afterBug(placement, error);
  }
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
