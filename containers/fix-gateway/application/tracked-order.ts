import type { WireOrder, WireStatus } from './wire.ts';

/** What the session has told its peer about an order, and what it still owes. Stored after every change. */
export interface TrackedOrder {
  readonly orderId: string;
  /** ClOrdID of the last accepted request about it. */
  readonly clOrdId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** FIX OrdType(40) and TimeInForce(59). */
  readonly ordType: string;
  readonly timeInForce: string;
  readonly price: number | null;
  readonly size: number;
  /** Sum of the fills that were reported. */
  readonly filled: number;
  readonly notional: number;
  /** How it ends; reported once every fill before that has been. */
  readonly ending: OrderEnding | null;
  readonly ended: boolean;
}

export interface OrderEnding {
  readonly status: Extract<WireStatus, 'cancelled' | 'expired' | 'rejected'>;
  readonly filled: number;
  readonly reason: string | null;
  /** Of the request that ended it, where one did. */
  readonly clOrdId: string | null;
}

const ORD_TYPES: Readonly<Record<string, string>> = {
  market: '1',
  limit: '2',
  limit_maker: '2',
  stop_loss: '3',
  stop_loss_limit: '4',
  take_profit: 'J',
  take_profit_limit: '4',
};
const TIMES_IN_FORCE: Readonly<Record<string, string>> = { GTC: '1', IOC: '3', FOK: '4', GTD: '6', POST_ONLY: '1' };

/** Begins to track an order of which `filled` has been reported. */
export function trackOrder(order: WireOrder, clOrdId: string, filled: number): TrackedOrder {
  return {
    orderId: order.order_id,
    clOrdId,
    symbol: order.symbol,
    side: order.side,
    ordType: ORD_TYPES[order.type] ?? '2',
    timeInForce: TIMES_IN_FORCE[order.time_in_force] ?? '1',
    price: order.price ?? order.stop_price,
    size: order.size,
    filled,
    notional: filled * (order.average_price ?? 0),
    ending: null,
    ended: false,
  };
}

/** OrdStatus(39) as the peer knows the order. */
export function ordStatusOf({ filled, size, ended, ending }: TrackedOrder): string {
  if (ended && ending !== null) return { cancelled: '4', expired: 'C', rejected: '8' }[ending.status];
  if (filled >= size) return '2';
  return filled > 0 ? '1' : '0';
}
