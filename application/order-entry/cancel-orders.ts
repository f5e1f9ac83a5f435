import { findAllOrderBooks, findOrder, type OrderLocation } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import { type StandingTerms, standingTermsOf } from '../../domain/orders/standing-terms.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { CancelReason } from '../../durable-objects/order-book/api.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { locateOrders } from './locate-orders.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { RouteCancellation, RoutedOrder } from './routes/execution-route.ts';
import { EXECUTION_ROUTES } from './routes/execution-routes.ts';

/** The code of orders that their own account has cancelled, one by one or all together. */
const CANCELLED_BY_ACCOUNT: CancelReason = 'user';

/** What has been cancelled, and what it is: null where nobody can say that now. */
type CancelledOrder = Extract<RouteCancellation, { ok: true }>['value'] & { readonly terms: StandingTerms | null };

export type CancellationOutcome = Result<CancelledOrder, OrderEntryFailure>;

/**
 * Cancels orders of the caller's account and answers each by itself, in the order given. Another account's order does not exist. A
 * repetition finds an order that was cancelled by its account done; any other final order is refused.
 *
 * @param symbol the market that they must stand on, or null for any
 */
export async function cancelOrders(
  context: OrderEntryContext,
  orderIds: readonly string[],
  symbol: string | null = null,
): Promise<CancellationOutcome[]> {
  const outcomes = await cancelEach(context, orderIds, symbol);
  if (context.isRepetition !== true) return outcomes;
  return Promise.all(
    outcomes.map((outcome, index) =>
      isCancelled(outcome) ? asCancelledBefore(context, orderIds[index] as string, outcome) : outcome,
    ),
  );
}

/** The order as an earlier request of its account has cancelled it; the outcome as it is where something else did. */
async function asCancelledBefore(
  { env, principal }: OrderEntryContext,
  orderId: string,
  outcome: CancellationOutcome,
): Promise<CancellationOutcome> {
  const { owner, facts } = principal;
  const wanted = { id: orderId, account: facts?.accountId ?? '', owner };
  const order = (await findOrder(orderStore(env), wanted).catch(() => null))?.order ?? null;
  if (order === null || order.book === null || order.code !== CANCELLED_BY_ACCOUNT) return outcome;
  const report = reportOfExisting({ ...order, restricted: order.restricted === 1 });
  return ok({ report, symbol: order.book, terms: standingTermsOf(order) });
}

function isCancelled(outcome: CancellationOutcome): boolean {
  return !outcome.ok && outcome.error.reason === 'order_not_cancellable' && outcome.error.status === 'cancelled';
}

async function cancelEach(
  { env, principal }: OrderEntryContext,
  orderIds: readonly string[],
  symbol: string | null,
): Promise<CancellationOutcome[]> {
  const account = principal.facts?.accountId;
  const { owner } = principal;
  const outcomes: CancellationOutcome[] = orderIds.map(() => err({ reason: 'order_not_found' }));
  if (account === undefined) return outcomes;
  const locations = await locateOrders(env, { account, owner }, orderIds);

  const asked: Asked[] = [];
  const open: number[] = [];
  for (const [index, orderId] of orderIds.entries()) {
    const location = locations.get(orderId);
    if (location === undefined) {
      outcomes[index] = err({ reason: 'unavailable' });
      continue;
    }
    if ('ended' in location) {
      if (symbol === null || location.symbol === symbol)
        outcomes[index] = err({ reason: 'order_not_cancellable', status: location.ended });
      continue;
    }
    open.push(index);
    for (const place of location.places) {
      if (symbol === null || place.symbol === symbol) asked.push({ index, orderId, ...place, terms: location.terms });
    }
  }
  await askRoutes(env, account, asked, outcomes);
  const forgotten = open.filter((index) => isNotFound(outcomes[index]));
  if (forgotten.length === 0) return outcomes;
  const ids = forgotten.map((index) => orderIds[index] as string);
  const explained = await explainForgotten(env, account, symbol, ids);
  for (const [at, index] of forgotten.entries()) {
    const failure = explained.get(ids[at] as string);
    if (failure !== undefined) outcomes[index] = err(failure);
  }
  return outcomes;
}

/** One place at which an order may be. */
interface Asked extends RoutedOrder {
  /** Position among the requests. */
  readonly index: number;
  readonly route: ExecutionRouteName;
}

/** Hands each route the orders that it may have, all routes at once. */
async function askRoutes(
  env: Env,
  account: string,
  asked: readonly Asked[],
  outcomes: CancellationOutcome[],
): Promise<void> {
  await Promise.all(
    Array.from(
      Map.groupBy(asked, ({ route }) => route),
      async ([route, orders]) => {
        const answers = await EXECUTION_ROUTES[route].cancel(env, account, orders);
        for (const [at, { index, terms }] of orders.entries()) {
          const answer = answers[at] as RouteCancellation;
          const outcome = answer.ok ? ok({ ...answer.value, terms }) : answer;
          outcomes[index] = telling(outcomes[index] as CancellationOutcome, outcome);
        }
      },
    ),
  );
}

/** A route forgets orders that are final; D1, once it shows everything, or the archive says what they came to. */
async function explainForgotten(
  env: Env,
  account: string,
  symbol: string | null,
  orderIds: readonly string[],
): Promise<Map<string, OrderEntryFailure>> {
  const rows = (await settleBeforeRead(env, account)) ? await readEnded(env, account, orderIds) : null;
  if (rows === null) return new Map(orderIds.map((orderId) => [orderId, { reason: 'unavailable' }]));
  return new Map(
    rows
      .filter(({ book }) => symbol === null || book === symbol)
      .map(({ id, status }) => [id, { reason: 'order_not_cancellable', status }]),
  );
}

/** Orders wherever they stand; null while D1 or the archive is away. */
async function readEnded(env: Env, account: string, orderIds: readonly string[]): Promise<OrderLocation[] | null> {
  try {
    return await findAllOrderBooks(orderStore(env), account, orderIds);
  } catch {
    return null;
  }
}

/** Of the answers of several markets, the one of the market that had the order. */
function telling(known: CancellationOutcome, answer: CancellationOutcome): CancellationOutcome {
  return known.ok || isNotFound(answer) ? known : answer;
}

function isNotFound(outcome: CancellationOutcome | undefined): boolean {
  return outcome?.ok === false && outcome.error.reason === 'order_not_found';
}
