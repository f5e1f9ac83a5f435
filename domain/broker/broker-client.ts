import type { Side } from '../orders/order.ts';
import type { Result } from '../result.ts';

/**
 * What the exchange asks of a broker, and what a broker tells (docs/design/broker.md#broker-client). One interface for the sandbox broker and
 * for brokers over HTTP.
 *
 * - Orders are named by the client order id that the caller gave them, whatever ids the broker has beside it. One symbol, one stream of events.
 * - A broker that is away, or answers too late, is the value `unavailable`. Of a call that changes something the outcome is then unknown:
 *   the same call is made again, and is carried out once.
 * - Nothing here throws for what a broker may answer.
 */
export interface BrokerClient {
  /**
   * Hands an order over. Idempotent by `clientOrderId`: an order that the broker has is answered as it stands, and nothing is placed again.
   * `conflict` where the broker has another order under this id. A refused order never was; an accepted one may still end `rejected`.
   */
  submit(order: BrokerOrderTerms): Promise<SubmitAnswer>;
  /**
   * Hands many orders of one symbol over, at most `SUBMITTED_MAX`: what `submit` would answer of each, in their order. Left out by brokers that
   * take one order a call.
   */
  submitMany?(
    symbol: string,
    orders: readonly BrokerOrderTerms[],
  ): Promise<Result<readonly SubmitAnswer[], BrokerRefusal | BrokerUnavailable>>;
  /**
   * Asks for an order's end. `ok` says that the request was taken, not that the order has ended: `done` says so, or a fill that came before.
   * Repeated without harm. `unknown_order` and `order_ended` are refusals: read the order to see what became of it.
   */
  cancel(symbol: string, clientOrderId: string): Promise<Result<null, BrokerRefusal | BrokerUnavailable>>;
  /**
   * Asks for other terms. `ok` says that the request was taken; `replaced` or `replace_rejected` says what came of it. Repeated without harm
   * under the same `revision`.
   */
  replace(
    symbol: string,
    clientOrderId: string,
    change: BrokerReplacement,
  ): Promise<Result<null, BrokerRefusal | BrokerUnavailable>>;
  /** An order as it stands; null where the broker has none under this id. */
  order(symbol: string, clientOrderId: string): Promise<Result<BrokerOrder | null, BrokerUnavailable>>;
  /** Open orders of a symbol by client order id, in pages of `OPEN_ORDERS_PAGE_MAX`; `next` is null on the last. */
  openOrders(symbol: string, page: string | null): Promise<Result<BrokerOrderPage, BrokerUnavailable>>;
  /**
   * What happened to orders of a symbol since a cursor, at most `EVENTS_PAGE_MAX` at a time. Events come at least once, late and in any order
   * among each other; the same event has the same id whenever it comes.
   *
   * @param after `cursor` of the page that the caller has stored last; null begins with the first event
   * @param watched client order ids that the caller has open: a broker whose feed does not tell of endings looks these up
   */
  events(
    symbol: string,
    after: string | null,
    watched: readonly string[],
  ): Promise<Result<BrokerEventPage, BrokerRefusal | BrokerUnavailable>>;
  /** Shares that the broker holds for the exchange: negative when short, '0' when none. */
  position(symbol: string): Promise<Result<Decimal, BrokerUnavailable>>;
}

/**
 * A decimal as text: '212.5', '-3', '0.0001'; no exponent, no leading plus. Brokers state amounts in decimals of no scale of ours, and fill
 * between ticks: a text carries every digit, and who reads it turns it into its market's scale or says that it does not fit
 * (`domain/money/decimal-text.ts`). Prices are dollars a share, quantities shares.
 */
export type Decimal = string;

export type SubmitAnswer = Result<BrokerOrder, BrokerRefusal | BrokerUnavailable>;

/** Orders of one call of `submitMany`. */
export const SUBMITTED_MAX = 64;
export const EVENTS_PAGE_MAX = 500;
export const OPEN_ORDERS_PAGE_MAX = 500;
/** Watched orders of one call; of more, the caller takes turns. */
export const WATCHED_MAX = 100;

export type BrokerOrderType = 'market' | 'limit' | 'stop' | 'stop_limit';

/** As GTC, IOC and FOK of domain/orders/order.ts. An order with an end in time is canceled by who placed it. */
export type BrokerTimeInForce = 'gtc' | 'ioc' | 'fok';

