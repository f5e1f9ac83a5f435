import type { WiderOwner } from '../../../domain/ledger/outcomes.ts';
import type { DailyLimits, HeldAssets, OrderState } from '../../../domain/ledger/records.ts';
import type { LotTerms } from '../../../domain/listing/listed-lot.ts';
import type { Market, MarketStatus } from '../../../domain/markets/market.ts';
import type { VersionedRate } from '../../../domain/money/dollar-rate.ts';
import type { OrderStatus, OrderTerms, Side } from '../../../domain/orders/order.ts';
import type { ResaleRefusalRule } from '../../../domain/resale/resale-rule.ts';
import type { ErrorCode } from '../../../protocol/errors/error-code.ts';
import type { CancelReason, Level } from '../engine/engine.ts';
import type { Conversion } from '../engine/indications/indication-book.ts';

export const COMMANDS_PER_CALL_MAX = 1_000;
export const SETTLED_WAIT_MS = 5_000;
/** Open orders of one account in one book, and of a book. */
export const OPEN_ORDERS_PER_ACCOUNT_MAX = 10_000;
export const OPEN_ORDERS_PER_BOOK_MAX = 200_000;
/** Indications of one account on one asset, and of all: as many as a listing event converts. */
export const INDICATIONS_PER_ACCOUNT_MAX = 10;
export const INDICATIONS_PER_ASSET_MAX = 20_000;

export interface BookDepth {
  /** Sequence of the last feed message this depth includes. */
  readonly sequence: number;
  readonly bids: Level[];
  readonly asks: Level[];
  readonly timestamp: number;
}

export interface BookTicker {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  /** What orders without a limit go by (docs/design/matching.md#going-price); null before there is any. */
  readonly going: number | null;
  /** The trade that the price band lies around; null before the first. */
  readonly reference: number | null;
  /** Unix ms at which the halt ends that the book has begun by itself; null while it trades. */
  readonly haltedUntil: number | null;
  readonly timestamp: number;
}

