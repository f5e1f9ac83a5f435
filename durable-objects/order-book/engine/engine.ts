import type { BrokerBreak } from '../../../domain/ledger/records.ts';
import type { PriceBand } from '../../../domain/markets/price-band.ts';
import type { Party } from '../../../domain/orders/eligibility.ts';
import type { OrderType, SelfTradePrevention, Side, TimeInForce } from '../../../domain/orders/order.ts';

/**
 * The matching engine: pure and deterministic. No clock (`now` comes in), no I/O, no randomness, no floating point; the same
 * commands give the same events and the same state hash. `plain` is obviously right, `fast` is fast; one suite holds them equal.
 *
 * Rules (X-SVC-04, X-SVC-09, X-SVC-10, docs/design/matching.md#priority):
 * - price-time priority; at a price, displayed orders rank before hidden ones, then the earlier arrival first;
 * - an execution happens at the resting order's price;
 * - an iceberg trades slice by slice; a refilled slice counts as a new arrival and goes to the back of its level. `hidden` wins over
 *   `displayQuantity`. One command makes a fill per slice, so admission bounds quantity ÷ displayQuantity;
 * - only `limit` looks at IOC, FOK and POST_ONLY: market, stop_loss and take_profit never rest, the other types always may. GTD is
 *   looked at whatever the type; an order that is past its expiry when it arrives expires before it can trade;
 * - stops rest off-book. Buy stop_loss and sell take_profit trigger at or above their stop price, the other two at or below, on any
 *   trade of the command, or on arrival when the last price is there already. They run once the order that is trading has finished,
 *   within the same command, in the order in which they were reached: trade by trade; at one trade those triggered upwards (lowest
 *   stop price first), then those triggered downwards (highest first); at one stop price by arrival. Each is a new arrival and may
 *   reach further stops, which run after those already reached;
 * - both sides must qualify (`requires`, `attributes` and `family`, see domain/orders/eligibility); an order passed over keeps its place;
 * - two qualifying orders of one account never trade: the taker's self-trade prevention is applied when it reaches the other, in
 *   its turn. `decrement` takes from both what a fill would have taken. To post-only, such an order is one that would match; to
 *   fill-or-kill, it is quantity that is not there (`cancel_oldest`) or the end of the order (all other modes);
 * - no order takes beyond the price band, buyers above it, sellers below. What is left of an order that could go on only there, and could
 *   not rest without crossing, is cancelled with reason `price_band`. Trading reaches the end of the band when an order trades there or
 *   beyond, or trades and is left with a limit that goes there or further: `band_reached`, once an order;
 * - a book is never crossed between orders that qualify for each other.
 */
export interface Engine {
  /**
   * Says what `apply` will be given next, so that a large book can fetch the memory of many commands together: a hundred or so at a time,
   * right before them; what a longer list has beyond is not looked at. Changes nothing and may be left out.
   */
  readAhead(commands: readonly EngineCommand[]): void;
  /**
   * Applies one command at time `now` (Unix ms, never going back) and returns its events in order.
   *
   * @throws RangeError when an amount of the command is not a positive safe integer: admission has let a bug through. Nothing has
   * changed then.
   */
  apply(command: EngineCommand, now: number): EngineEvent[];
  /** From here on nothing trades at prices outside the band; null lets any. It is no part of the state. */
  goWithin(band: PriceBand | null): void;
  /** Expires GTD orders with expiresAt ≤ now, by (expiresAt, arrival), at most `count`. Runs first in every cycle. */
  expire(now: number, count: number): EngineEvent[];
  /** The earliest expiresAt of any live order, or null. */
  nextExpiry(): number | null;
  order(orderId: string): LiveOrder | undefined;
  /**
   * Displayed quantity per price, best first, at most `levels` a side, of the orders that everybody may take who is what `common` asks for: what is
   * for some alone is left out, so that no bid stands at or above an ask.
   */
  depth(levels: number, common?: number): { bids: Level[]; asks: Level[] };
  /** The same of the side that a taker meets, of the orders alone that it may trade with: as far as its quantity goes. */
  depthFor(taker: TakerTerms, levels: number): Level[];
  lastPrice(): number | null;
  /** The last price is another, where there is one: of a book without orders, whose shares were split. */
  reprice(price: number): void;
  /** Live orders, resting and pending trigger. */
  readonly size: number;
  /** Number of events emitted since the book began; the last event's sequence. */
  readonly sequence: number;
  /** Number of fills since the book began; the last fill's tradeSequence. */
  readonly tradeSequence: number;
  /** Ids of live orders of an account (and key, and side), in arrival order. Null means any. */
  ordersOf(account: string | null, keyId?: string | null, side?: Side | null): string[];
  /** Plain data, JSON-serializable; `restore` of it gives an engine with the same state hash and the same future. */
  snapshot(): EngineSnapshot;
  /** Digest over everything that decides the future: orders with their ranks, stops, last price, sequences. */
  stateHash(): string;
  /** Throws when a rule above does not hold; called around every test. */
  assertInvariants(): void;
}

