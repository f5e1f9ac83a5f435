import { addDecimals } from '../codec/decimal.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp } from '../codec/timestamp.ts';
import { isPostOnly, numberOf } from './order-request.ts';
import type { OrderStanding, WireOrder, WireStatus } from './wire.ts';

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
  /** Of a stop it is Price(44), where it has a limit, beside StopPx(99). */
  readonly price: number | null;
  readonly stopPrice: number | null;
  /** ExpireTime(126) of TimeInForce 6, in Unix milliseconds. */
  readonly expiresAt: number | null;
  /** ExecInst(18) 6. */
  readonly postOnly: boolean;
  /** MaxFloor(111), as far as the session has stated it. */
  readonly maxFloor: number | null;
  /** A stop whose trigger the peer has not been told of. */
  readonly awaitsTrigger: boolean;
  /** As the exchange counts it. What the peer calls OrderQty is `totalOf`. */
  readonly size: number;
  /** Of that, what the exchange has taken off without a fill (self-trade prevention). */
  readonly takenOff: number;
  /** When the order came to stand at the exchange as the terms here say, in its Unix milliseconds, and what it had filled by then. */
  readonly asOf_ms: number;
  readonly filledAsOf: number;
  /** Reports of changes that no request of the session asked for. */
  readonly restatements: number;
  /** Reports of its end: more than one where the exchange had it open after all. */
  readonly endings: number;
  /** Sum of the fills that were reported, as the exchange counts them: those that were taken back since included. */
  readonly filled: number;
  /** Of that, what was taken back. */
  readonly takenBack: number;
  /** What the rest has come to, at the prices that it stands at. */
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
  // FIX 4.4 has no limit that is touched: J with a Price triggers where the order does.
  take_profit_limit: 'J',
};
const TIMES_IN_FORCE: Readonly<Record<string, string>> = { GTC: '1', IOC: '3', FOK: '4', GTD: '6', POST_ONLY: '1' };

const DAY = '0';

/** What a session has said of an order, which the exchange does not say again. */
export interface StatedTerms {
  readonly timeInForce: string | null;
  readonly maxFloor: number | null;
}

const NOTHING_STATED: StatedTerms = { timeInForce: null, maxFloor: null };

/** Terms of a NewOrderSingle. */
export function statedTerms(message: FixMessage): StatedTerms {
  return { timeInForce: textOf(message, TAG.TimeInForce), maxFloor: numberOf(message, TAG.MaxFloor) };
}

/** What has been executed of an order, as TrackedOrder says it. */
export type Executed = Pick<TrackedOrder, 'filled' | 'takenBack' | 'notional'>;

export const NOTHING_EXECUTED: Executed = { filled: 0, takenBack: 0, notional: 0 };

/** How much of an order its peer knows when it begins to be tracked. */
export interface Acquaintance {
  readonly clOrdId: string;
  /** What has been reported of its fills, or needs no report. */
  readonly executed: Executed;
  readonly stated?: StatedTerms;
  /** A stop that has triggered needs no report of that. */
  readonly isTriggerKnown?: boolean;
  /** Nor does an order of its end. */
  readonly isEndKnown?: boolean;
  /** It begins with the report of its placement: what was taken off it since is reported. */
  readonly isPlaced?: boolean;
}

/** Begins to track an order. */
export function trackOrder(order: WireOrder, known: Acquaintance): TrackedOrder {
  const {
    clOrdId,
    executed,
    stated = NOTHING_STATED,
    isTriggerKnown = false,
    isEndKnown = false,
    isPlaced = false,
  } = known;
  const { stop_price: stopPrice, time_in_force: timeInForce } = order;
  const ending = isEndKnown ? endingOf(order) : null;
  const isFilled = order.status === 'filled' && executed.filled >= order.filled_size;
  return {
    orderId: order.order_id,
    clOrdId,
    symbol: order.symbol,
    side: order.side,
    ordType: ORD_TYPES[order.type] ?? '2',
    timeInForce: stated.timeInForce ?? TIMES_IN_FORCE[timeInForce] ?? '1',
    price: order.price,
    stopPrice,
    expiresAt: timeInForce === 'GTD' && stated.timeInForce !== DAY ? order.expires_at : null,
    postOnly: timeInForce === 'POST_ONLY' || order.type === 'limit_maker',
    maxFloor: stated.maxFloor,
    awaitsTrigger: stopPrice !== null && !(isTriggerKnown && order.status !== 'pending_trigger'),
    size: order.size,
    takenOff: isPlaced ? 0 : (takenOffOf(order) ?? 0),
    asOf_ms: isFilled || ending !== null ? order.updated_at : 0,
    filledAsOf: isPlaced ? 0 : order.filled_size,
    restatements: 0,
    endings: 0,
    ...executed,
    ending,
    ended: ending !== null || isFilled,
  };
}

