import type { OrderStatus, OrderType, Side, TimeInForce } from './order.ts';

/** An order as its account is told of it, in scaled integers of its market. */
export interface AccountOrder {
  readonly id: string;
  readonly book: string;
  readonly clientOrderId: string | null;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: number | null;
  readonly stopPrice: number | null;
  readonly quantity: number;
  readonly filled: number;
  readonly filledNotional: number;
  readonly status: OrderStatus;
  readonly code: string | null;
  readonly expiresAt: number | null;
  /** Of an open order from which self-trade prevention has taken; null where it is what has not filled. */
  readonly remaining: number | null;
}