export interface BrokerOrderTerms {
  /** Of the caller's making, unique for good, at most 48 characters. */
  readonly clientOrderId: string;
  /** The broker's symbol: that of the asset ('AAPL'), not of the market. */
  readonly symbol: string;
  readonly side: Side;
  readonly type: BrokerOrderType;
  readonly timeInForce: BrokerTimeInForce;
  readonly quantity: Decimal;
  /**
   * Set for `limit` and `stop_limit`. What may be spent is bounded by a limit alone: an order at market fills at whatever the venues show, so
   * one that holds an amount goes out as a limit at its collar.
   */
  readonly limitPrice: Decimal | null;
  /** Set for `stop` and `stop_limit`. */
  readonly stopPrice: Decimal | null;
}

export interface BrokerReplacement {
  /** Above 0, and above that of each replacement of the order before. */
  readonly revision: number;
  /** Total, with what has filled. */
  readonly quantity: Decimal;
  readonly limitPrice: Decimal | null;
}

export type BrokerOrderStatus = 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';

export interface BrokerOrder extends BrokerOrderTerms {
  readonly status: BrokerOrderStatus;
  readonly filled: Decimal;
  /** Of the last replacement that was carried out; 0 before one. */
  readonly revision: number;
}

export interface BrokerOrderPage {
  readonly orders: readonly BrokerOrder[];
  readonly next: string | null;
}

export interface BrokerEventPage {
  readonly events: readonly BrokerEvent[];
  /** Where the next call begins; as `after` where nothing came. */
  readonly cursor: string | null;
  /** Whether more waits already. */
  readonly more: boolean;
}

interface EventOfOrder {
  /** Stable: the same event that comes twice has the same id. */
  readonly id: string;
  readonly symbol: string;
  readonly clientOrderId: string;
  /** When it happened, Unix milliseconds. */
  readonly at_ms: number;
}

export interface BrokerExecution extends EventOfOrder {
  /** `fill` is the one that fills the order's whole quantity. */
  readonly type: 'fill' | 'partial_fill';
  /** Unique at the broker, for good. */
  readonly executionId: string;
  /** Where it executed; null where the broker does not say. */
  readonly venue: string | null;
  /** Whose side the order was on by the broker's word, where it says so. */
  readonly side?: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** The order has ended without filling whole. */
export interface BrokerOrderDone extends EventOfOrder {
  readonly type: 'done';
  readonly reason: 'canceled' | 'expired' | 'rejected';
  /** What had filled at the end: executions up to this sum belong to the order, and may come later than this. */
  readonly filled: Decimal;
  /** In the broker's words; null where it says nothing. */
  readonly detail: string | null;
}

interface BrokerOrderReplaced extends EventOfOrder {
  readonly type: 'replaced';
  readonly revision: number;
  /** What had filled when it was replaced: executions up to this sum are on the former terms, and may come later than this. */
  readonly filled: Decimal;
  readonly quantity: Decimal;
  readonly limitPrice: Decimal | null;
}

interface BrokerReplaceRejected extends EventOfOrder {
  readonly type: 'replace_rejected';
  readonly revision: number;
  readonly detail: string | null;
}

/** An execution never was. */
interface BrokerBust extends EventOfOrder {
  readonly type: 'bust';
  readonly executionId: string;
}

/** An execution was at another price or quantity: what stands here takes the place of what was told before. */
export interface BrokerCorrection extends EventOfOrder {
  readonly type: 'correct';
  readonly executionId: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export type BrokerEvent =
  | BrokerExecution
  | BrokerOrderDone
  | BrokerOrderReplaced
  | BrokerReplaceRejected
  | BrokerBust
  | BrokerCorrection;

/** The broker was asked and says no; the same call gets the same answer. */
export interface BrokerRefusal {
  readonly reason: 'refused';
  readonly code:
    | 'unknown_symbol'
    /** Terms that the broker does not take: a type, a time in force, a price off its tick, a quantity out of its range. */
    | 'invalid_order'
    | 'conflict'
    | 'unknown_order'
    | 'order_ended'
    /** Buying power, shares to sell, bounds of the account. */
    | 'account_limit'
    /** The cursor lies before what the broker keeps: orders are read one by one. */
    | 'unknown_cursor'
    | 'not_permitted';
  /** In the broker's words, at most 200 characters. */
  readonly detail: string;
}

/** No answer, too late an answer, or one that asks for patience. Of a change the outcome is unknown. */
export interface BrokerUnavailable {
  readonly reason: 'unavailable';
  /** How long the broker asks to be left alone; null where it does not say. */
  readonly retryAfter_ms: number | null;
  readonly detail: string;
}