/** What was taken off an order without a fill; null where its end hides it. */
export function takenOffOf({ status, size, filled_size, remaining_size }: OrderStanding): number | null {
  if (status === 'cancelled' || status === 'expired' || status === 'rejected') return null;
  return Math.max(0, addDecimals(size, -addDecimals(filled_size, remaining_size)));
}

/** OrderQty(38): what the order fills when all of it does. */
export function totalOf({ size, takenOff }: Pick<TrackedOrder, 'size' | 'takenOff'>): number {
  return addDecimals(size, -takenOff);
}

/** LeavesQty(151). */
export function leavesQtyOf(order: TrackedOrder): number {
  return order.ended ? 0 : Math.max(0, addDecimals(totalOf(order), -order.filled));
}

/** How an order has ended, other than by being filled; null for one that has not. */
export function endingOf(order: Pick<WireOrder, 'status' | 'filled_size' | 'reason'>): OrderEnding | null {
  const { status, filled_size: filled, reason } = order;
  const isEnded = status === 'cancelled' || status === 'expired' || status === 'rejected';
  return isEnded ? { status, filled, reason, clOrdId: null } : null;
}

/** An order as an earlier release may have stored it. */
export function storedOrder(stored: Partial<TrackedOrder> & StoredBefore): TrackedOrder {
  return { ...ADDED_SINCE, ...stored };
}

const ADDED_SINCE = {
  stopPrice: null,
  expiresAt: null,
  postOnly: false,
  maxFloor: null,
  awaitsTrigger: false,
  takenBack: 0,
  takenOff: 0,
  asOf_ms: 0,
  filledAsOf: 0,
  restatements: 0,
  endings: 0,
};
type Later = keyof typeof ADDED_SINCE;
type StoredBefore = Omit<TrackedOrder, Later>;

/** The first term of an OrderCancelReplaceRequest that differs from the order's and cannot be changed, as its tag; null when none does. */
export function firstFixedTerm(message: FixMessage, order: TrackedOrder): number | null {
  const states = (tag: number) => textOf(message, tag) !== null;
  const expireTime = readTimestamp(textOf(message, TAG.ExpireTime) ?? '');
  const differs: readonly (readonly [tag: number, boolean])[] = [
    [TAG.OrdType, textOf(message, TAG.OrdType) !== order.ordType],
    [TAG.TimeInForce, textOf(message, TAG.TimeInForce) !== order.timeInForce],
    [TAG.ExecInst, isPostOnly(message) !== order.postOnly],
    // The trigger of a stop that awaits it may be another.
    [TAG.StopPx, numberOf(message, TAG.StopPx) !== order.stopPrice && !order.awaitsTrigger],
    [TAG.MaxFloor, numberOf(message, TAG.MaxFloor) !== order.maxFloor],
    [TAG.ExpireTime, expireTime !== order.expiresAt],
  ];
  return differs.find(([tag, isDifferent]) => states(tag) && isDifferent)?.[0] ?? null;
}

/** CumQty(14): what was executed and stands. */
export function cumQtyOf({ filled, takenBack }: TrackedOrder): number {
  return addDecimals(filled, -takenBack);
}

/** OrdStatus(39) as the peer knows the order. What was taken back does not trade again: an order that has nothing else left is cancelled. */
export function ordStatusOf(order: TrackedOrder): string {
  const { takenBack, ended, ending } = order;
  if (ended && ending !== null) return { cancelled: '4', expired: 'C', rejected: '8' }[ending.status];
  if (ended) return takenBack > 0 ? '4' : '2';
  return cumQtyOf(order) > 0 ? '1' : '0';
}
