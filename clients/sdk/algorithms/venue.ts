import { type BookClient, isSameOrder, type Order } from '../book.ts';
import { failureOf } from '../wire/failure.ts';
import type { AlgorithmCommand, AlgorithmEvent } from './algorithm.ts';

type OrderEvent = Extract<AlgorithmEvent, { type: 'order' | 'refused' }>;

/** Where a runner sends commands. A call that throws has an outcome that is not known: the runner asks again. */
export interface Venue {
  place(command: Extract<AlgorithmCommand, { type: 'place' }>, signal: AbortSignal): Promise<OrderEvent>;
  /** Null where no such order is known: that is no end. */
  cancel(clientOrderId: string, signal: AbortSignal): Promise<OrderEvent | null>;
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
        if (order === null || order.status === 'rejected' || order.symbol !== symbol || order.side !== side)
          return { type: 'refused', clientOrderId, code: failure.code, details: failure.details };
        if (isSameOrder(order, request)) return eventOf(clientOrderId, order);
        // Somebody has amended it by hand: what it has filled counts, and the rest does not stay.
        const cancelled = await book.cancelCalledOrder(clientOrderId, { signal });
        if (cancelled === null || !isOver(cancelled)) throw error;
        return eventOf(clientOrderId, cancelled);
      }
    },
    async cancel(clientOrderId, signal) {
      const order = await book.cancelCalledOrder(clientOrderId, { signal });
      return order === null ? null : eventOf(clientOrderId, order);
    },
    async read(clientOrderId, signal) {
      const order = await book.calledOrder(clientOrderId, { signal });
      return order === null ? null : eventOf(clientOrderId, order);
    },
  };
}

const OPEN: readonly Order['status'][] = ['open', 'partially_filled', 'pending_trigger'];

/** What an order of REST or of the feed `account` says to an algorithm. */
export function eventOf(clientOrderId: string, order: Pick<Order, 'status' | 'filled_size' | 'reason'>): OrderEvent {
  const { status, filled_size: filled, reason } = order;
  const event = { type: 'order', clientOrderId, isOver: isOver(order), filled, reason } as const;
  return status === 'rejected' ? { ...event, isRejected: true } : event;
}

function isOver({ status }: Pick<Order, 'status'>): boolean {
  return !OPEN.includes(status);
}
