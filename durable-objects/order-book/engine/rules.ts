import type { OrderType, Side, TimeInForce } from '../../../domain/orders/order.ts';
import type { AmendOrder, PlaceOrder } from './engine.ts';

/** Whether a buyer at `price` accepts `counterPrice`, or a seller does. */
export function crosses(side: Side, price: number, counterPrice: number): boolean {
  return side === 'buy' ? counterPrice <= price : counterPrice >= price;
}

/** Held off-book until its trigger. */
export function isStop(type: OrderType): boolean {
  return type === 'stop_loss' || type === 'stop_loss_limit' || type === 'take_profit' || type === 'take_profit_limit';
}

/** Triggered by a last price at or above the stop price; otherwise at or below. */
export function triggersUpwards(type: OrderType, side: Side): boolean {
  return (type === 'stop_loss' || type === 'stop_loss_limit') === (side === 'buy');
}

/** Takes what is there and never rests; of stops without a limit, what they do not find stands at their collar from engine version 12 on. */
export function isImmediate(type: OrderType, timeInForce: TimeInForce): boolean {
  if (type === 'limit') return timeInForce === 'IOC' || timeInForce === 'FOK';
  return type === 'market' || type === 'stop_loss' || type === 'take_profit';
}

/** Never takes. */
export function isPostOnly(type: OrderType, timeInForce: TimeInForce): boolean {
  return type === 'limit_maker' || (type === 'limit' && timeInForce === 'POST_ONLY');
}

/** Whole or not at all. */
export function isFillOrKill(type: OrderType, timeInForce: TimeInForce): boolean {
  return type === 'limit' && timeInForce === 'FOK';
}

/** @throws RangeError when an amount that must be positive is not a positive safe integer. */
export function assertPlaceable(order: PlaceOrder): void {
  assertPositive(order.quantity);
  assertPositive(order.price);
  if (order.stopPrice !== 0 || isStop(order.orderType)) assertPositive(order.stopPrice);
  if (order.expiresAt !== 0 || order.timeInForce === 'GTD') assertPositive(order.expiresAt);
  if (order.displayQuantity !== 0) assertPositive(order.displayQuantity);
}

/** @throws RangeError when an amount is not a positive safe integer. */
export function assertAmendable(amendment: AmendOrder): void {
  assertPositive(amendment.quantity);
  assertPositive(amendment.price);
  if (amendment.stopPrice !== undefined) assertPositive(amendment.stopPrice);
}

function assertPositive(amount: number): void {
  if (!(amount > 0 && Number.isSafeInteger(amount))) throw new RangeError(`${amount} is not a positive safe integer`);
}

/**
 * A fill-or-kill order whose own account has orders on the other side is judged by so many orders, which rank first, and is refused where they do not
 * fill it: each of its own has to be met in its turn, so that no sum tells.
 */
export const FILL_OR_KILL_LOOKS_MAX = 1_000;