/** Which open orders are wanted; null for no condition. */
export interface OpenOrdersQuery {
  readonly orderId: string | null;
  readonly statuses: readonly OrderStatus[] | null;
  /** Only orders below this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** Scales in which a market's numbers are; they never change. */
export type MarketScales = Pick<
  Market,
  'symbol' | 'baseAsset' | 'quoteAsset' | 'priceScale' | 'quantityScale' | 'quoteScale'
>;

export interface OpenOrders {
  readonly market: MarketScales;
  readonly orders: readonly OpenOrder[];
}

/** An open order as its book has it. Scaled integers. */
export interface OpenOrder
  extends Omit<OrderState, 'id' | 'executedAt' | 'cancelledAt' | 'remaining' | 'incoming'>,
    Pick<OrderTerms, 'side' | 'type' | 'timeInForce' | 'stopPrice' | 'expiresAt'>,
    Pick<HeldAssets, 'allowanceAsset' | 'positionAsset'> {
  readonly orderId: string;
  readonly remaining: number;
  readonly account: string;
  readonly keyId: string | null;
  /** An indication of interest; left out of any other order. */
  readonly preIpo?: boolean;
}

export interface BookStatus {
  readonly market: MarketStatus;
  readonly owner: string;
  readonly batch: number;
  readonly settled: number;
  readonly journaled: number;
  /** Chunks that the ledger does not have yet. */
  readonly outbox: number;
  /** Commands that wait for the ledger. */
  readonly queued: number;
  readonly liveOrders: number;
  /** Unix ms at which the halt ends that the book has begun by itself; null while there is none. */
  readonly haltedUntil: number | null;
  /** Why the book stands still; it may still take cancels. */
  readonly halted: string | null;
}

export type BookCommand =
  | PlaceCommand
  | RejectCommand
  | CancelCommand
  | AmendCommand
  | MassCancelCommand
  | ConvertCommand;

/** An order that has passed every check of order entry but balance and lots, which admission makes. */
export interface PlaceCommand {
  readonly type: 'place';
  /** UUIDv7; the same on every retry. */
  readonly orderId: string;
  readonly account: string;
  readonly owner: string;
  readonly keyId: string | null;
  readonly clientOrderId: string | null;
  readonly terms: OrderTerms;
  /** Bitset of what the owner is (domain/orders/eligibility). */
  readonly attributes: number;
  /** Bitset that any counterparty must share, from the asset's rules; restricted lots add to it at admission. */
  readonly requires: number;
  /** Reg CF: hold the notional, in dollars, against this allowance asset. */
  readonly allowanceAsset: string | null;
  /** Hold a buy's quantity against this position-limit asset; a sell gives it back. */
  readonly positionAsset: string | null;
  /** Daily limits of the API key, in units of the dollar; null where it has none. */
  readonly daily: DailyLimits | null;
  /** Of the quote asset, of an order under a limit in money; left out for dollars. Admission refuses with `stale` when it has moved. */
  readonly rate?: VersionedRate | null | undefined;
  /** Versions of the facts that the checks saw; admission refuses with `stale` when they have moved. */
  readonly factsVersion: number;
  readonly rulesVersion: number;
  /** Accounts of the owner's family; null or left out for none. Admission decides whether the order carries them. */
  readonly family?: readonly string[] | null;
  /** What the broker quotes, of an order without a limit on a routed market; null or left out where nothing is known. */
  readonly quoted?: number | null;
  /** Of the account, where the partner `owner` has introduced its owner; left out for any other. */
  readonly investor?: string | undefined;
  /** Until when the identity counts that the checks saw, Unix milliseconds; left out for no end. Admission refuses from then on. */
  readonly identityEndsAt?: number | undefined;
}

/** An order that order entry has refused: its book has it recorded as rejected, in the batch that goes to the ledger anyway. */
export interface RejectCommand
  extends Pick<PlaceCommand, 'orderId' | 'account' | 'owner' | 'keyId' | 'clientOrderId' | 'terms' | 'investor'> {
  readonly type: 'reject';
  readonly code: ErrorCode;
}

/** Cancels an order of this account; another account's order is not found. */
export interface CancelCommand {
  readonly type: 'cancel';
  readonly orderId: string;
  readonly account: string;
}

/** New total quantity, limit price, or trigger of a stop that awaits it; null leaves as is. Runs the checks that placing runs. */
export interface AmendCommand {
  readonly type: 'amend';
  /** UUIDv7 of the amendment, the same on every retry. */
  readonly amendmentId: string;
  readonly orderId: string;
  readonly account: string;
  readonly quantity: number | null;
  readonly price: number | null;
  readonly stopPrice: number | null;
  /** Terms of the order that the checks went by: where it has others by now, the amendment is `stale`. Null checks nothing. */
  readonly checkedOver: { readonly quantity: number; readonly price: number | null } | null;
  /** Profile A: partially filled orders cannot be modified. */
  readonly unfilledOnly: boolean;
  /** The API key that asks, if it is under a daily limit; null otherwise. */
  readonly limitedKey: string | null;
  readonly factsVersion: number;
  readonly rulesVersion: number;
  /** As of a placement. */
  readonly family?: readonly string[] | null;
  readonly identityEndsAt?: number | undefined;
}

/** Of a market of indications: one that has passed every check turns firm at the issuer's terms, and is filled from the issuer's offer. */
export interface ConvertCommand extends Conversion {
  readonly type: 'convert';
  /** UUIDv7 of the attempt: one that is repeated has another, since the indication itself is filled once. */
  readonly conversionId: string;
  readonly account: string;
  readonly lot: LotTerms;
  readonly factsVersion: number;
  readonly rulesVersion: number;
  /** As of a placement. */
  readonly identityEndsAt?: number | undefined;
}

/** An indication as the listing event takes it: an open bid of the market. Scaled integers. */
export interface Interest {
  readonly orderId: string;
  readonly account: string;
  readonly quantity: number;
  /** The most that it would pay. */
  readonly price: number;
}

/** Cancels open orders: of an account (optionally of one key, one side), or of all accounts (`account: null`) by the venue. */
export interface MassCancelCommand {
  readonly type: 'mass_cancel';
  readonly account: string | null;
  readonly keyId: string | null;
  readonly side: Side | null;
  /**
   * Only orders that carry each other's account as family: those of `account` that name this one, and those of this one that name `account`.
   */
  readonly relative?: string;
  readonly reason: Extract<CancelReason, 'user' | 'halt' | 'revoked' | 'delisted'>;
}

/** State of an order after the command, in scaled integers. */
export interface OrderReport
  extends Pick<OrderState, 'status' | 'quantity' | 'price' | 'filled' | 'filledNotional' | 'restricted' | 'code'> {
  readonly orderId: string;
  readonly remaining: number;
  readonly timestamp: number;
}

export type BookResult =
  /** Placed, cancelled or amended; a rejected placement (post-only, fill-or-kill) comes as report.status `rejected`. */
  | { readonly type: 'done'; readonly report: OrderReport }
  /** `pendingOrderIds`: open orders that the broker is to end, and has not ended. */
  | {
      readonly type: 'mass_cancelled';
      readonly orderIds: readonly string[];
      readonly pendingOrderIds: readonly string[];
    }
  /** An order that order entry has refused stands as rejected. */
  | { readonly type: 'recorded'; readonly orderId: string }
  /** Nothing was changed. A refused placement is stored as rejected with its code, unless `isStored` (refusal.ts) says otherwise. */
  | { readonly type: 'refused'; readonly orderId: string; readonly refusal: BookRefusal }
  /**
   * No answer can be given now. This call has not run the command; whether an earlier one with its id did, the ledger knows: an order
   * that stands there with the code UNAVAILABLE was never matched and never will be, and is to be tried under another id.
   */
  | { readonly type: 'unavailable'; readonly orderId: string };

/** Why an order is not amended as it stands. */
export type UnmodifiableCause =
  | 'final'
  | 'partially_filled'
  | 'pending_trigger'
  | 'triggered'
  /** Of a routed market (RefuseReason, engine/engine.ts). */
  | 'change_under_way'
  | 'end_under_way'
  | 'handed_over'
  | 'changed_too_often'
  | 'refused_by_broker'
  /** An amendment that was asked for before does not stand: the order has other terms. */
  | 'not_applied';

export type BookRefusal =
  /** `required` and `available` in scaled units of `asset`. */
  | {
      readonly reason: 'insufficient_balance';
      readonly asset: string;
      readonly required: number;
      readonly available: number;
    }
  | { readonly reason: 'investment_limit_exceeded'; readonly required: number; readonly available: number }
  | {
      readonly reason: 'risk_limit_exceeded';
      readonly limit: 'position' | 'daily_notional' | 'daily_loss';
      readonly required: number;
      readonly available: number;
    }
  /** A key under daily limits amends an order that does not count against it. */
  | { readonly reason: 'outside_limit'; readonly limit: 'daily' }
  /** The account may not come to have so much of what it brings; both in scaled units of `asset`. */
  | {
      readonly reason: 'holding_too_large';
      readonly asset: string;
      readonly required: number;
      readonly available: number;
    }
  /** The account takes as much of the ledger as it may. */
  | {
      readonly reason: 'account_quota';
      readonly of: 'amendments' | 'lots' | 'balances' | 'limited_keys' | 'unsettled_sums';
      readonly quota: number;
      /** Left out where it is the account's own. */
      readonly whose?: WiderOwner;
    }
  /** The end is null where no lot is concerned: who may buy the asset is bounded, and the order goes to a broker. */
  | {
      readonly reason: 'resale_restricted';
      readonly restrictionEndsAt: number | null;
      readonly rules: readonly ResaleRefusalRule[];
    }
  /** Sell in smaller parts: in one cycle an account reserves so many lots at most. */
  | { readonly reason: 'too_many_lots'; readonly lotsMax: number }
  /** So many orders of the account, or of all, are open in the book already; of the account, its investor or partner in all books. */
  | {
      readonly reason: 'too_many_open_orders';
      readonly of: 'account' | 'book' | WiderOwner;
      readonly openOrdersMax: number;
    }
  | { readonly reason: 'no_reference_price' }
  /** The notional leaves the range that amounts are exact in. */
  | { readonly reason: 'notional_too_large' }
  | { readonly reason: 'outside_price_band'; readonly low: number; readonly high: number }
  /** `resumesAt`: Unix ms, of a halt that ends by itself. */
  | { readonly reason: 'market_not_open'; readonly status: MarketStatus; readonly resumesAt?: number }
  /** Facts, rules or the rate have changed since they were checked: check again and resubmit. */
  | { readonly reason: 'stale' }
  /** D1 is too far behind the ledger: nothing new is admitted until it has caught up. */
  | { readonly reason: 'backlog' }
  /** The ledger holds as much as it may. */
  | { readonly reason: 'ledger_full' }
  | { readonly reason: 'account_frozen' }
  /** The identity of the account's owner has ended since it was checked. */
  | { readonly reason: 'identity_ended' }
  | { readonly reason: 'key_revoked' }
  | { readonly reason: 'duplicate_client_order_id'; readonly existingOrderId: string }
  | { readonly reason: 'order_not_found' }
  /** Cancel of an order in a final state. */
  | { readonly reason: 'order_not_cancellable'; readonly status: OrderStatus }
  | { readonly reason: 'order_not_modifiable'; readonly status: OrderStatus; readonly cause: UnmodifiableCause }
  | {
      readonly reason: 'invalid_amendment';
      readonly detail:
        | 'quantity_not_above_filled'
        | 'post_only_would_take'
        | 'below_minimum'
        | 'above_maximum'
        | 'below_least_notional'
        | 'not_on_tick'
        | 'not_on_lot'
        | 'too_many_slices'
        | 'not_positive'
        | 'no_price'
        | 'no_stop_price';
    };
