import { type BookClient, isSameOrder, type Order } from '../book.ts';
import { failureOf } from '../wire/failure.ts';
import type { AlgorithmCommand, AlgorithmEvent } from './algorithm.ts';

type OrderEvent = Extract<AlgorithmEvent, { type: 'order' | 'refused' }>;

/** Where a runner sends commands. A call that throws has an outcome that is not known: the runner makes the same call again. */
export interface Venue {
  place(command: Extract<AlgorithmCommand, { type: 'place' }>, signal: AbortSignal): Promise<OrderEvent>;
  cancel(clientOrderId: string, signal: AbortSignal): Promise<OrderEvent>;
  /** Null where no such order is known. */
  read(clientOrderId: string, signal: AbortSignal): Promise<OrderEvent | null>;
}

/** The exchange, by profile book. */
export function bookVenue(book: BookClient): Venue {
  return {
    async place({ clientOrderId, symbol, side, price, size, timeInForce }, signal) {
      const type = 'limit' as const;
      const request = { client_order_id: clientOrderId, symbol, side, type, price, size, time_in_force: timeInForce };
      try {
        return eventOf(clientOrderId, await book.placeOrder(request, { signal }));
      } catch (error) {
        const failure = failureOf(error);
        if (failure?.kind !== 'refused') throw error;
        // An order that stands after all says more than the refusal of a repetition.
        const order = await book.calledOrder(clientOrderId, { signal });
        if (order !== null && order.status !== 'rejected' && isSameOrder(order, request))
          return eventOf(clientOrderId, order);
        return { type: 'refused', clientOrderId, code: failure.code };
      }
    },
    async cancel(clientOrderId, signal) {
      const order = await book.cancelCalledOrder(clientOrderId, { signal });
      return order === null
        ? { type: 'order', clientOrderId, isOver: true, filled: '0' }
        : eventOf(clientOrderId, order);
    },
    async read(clientOrderId, signal) {
      const order = await book.calledOrder(clientOrderId, { signal });
      return order === null ? null : eventOf(clientOrderId, order);
    },
  };
}

const OPEN: readonly Order['status'][] = ['open', 'partially_filled', 'pending_trigger'];

/** What an order of REST or of the feed `account` says to an algorithm. */
export function eventOf(
  clientOrderId: string,
  order: { readonly status: Order['status']; readonly filled_size: string },
): OrderEvent {
  return { type: 'order', clientOrderId, isOver: !OPEN.includes(order.status), filled: order.filled_size };
}
