/** The words that every door of the exchange shares. Wire spellings are mapped at the doors. */
export const SIDES = ['buy', 'sell'] as const;

export type Side = (typeof SIDES)[number];

export const ORDER_TYPES = [
  'market',
  'limit',
  'stop_loss',
  'stop_loss_limit',
  'take_profit',
  'take_profit_limit',
  'limit_maker',
] as const;

export type OrderType = (typeof ORDER_TYPES)[number];

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'] as const;

export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const SELF_TRADE_PREVENTIONS = ['cancel_newest', 'cancel_oldest', 'cancel_both', 'decrement'] as const;

/**
 * What happens when an order would trade with one of the same account. `newest` is the taker
 * (docs/design/matching.md#self-trade-prevention).
 */
export type SelfTradePrevention = (typeof SELF_TRADE_PREVENTIONS)[number];

/**
 * State of an order as the ledger keeps it. `open`, `pending_trigger` and `partially_filled` hold a reserve, the others are final.
 */
export const ORDER_STATUSES = [
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
  'pending_trigger',
  'expired',
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

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
