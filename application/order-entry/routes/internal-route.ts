import type { Market } from '../../../domain/markets/market.ts';
import type { BookResult } from '../../../durable-objects/order-book/api.ts';
import { isStored } from '../../../durable-objects/order-book/api.ts';
import { submitToBook } from '../../order-book/submit-to-book.ts';
import type { CheckedOrder } from '../checks/checked-order.ts';
import type { ExecutionRoute, RouteOutcome } from './execution-route.ts';
import { failureOfRefusal } from './failure-of-refusal.ts';
import { failureOfRejection } from './failure-of-rejection.ts';
import { rememberBook } from './remembered-books.ts';

/** The order books: orders go to the book of their market, those of one market together. */
export const internalRoute: ExecutionRoute = {
  async place(env, orders) {
    const outcomes: RouteOutcome[] = orders.map(() => NO_MARKET);
    const byMarket = Map.groupBy(orders.keys(), (index) => orders[index]?.instrument.market?.symbol ?? null);
    await Promise.all(
      Array.from(byMarket, async ([symbol, indexes]) => {
        const group = indexes.flatMap((index) => orders[index] ?? []);
        if (symbol === null) return;
        const results = await submitToBook(
          env,
          symbol,
          group.map((order) => order.command),
        );
        for (const [position, index] of indexes.entries()) {
          const order = group[position];
          if (order?.instrument.market)
            outcomes[index] = outcomeOf(results?.[position], order, order.instrument.market);
        }
      }),
    );
    return outcomes;
  },
};

const NO_MARKET: RouteOutcome = {
  type: 'refused',
  failure: { reason: 'asset_not_tradeable', detail: 'no_market' },
  stored: false,
};

function outcomeOf(result: BookResult | undefined, { command }: CheckedOrder, market: Market): RouteOutcome {
  switch (result?.type) {
    case undefined:
      return { type: 'refused', failure: { reason: 'outcome_unknown' }, stored: true };
    case 'done': {
      const { status, code } = result.report;
      if (status === 'rejected') return { type: 'refused', failure: failureOfRejection(code), stored: true };
      rememberBook(command.orderId, command.account, market.symbol);
      return { type: 'placed', report: result.report, market };
    }
    case 'refused': {
      const { refusal } = result;
      if (refusal.reason === 'stale') return { type: 'stale' };
      const failure = failureOfRefusal(refusal, market);
      return { type: 'refused', failure, stored: isStored(refusal) };
    }
    case 'unavailable':
      return { type: 'unavailable' };
    case 'mass_cancelled':
      throw new Error(`a placement was answered as a ${result.type}`);
  }
}
