import type { OrderType, SelfTradePrevention, Side, TimeInForce } from '../../../../domain/orders/order.ts';
import type { LiveOrder } from '../engine.ts';

/** The words of an order in one 32-bit integer: three flags, then codes that index the lists below. */
export const SELL = 1;
export const HIDDEN = 2;
export const PENDING_TRIGGER = 4;
/** The order has a row in `OrderTable.extras`. */
export const WITH_EXTRAS = 8;

const TYPE_SHIFT = 4;
const TIME_IN_FORCE_SHIFT = 7;
const PREVENTION_SHIFT = 10;

const ORDER_TYPES: readonly OrderType[] = [
  'limit',
  'market',
  'limit_maker',
  'stop_loss',
  'stop_loss_limit',
  'take_profit',
  'take_profit_limit',
];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'];
const PREVENTIONS: readonly SelfTradePrevention[] = ['cancel_newest', 'cancel_oldest', 'cancel_both', 'decrement'];

export function packTraits(
  order: Pick<LiveOrder, 'side' | 'hidden' | 'orderType' | 'timeInForce' | 'selfTradePrevention'>,
): number {
  return (
    (order.side === 'sell' ? SELL : 0) |
    (order.hidden ? HIDDEN : 0) |
    (ORDER_TYPES.indexOf(order.orderType) << TYPE_SHIFT) |
    (TIMES_IN_FORCE.indexOf(order.timeInForce) << TIME_IN_FORCE_SHIFT) |
    (PREVENTIONS.indexOf(order.selfTradePrevention) << PREVENTION_SHIFT)
  );
}

export function sideOf(traits: number): Side {
  return (traits & SELL) === 0 ? 'buy' : 'sell';
}

export function orderTypeOf(traits: number): OrderType {
  return ORDER_TYPES[(traits >>> TYPE_SHIFT) & 7]!;
}

export function timeInForceOf(traits: number): TimeInForce {
  return TIMES_IN_FORCE[(traits >>> TIME_IN_FORCE_SHIFT) & 7]!;
}

export function preventionOf(traits: number): SelfTradePrevention {
  return PREVENTIONS[(traits >>> PREVENTION_SHIFT) & 3]!;
}
