import type { OrderType, SelfTradePrevention, Side, TimeInForce } from '../../../domain/orders/order.ts';

/**
 * The matching engine: pure and deterministic. No clock (`now` comes in), no I/O, no randomness, no floating point; the same
 * commands give the same events and the same state hash. `plain` is obviously right, `fast` is fast; one suite holds them equal.
 *
 * Rules (DESIGN 9, exchange.md "Internal matching"):
 * - price-time priority; at a price, displayed orders rank before hidden ones; an iceberg shows its slice and goes to the back of
 *   its level when the slice is refilled;
 * - an execution happens at the resting order's price;
 * - stops rest off-book and trigger on the last trade price, within the command whose trade reached it, in price then time order;
 * - both sides must qualify (`requires`/`attributes`, see domain/orders/eligibility); an order passed over keeps its place;
 * - a book is never crossed between orders that may trade with each other.
 */
export interface Engine {
  /** Applies one command at time `now` (Unix ms, never going back) and returns its events in order. */
  apply(command: EngineCommand, now: number): EngineEvent[];
  /** Expires GTD orders with expiresAt ≤ now, by (expiresAt, arrival). Runs first in every cycle. */
  expire(now: number): EngineEvent[];
  /** The earliest expiresAt of any live order, or null. */
  nextExpiry(): number | null;
  order(orderId: string): LiveOrder | undefined;
  /** Displayed quantity per price, best first, at most `levels` a side. */
  depth(levels: number): { bids: Level[]; asks: Level[] };
  lastPrice(): number | null;
  /** Live orders, resting and pending trigger. */
  readonly size: number;
  /** Number of events emitted since the book began; the last event's sequence. */
  readonly sequence: number;
  /** Number of fills since the book began; the last fill's tradeSequence. */
  readonly tradeSequence: number;
  /** Ids of live orders of an account (and key), in arrival order. */
  ordersOf(account: string, keyId?: string): string[];
  /** Plain data, JSON-serializable; `restore` of it gives an engine with the same state hash and the same future. */
  snapshot(): EngineSnapshot;
  /** Digest over everything that decides the future: orders with their ranks, stops, last price, sequences. */
  stateHash(): string;
  /** Throws when a rule above does not hold; called around every test. */
  assertInvariants(): void;
}

/** Price and displayed quantity. */
export type Level = readonly [price: number, quantity: number];

/** Implementation-specific, but portable between implementations. */
export interface EngineSnapshot {
  readonly version: 1;
  readonly sequence: number;
  readonly tradeSequence: number;
  readonly lastPrice: number | null;
  /** Resting orders: bids best first then asks best first, each level in rank order; then stops in arrival order. */
  readonly orders: readonly LiveOrder[];
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
}

export interface CancelOrder {
  readonly type: 'cancel';
  readonly orderId: string;
}

/**
 * Changes total quantity and/or limit price of a live order. Reducing quantity alone keeps priority, anything else loses it (and may
 * then match, as a new arrival). Refused when the new quantity is not above what has been filled, when the order is not live, or,
 * with `unfilledOnly`, when it is partially filled. A post-only order that would match after the amendment is left unchanged.
 */
export interface AmendOrder {
  readonly type: 'amend';
  readonly orderId: string;
  readonly quantity: number;
  readonly price: number;
  readonly unfilledOnly: boolean;
  /** New bitset that the order asks of its counterparty; a change loses priority. */
  readonly requires: number;
}

/** Cancels every live order of the account (of the key, of the side), in arrival order. `account: null` means all accounts. */
export interface MassCancel {
  readonly type: 'mass_cancel';
  readonly account: string | null;
  readonly keyId: string | null;
  readonly side: Side | null;
  readonly reason: CancelReason;
}

export type EngineCommand = PlaceOrder | CancelOrder | AmendOrder | MassCancel;

export type RejectReason = 'post_only_would_take' | 'fok_not_fillable' | 'duplicate_order_id';

export type RefuseReason = 'not_found' | 'quantity_not_above_filled' | 'partially_filled' | 'post_only_would_take' | 'pending_trigger';

export type CancelReason = 'user' | 'unfilled' | 'self_trade' | 'halt' | 'revoked' | 'delisted';

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
  | { readonly type: 'triggered'; readonly sequence: number; readonly orderId: string }
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
  /** Self-trade prevention `decrement`: both orders lose `quantity` without a trade. */
  | {
      readonly type: 'decremented';
      readonly sequence: number;
      readonly orderId: string;
      readonly quantity: number;
      readonly remaining: number;
    }
  | { readonly type: 'expired'; readonly sequence: number; readonly orderId: string; readonly remaining: number }
  /** Displayed quantity at a price after the command; 0 means the level is gone. One per changed level, at the command's end. */
  | { readonly type: 'level'; readonly sequence: number; readonly side: Side; readonly price: number; readonly quantity: number };

/** A live order as the engine keeps it. */
export interface LiveOrder extends Omit<PlaceOrder, 'type'> {
  /** Rank of arrival; loses to a later one when priority is lost. */
  readonly arrival: number;
  readonly filled: number;
  /** quantity − filled − decremented. */
  readonly remaining: number;
  /** What is shown now: 0 for hidden and pending-trigger orders. */
  readonly displayed: number;
  readonly pendingTrigger: boolean;
}
