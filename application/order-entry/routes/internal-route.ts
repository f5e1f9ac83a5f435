import type { StandingTerms } from '../../../domain/orders/standing-terms.ts';
import { err, ok } from '../../../domain/result.ts';
import type { BookRefusal, BookResult, CancelCommand } from '../../../durable-objects/order-book/api.ts';
import { isStored } from '../../../durable-objects/order-book/api.ts';
import { openBooks } from '../../ledger/open-books.ts';
import { settleBook } from '../../ledger/settle-before-read.ts';
import { cancelInBooks } from '../../order-book/cancel-in-books.ts';
import { findOpenOrder, findOpenOrderAt } from '../../order-book/open-orders.ts';
import { submitToBook } from '../../order-book/submit-to-book.ts';
import type { AskedOrder, CheckedOrder, RefusedOrder } from '../checks/checked-order.ts';
import type {
  ExecutionRoute,
  OnRouteEvent,
  RouteAmendment,
  RouteCancellation,
  RoutedOrder,
  RoutePlacement,
} from './execution-route.ts';
import { failureOfRefusal, type Traded } from './failure-of-refusal.ts';
import { failureOfRejection } from './failure-of-rejection.ts';
import { quotedCommands } from './quoted-commands.ts';

/** The order books, those of routed markets included: what concerns one market goes to its book together, in its order. */
export function internalRoute(onEvent: OnRouteEvent): ExecutionRoute {
  const report = (
    account: string,
    symbol: string,
    result: BookResult | undefined,
    terms: StandingTerms | null,
  ): void => {
    if (result?.type === 'done') onEvent({ route: 'internal', account, symbol, report: result.report, terms });
  };
  return {
    place: (env, orders) =>
      byMarket(
        orders,
        ({ instrument }) => instrument.market?.symbol ?? null,
        NO_MARKET,
        async (symbol, group) => {
          const results = await submitToBook(env, symbol, await quotedCommands(env, group));
          return group.map((order, at) => {
            report(order.account, symbol, results?.[at], termsOf(order));
            return placementOf(results?.[at], order);
          });
        },
      ),
    async amend(env, { market, dollars }, command) {
      if (market === null) return { type: 'refused', failure: NO_MARKET.failure };
      const result = (await submitToBook(env, market.symbol, [command]))?.[0];
      report(command.account, market.symbol, result, null);
      return amendmentOf(result, { market, dollars });
    },
    cancel: (env, account, orders) =>
      byMarket<RoutedOrder, RouteCancellation>(
        orders,
        ({ symbol }) => symbol,
        NOT_FOUND,
        async (symbol, group) => {
          const results = await submitToBook(
            env,
            symbol,
            group.map(({ orderId }): CancelCommand => ({ type: 'cancel', orderId, account })),
          );
          return group.map(({ terms }, at) => {
            report(account, symbol, results?.[at], terms);
            return cancellationOf(results?.[at], symbol);
          });
        },
      ),
    async massCancel(env, { account, symbol, side }) {
      const open = await openBooks(env, account);
      if (open === null) return { orderIds: [], pendingOrderIds: [], complete: false };
      const books = open.filter((book) => symbol === null || book === symbol);
      const command = { account, keyId: null, side, reason: 'user' } as const;
      const { unreachable, ...cancelled } = await cancelInBooks(env, books, command);
      return { ...cancelled, complete: unreachable.length === 0 };
    },
    status: findOpenOrder,
    statusAt: findOpenOrderAt,
    openMarkets: openBooks,
    settled: async (env, symbol) => symbol === null || settleBook(env, symbol),
  };
}

/** Of an indication null: whether it still is one, its row says. */
function termsOf({ command, instrument }: CheckedOrder | RefusedOrder): StandingTerms | null {
  if (instrument.market?.route === 'indication') return null;
  const { side, type, timeInForce, stopPrice, expiresAt } = command.terms;
  return { side, type, timeInForce, stopPrice, expiresAt, clientOrderId: command.clientOrderId, preIpo: false };
}

const NO_MARKET: Extract<RoutePlacement, { type: 'refused' }> = {
  type: 'refused',
  failure: { reason: 'asset_not_tradeable', detail: 'no_market' },
  stored: false,
};

const NOT_FOUND: RouteCancellation = err({ reason: 'order_not_found' });

/** Does what concerns each market together, all markets at once; `without` answers what stands on none. */
async function byMarket<T, Answer>(
  items: readonly T[],
  symbolOf: (item: T) => string | null,
  without: Answer,
  run: (symbol: string, group: T[]) => Promise<Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = items.map(() => without);
  const groups = Map.groupBy(items.entries(), ([, item]) => symbolOf(item));
  await Promise.all(
    Array.from(groups, async ([symbol, group]) => {
      if (symbol === null) return;
      const answered = await run(
        symbol,
        group.map(([, item]) => item),
      );
      for (const [at, answer] of answered.entries()) {
        const [index] = group[at] as [number, T];
        answers[index] = answer;
      }
    }),
  );
  return answers;
}

function placementOf(result: BookResult | undefined, { instrument: { market, dollars } }: AskedOrder): RoutePlacement {
  if (market === null) return NO_MARKET;
  switch (result?.type) {
    case undefined:
      return { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };
    case 'done': {
      const { status, code } = result.report;
      if (status === 'rejected') return { type: 'refused', failure: failureOfRejection(code), stored: true };
      return { type: 'placed', report: result.report, market };
    }
    case 'refused': {
      const { refusal } = result;
      if (refusal.reason === 'stale') return { type: 'stale' };
      return { type: 'refused', failure: failureOfRefusal(refusal, { market, dollars }), stored: isStored(refusal) };
    }
    case 'unavailable':
      return { type: 'unavailable' };
    case 'recorded':
      return { type: 'recorded' };
    case 'mass_cancelled':
      throw new Error(`a placement was answered as a ${result.type}`);
  }
}

function amendmentOf(result: BookResult | undefined, traded: Traded): RouteAmendment {
  switch (result?.type) {
    case undefined:
      return { type: 'refused', failure: { reason: 'outcome_unknown' } };
    case 'done':
      return { type: 'amended', report: result.report, market: traded.market };
    case 'refused': {
      const { refusal } = result;
      return refusal.reason === 'stale'
        ? { type: 'stale' }
        : { type: 'refused', failure: failureOfRefusal(refusal, traded) };
    }
    case 'unavailable':
      return { type: 'unavailable' };
    case 'recorded':
    case 'mass_cancelled':
      throw new Error(`an amendment was answered as a ${result.type}`);
  }
}

function cancellationOf(result: BookResult | undefined, symbol: string): RouteCancellation {
  switch (result?.type) {
    case undefined:
      return err({ reason: 'outcome_unknown' });
    case 'done':
      return ok({ report: result.report, symbol });
    case 'refused':
      return err(refusalOfCancel(result.refusal));
    case 'unavailable':
      return err({ reason: 'unavailable' });
    case 'recorded':
    case 'mass_cancelled':
      throw new Error(`a cancellation was answered as a ${result.type}`);
  }
}

function refusalOfCancel(refusal: BookRefusal) {
  if (refusal.reason === 'order_not_found' || refusal.reason === 'order_not_cancellable') return refusal;
  throw new Error(`a cancellation was refused for ${refusal.reason}`);
}
