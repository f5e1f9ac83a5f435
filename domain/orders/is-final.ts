import type { OrderStatus } from './order.ts';

/** Whether an order in this state can change no more: it holds nothing, and its book has forgotten it. */
export function isFinal(status: OrderStatus): boolean {
  return status === 'filled' || status === 'cancelled' || status === 'expired' || status === 'rejected';
}
