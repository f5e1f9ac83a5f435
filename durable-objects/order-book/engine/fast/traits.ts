import type { OrderType, SelfTradePrevention, Side, TimeInForce } from '../../../../domain/orders/order.ts';
import type { PlaceOrder } from '../engine.ts';
import { isFillOrKill, isImmediate, isPostOnly, isStop } from '../rules.ts';

/** The words of an order in one integer: flags, then the codes of its type, time in force and self-trade prevention. */
export const SELL = 1;
export const HIDDEN = 2;
export const PENDING_TRIGGER = 4;
/** The order has a trigger, an expiry or a slice, kept beside its record. */
export const WITH_EXTRAS = 8;
export const IMMEDIATE = 16;
export const POST_ONLY = 32;
export const FILL_OR_KILL = 64;
export const STOP = 128;
export const EXPIRES = 256;
/** The order carries its owner's family, kept beside its record. */
export const WITH_FAMILY = 1 << 17;

const TYPE_SHIFT = 9;
const TIME_IN_FORCE_SHIFT = 12;
const PREVENTION_SHIFT = 15;

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

/** Flags and codes of type and time in force, at type code × 8 + time in force code. */
const TERMS = new Int32Array(8 * 8);
ORDER_TYPES.forEach((type, typeCode) => {
  TIMES_IN_FORCE.forEach((timeInForce, timeCode) => {
    TERMS[typeCode * 8 + timeCode] =
      (isImmediate(type, timeInForce) ? IMMEDIATE : 0) |
      (isPostOnly(type, timeInForce) ? POST_ONLY : 0) |
      (isFillOrKill(type, timeInForce) ? FILL_OR_KILL : 0) |
      (isStop(type) ? STOP : 0) |
      (timeInForce === 'GTD' ? EXPIRES : 0) |
      (typeCode << TYPE_SHIFT) |
      (timeCode << TIME_IN_FORCE_SHIFT);
  });
});

export function packTraits(order: OrderTerms): number {
  const { orderType, timeInForce, selfTradePrevention } = order;
  // The words that nearly every order has are compared first: a search of the lists costs more than the rest of this.
  const typeCode = orderType === 'limit' ? 0 : ORDER_TYPES.indexOf(orderType);
  const timeCode = timeInForce === 'GTC' ? 0 : TIMES_IN_FORCE.indexOf(timeInForce);
  const preventionCode = selfTradePrevention === 'cancel_newest' ? 0 : PREVENTIONS.indexOf(selfTradePrevention);
  return (
    TERMS[typeCode * 8 + timeCode]! |
    (preventionCode << PREVENTION_SHIFT) |
    (order.side === 'sell' ? SELL : 0) |
    (order.hidden ? HIDDEN : 0) |
    (order.family == null ? 0 : WITH_FAMILY) |
    (order.stopPrice !== 0 || order.displayQuantity !== 0 || order.expiresAt !== 0 ? WITH_EXTRAS : 0)
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

/** Whether the order stands in the hidden queue of its level; stops stand in the displayed one. */
export function queuesHidden(traits: number): boolean {
  return (traits & (HIDDEN | PENDING_TRIGGER)) === HIDDEN;
}

/** What an order is entered with. */
export type OrderTerms = Omit<PlaceOrder, 'type'>;
