import { isFinal } from '../order-state/order-state.ts';
import type { OrderStatus } from './order.ts';

interface OrderProgress {
  readonly status: OrderStatus;
  readonly quantity: number;
  readonly filled: number;
  /** Of an open order from which self-trade prevention has taken; null or left out of any other. */
  readonly remaining?: number | null | undefined;
}

/**
 * What a live order may yet fill under the terms that stand, in scaled integers. On a routed market it holds for more while its broker has not
 * given what was asked for.
 */
export function leftOf({ quantity, filled, remaining }: Record<'quantity' | 'filled' | 'remaining', number>): number {
  return Math.max(0, Math.min(remaining, quantity - filled));
}

/** What an order may yet fill, in scaled integers: nothing once it is final. */
export function remainingOf({ status, quantity, filled, remaining }: OrderProgress): number {
  return isFinal(status) ? 0 : (remaining ?? quantity - filled);
}