/** Who would take, and how much. */
export interface TakerTerms extends Party {
  readonly side: Side;
  readonly quantity: number;
}

/** Price and displayed quantity. */
export type Level = readonly [price: number, quantity: number];

/** The whole state of a book, portable between implementations. */
export interface EngineSnapshot {
  readonly version: 1;
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly lastPrice: number | null;
  /** Resting orders: bids best first then asks best first, each level in rank order; then stops in arrival order. */
  readonly orders: readonly LiveOrder[];
  /** Arrival ranks given out since the book began. */
  readonly arrivals: number;
}

/** A new order. All prices and quantities are positive scaled integers. */
export interface PlaceOrder {
  readonly type: 'place';
  readonly orderId: string;
  readonly account: string;
  /** API key that placed it, for a mass cancel by key; null when placed by a user. */
  readonly keyId: string | null;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: number;
  /** Limit; for market, stop_loss and take_profit the collar that was fixed before admission. */
  readonly price: number;
  /** Trigger price of the four stop types, 0 otherwise. */
  readonly stopPrice: number;
  /** Unix ms for GTD, 0 otherwise. */
  readonly expiresAt: number;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly hidden: boolean;
  /** Iceberg slice, 0 for none. */
  readonly displayQuantity: number;
  /** What the owner is (bitset). */
  readonly attributes: number;
  /** What the owner asks of a counterparty (bitset, any of). */
  readonly requires: number;
  /** Accounts of the owner's family, where that may matter; null or left out for none. */
  readonly family?: readonly string[] | null;
  /** Of a sell on a routed market: no execution counts at a higher price. Left out of any other, and of orders from before engine version 12. */
  readonly priceMost?: number | undefined;
}

interface CancelOrder {
  readonly type: 'cancel';
  readonly orderId: string;
}

/**
 * Changes total quantity, limit price and, of a stop that awaits its trigger, stop price of a live order. Reducing quantity alone keeps priority (an iceberg gives up its reserve
 * before its slice), and so does changing nothing; anything else loses it (and may then match or trigger, as a new arrival). Refused, in this
 * order: when the order is not live, when it awaits its trigger and no stop price is named, or the other way round, with `unfilledOnly` when it is partially filled, when the new
 * quantity is not above what has been filled or decremented, and when it is post-only and would match after the amendment.
 */
export interface AmendOrder {
  readonly type: 'amend';
  readonly orderId: string;
  readonly quantity: number;
  readonly price: number;
  /** Trigger price of a stop that awaits it, whether it changes or not; of no other order. */
  readonly stopPrice?: number | undefined;
  readonly unfilledOnly: boolean;
  /** New bitset that the order asks of its counterparty; a change loses priority. */
  readonly requires: number;
  /** The owner's family from here on, if the order counts as a new arrival; left out, it stays. */
  readonly family?: readonly string[] | null;
  /** As of a placement, for its new terms. */
  readonly priceMost?: number | undefined;
}

/** Cancels these orders, in the given order. Those that are not live are passed over. */
export interface MassCancel {
  readonly type: 'mass_cancel';
  readonly orderIds: readonly string[];
  readonly reason: CancelReason;
}

export type EngineCommand = PlaceOrder | CancelOrder | AmendOrder | MassCancel;

/** `duplicate_order_id`: an order with this id is live; ids of finished orders are not remembered. `broker_rejected`: of a routed market. */
export type RejectReason = 'post_only_would_take' | 'fok_not_fillable' | 'duplicate_order_id' | 'broker_rejected';

export type RefuseReason =
  | 'not_found'
  | 'quantity_not_above_filled'
  | 'partially_filled'
  | 'post_only_would_take'
  | 'pending_trigger'
  | 'triggered'
  /** Of a routed market: its broker was asked for other terms, or for the end, and has not done all of it. */
  | 'change_under_way'
  | 'end_under_way'
  /** Of a routed market: the broker has an order that never rests. */
  | 'handed_over'
  /** Of a routed market: no broker is asked for other terms of one order more often. */
  | 'changed_too_often';

/** `broker`: the broker has ended the order without being asked. */
export type CancelReason =
  | 'user'
  | 'unfilled'
  | 'self_trade'
  | 'price_band'
  | 'halt'
  | 'revoked'
  | 'delisted'
  | 'broker';

/** Why a broker is asked for an order's end: for a cancel, or because the time is over until which it is good. */
export type WantedEnd = CancelReason | 'expired';

