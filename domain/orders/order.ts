/** The words that every door of the exchange shares. Wire spellings are mapped at the doors. */
export type Side = 'buy' | 'sell';

export type OrderType =
  | 'market'
  | 'limit'
  | 'stop_loss'
  | 'stop_loss_limit'
  | 'take_profit'
  | 'take_profit_limit'
  | 'limit_maker';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD' | 'POST_ONLY';

/**
 * What happens when an order would trade with one of the same account. `newest` is the taker
 * (docs/design/matching.md#self-trade-prevention).
 */
export type SelfTradePrevention = 'cancel_newest' | 'cancel_oldest' | 'cancel_both' | 'decrement';

/**
 * State of an order as the ledger keeps it. `open`, `pending_trigger` and `partially_filled` hold a reserve, the others are final.
 */
export type OrderStatus =
  | 'open'
  | 'pending_trigger'
  | 'partially_filled'
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'rejected';

/** What an order asks for, in scaled integers of its market; null where the type has no such field. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: number;
  readonly price: number | null;
  readonly stopPrice: number | null;
  /** Unix milliseconds; set exactly for GTD. */
  readonly expiresAt: number | null;
  readonly selfTradePrevention: SelfTradePrevention;
  /** Not shown in the book, ranks behind displayed orders at its price. */
  readonly hidden: boolean;
  /** Iceberg slice; null shows the whole quantity. */
  readonly displayQuantity: number | null;
}
