/** All that others may use of an order book: what it is asked and answers, and the judgements of its admission that a preview shares. */
import type { BrokerEvent } from '../../domain/broker/broker-client.ts';
import type { ReservationRow } from '../../domain/ledger/outcomes.ts';
import type { Level, TakerTerms } from './engine/engine.ts';
import type {
  BookCommand,
  BookDepth,
  BookResult,
  BookStatus,
  BookTicker,
  Interest,
  OpenOrders,
  OpenOrdersQuery,
} from './rpc/commands.ts';
import type { ToldAdjustment } from './rpc/told-adjustment.ts';

export { admissionOf, prepareOrder } from './admission/admission.ts';
export { isStored, reportOfExisting } from './admission/refusal.ts';
export type { CancelReason, Level } from './engine/engine.ts';
export { submitAsText } from './rpc/call-text.ts';
export type {
  AmendCommand,
  BookCommand,
  BookDepth,
  BookRefusal,
  BookResult,
  BookStatus,
  BookTicker,
  CancelCommand,
  ConvertCommand,
  Interest,
  MarketScales,
  MassCancelCommand,
  OpenOrder,
  OpenOrders,
  OpenOrdersQuery,
  OrderReport,
  PlaceCommand,
  RejectCommand,
  UnmodifiableCause,
} from './rpc/commands.ts';
export {
  COMMANDS_PER_CALL_MAX,
  INDICATIONS_PER_ASSET_MAX,
  OPEN_ORDERS_PER_ACCOUNT_MAX,
  OPEN_ORDERS_PER_BOOK_MAX,
  SETTLED_WAIT_MS,
} from './rpc/commands.ts';

/**
 * What the doors say to an order book object. One object per market, named by its symbol. Every call returns values, never throws
 * for an expected failure; an exception means the object was lost, and the caller repeats the same commands (same ids) on a fresh
 * stub.
 */
export interface OrderBookApi {
  /**
   * Runs commands in the given order (commands of one account keep their order) and answers each, once what it says is durable.
   * At most COMMANDS_PER_CALL_MAX.
   */
  submit(commands: BookCommand[]): Promise<BookResult[]>;
  /** The same for many commands, in the text of `submitAsText` (durable-objects/order-book/rpc/call-text.ts). */
  submitText(commands: string): Promise<string>;
  /** Aggregated levels from journaled state, best first, at most `levels` a side. Prices and sizes scaled. */
  depth(levels: number): Promise<BookDepth>;
  /** What is displayed of the side that a taker meets, by those alone that it may trade with, as far as its quantity goes. */
  depthFor(taker: TakerTerms, levels: number): Promise<Level[]>;
  /** Best bid and ask and the last trade. */
  ticker(): Promise<BookTicker>;
  /**
   * The account's open orders from journaled state, by falling id. Null when the book cannot say: it does not start, or has halted.
   */
  openOrders(account: string, query: OpenOrdersQuery): Promise<OpenOrders | null>;
  /**
   * Resolves once the ledger has the effects of everything answered before this call; D1 has them once the ledger is `projected()` after
   * that. `false` when that did not happen within SETTLED_WAIT_MS.
   */
  settled(): Promise<boolean>;
  /** What the Gate of this name knows of a credential has changed: closes the feeds of those whom it lets see no longer. */
  credentialChanged(gate: string): Promise<void>;
  /**
   * Loads the market's row again after an operator changed it; a market no longer open cancels every open order. False when that could
   * not be done yet: the caller repeats it.
   */
  reconfigure(): Promise<boolean>;
  /** Tells the feeds of the book of a trade that was taken back or corrected. Nothing of the book changes. */
  tellAdjustment(told: ToldAdjustment): Promise<void>;
  /** Of a routed market: sends what waits and reads what the broker has said, whether an order is open or not. Of any other: nothing. */
  hearBroker(): Promise<void>;
  /**
   * Of a routed market: takes what the broker tells by itself, and answers true once that is durable. False while the book cannot: it is to be
   * told again.
   */
  tellOfBroker(events: readonly BrokerEvent[]): Promise<boolean>;
  /** Operator's view: fence, cursor, backlog, sequences, and why the book halted, if it did. */
  status(): Promise<BookStatus>;
  /** A hash over every open order, and the journal row after which it was that; it walks them all. Null when the book cannot start. */
  stateHash(): Promise<{ readonly journaled: number; readonly stateHash: string } | null>;
  /**
   * What each live order holds by the book's own state, for the audit of ledger against book. Null while something is under way between
   * the two, or when the book cannot start.
   */
  holds(): Promise<ReservationRow[] | null>;
  /** Every open indication of a market of indications, in order of arrival. Null when the book cannot say, and of any other market. */
  interests(): Promise<Interest[] | null>;
  /**
   * Operator's repair is done: clears the halt and recovers from the start. Where the cause is still there, the book halts again, and the
   * status says why. A book that runs is left alone.
   */
  resume(): Promise<BookStatus>;
}

/**
 * A fresh stub of a market's book. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function orderBookOf(
  env: { readonly ORDER_BOOK: { getByName(name: string): unknown } },
  symbol: string,
): OrderBookApi {
  return env.ORDER_BOOK.getByName(symbol) as OrderBookApi;
}