/** `sequence` is gapless over the life of the book and stands on every event. */
export type EngineEvent =
  | { readonly type: 'accepted'; readonly sequence: number; readonly orderId: string }
  /** A new order that never entered: nothing of it traded. */
  | { readonly type: 'rejected'; readonly sequence: number; readonly orderId: string; readonly reason: RejectReason }
  /** A cancel or amendment that changed nothing. */
  | { readonly type: 'refused'; readonly sequence: number; readonly orderId: string; readonly reason: RefuseReason }
  /** The order (or what is left of it) now rests on the book, or off-book when pendingTrigger. */
  | {
      readonly type: 'rested';
      readonly sequence: number;
      readonly orderId: string;
      readonly remaining: number;
      readonly pendingTrigger: boolean;
    }
  | {
      readonly type: 'filled';
      readonly sequence: number;
      /** Gapless over the life of the book. */
      readonly tradeSequence: number;
      readonly makerId: string;
      readonly takerId: string;
      readonly takerSide: Side;
      readonly price: number;
      readonly quantity: number;
      /** Unfilled quantity of each after this fill (iceberg: displayed and reserve together). */
      readonly makerRemaining: number;
      readonly takerRemaining: number;
    }
  /** Of a routed market: the broker has executed this much of the order, on terms that the order allows. */
  | {
      readonly type: 'executed';
      readonly sequence: number;
      /** Gapless over the life of the book. */
      readonly tradeSequence: number;
      readonly orderId: string;
      /** The broker's. */
      readonly executionId: string;
      readonly price: number;
      readonly quantity: number;
      readonly remaining: number;
    }
  /** Of a routed market: the broker is to end the order, and it stays as it is until the broker says that it has. */
  | {
      readonly type: 'cancel_wanted';
      readonly sequence: number;
      readonly orderId: string;
      readonly reason: WantedEnd;
    }
  /** Of a routed market: the broker is to give the order other terms, and until it is known whether it has, either may execute. */
  | {
      readonly type: 'replace_wanted';
      readonly sequence: number;
      readonly orderId: string;
      readonly revision: number;
      readonly quantity: number;
      readonly price: number;
    }
  /** Of a routed market: the broker has executed more than the order's quantity, which it was to raise to this. */
  | { readonly type: 'raised'; readonly sequence: number; readonly orderId: string; readonly quantity: number }
  /** Of a routed market: the order has the terms that the broker was asked for. Nothing is left of it where they have filled. */
  | {
      readonly type: 'replaced';
      readonly sequence: number;
      readonly orderId: string;
      readonly quantity: number;
      readonly price: number;
      /** What it may execute at: its price, or the former one while executions may come that were before. */
      readonly limit: number;
      readonly remaining: number;
    }
  /** Of a routed market: the order keeps its terms. Nothing is left of it where they have filled. */
  | {
      readonly type: 'replace_rejected';
      readonly sequence: number;
      readonly orderId: string;
      readonly price: number;
      readonly remaining: number;
    }
  /** Of a routed market: the broker has said what does not fit. */
  | { readonly type: 'broken'; readonly sequence: number; readonly orderId: string; readonly break: BrokerBreak }
  | { readonly type: 'triggered'; readonly sequence: number; readonly orderId: string }
  /** The order has traded, and has come to the end `price` of the price band. */
  | { readonly type: 'band_reached'; readonly sequence: number; readonly orderId: string; readonly price: number }
  | {
      readonly type: 'amended';
      readonly sequence: number;
      readonly orderId: string;
      /** New total quantity, price, and what is unfilled of it. */
      readonly quantity: number;
      readonly price: number;
      readonly remaining: number;
      readonly keptPriority: boolean;
    }
  | {
      readonly type: 'cancelled';
      readonly sequence: number;
      readonly orderId: string;
      /** What was taken off the book. */
      readonly remaining: number;
      readonly reason: CancelReason;
    }
  /**
   * Self-trade prevention `decrement`: both orders lose `quantity` without a trade; one event each, the maker's first. What reaches 0
   * is then `cancelled` with remaining 0.
   */
  | {
      readonly type: 'decremented';
      readonly sequence: number;
      readonly orderId: string;
      readonly quantity: number;
      readonly remaining: number;
    }
  | { readonly type: 'expired'; readonly sequence: number; readonly orderId: string; readonly remaining: number }
  /**
   * Displayed quantity at a price after the command; 0 means nothing is shown there any more. One per level whose displayed quantity
   * differs from before the command, at the command's end: bids best first, then asks best first.
   */
  | {
      readonly type: 'level';
      readonly sequence: number;
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
    };

/** A live order as the engine keeps it. */
export interface LiveOrder extends Omit<PlaceOrder, 'type'> {
  /** Rank of arrival; a new one is given when priority is lost: by amendment, trigger or refill of an iceberg's slice. */
  readonly arrival: number;
  readonly filled: number;
  /** quantity − filled − decremented. */
  readonly remaining: number;
  /** What is shown now: 0 for hidden and pending-trigger orders. */
  readonly displayed: number;
  readonly pendingTrigger: boolean;
}
