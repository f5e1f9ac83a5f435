import { assertBookRules } from './book-rules.ts';
import type {
  AmendOrder,
  CancelReason,
  Engine,
  EngineCommand,
  EngineEvent,
  EngineSnapshot,
  Level,
  LiveOrder,
  MassCancel,
  PlaceOrder,
  RefuseReason,
  RejectReason,
} from './engine.ts';
import { EventLog } from './event-log.ts';
import { Book } from './fast/book.ts';
import { Matcher } from './fast/matcher.ts';
import type { Order } from './fast/order.ts';
import { byArrival } from './fast/orders.ts';
import {
  EXPIRES,
  FILL_OR_KILL,
  IMMEDIATE,
  orderTypeOf,
  PENDING_TRIGGER,
  POST_ONLY,
  STOP,
  sideOf,
} from './fast/traits.ts';
import { assertAmendable, assertPlaceable, triggersUpwards } from './rules.ts';
import { StateHash } from './state-hash.ts';

/**
 * An engine whose commands cost what they match, whatever else rests: the best price, any order and any account's orders are at hand,
 * and a price is found by bisection.
 */
export function createFastEngine(snapshot?: EngineSnapshot): Engine {
  return new FastEngine(snapshot);
}

class FastEngine implements Engine {
  private readonly book: Book;
  private readonly log: EventLog;
  private readonly matcher: Matcher;

  constructor(snapshot?: EngineSnapshot) {
    this.book = new Book(snapshot);
    this.log = new EventLog(snapshot?.sequence ?? 0, snapshot?.tradeSequence ?? 0);
    this.matcher = new Matcher(this.book, this.log);
  }

  get size(): number {
    return this.book.orders.size;
  }

  get sequence(): number {
    return this.log.sequence;
  }

  get tradeSequence(): number {
    return this.log.tradeSequence;
  }

  apply(command: EngineCommand, now: number): EngineEvent[] {
    switch (command.type) {
      case 'place':
        this.place(command, now);
        break;
      case 'cancel':
        this.cancel(command.orderId);
        break;
      case 'amend':
        this.amend(command);
        break;
      case 'mass_cancel':
        this.massCancel(command);
        break;
    }
    if (this.matcher.reached.length > 0) this.runReached();
    this.book.reportTouched(this.log);
    return this.log.take();
  }

  expire(now: number): EngineEvent[] {
    const { book, log } = this;
    const due = book.expiries.due(now);
    due.sort((a, b) => a.extras!.expiresAt - b.extras!.expiresAt || byArrival(a, b));
    for (const order of due) {
      book.leave(order);
      book.forget(order);
      log.expired(order.id, order.remaining);
    }
    book.reportTouched(log);
    return log.take();
  }

  nextExpiry(): number | null {
    return this.book.expiries.earliest();
  }

  order(orderId: string): LiveOrder | undefined {
    return this.book.orders.find(orderId)?.view();
  }

  depth(levels: number): { bids: Level[]; asks: Level[] } {
    const { book } = this;
    return { bids: book.depth(book.bids, levels), asks: book.depth(book.asks, levels) };
  }

  lastPrice(): number | null {
    return this.book.lastPrice;
  }

  ordersOf(account: string, keyId?: string): string[] {
    return this.book.orders.select(account, keyId ?? null).map((order) => order.id);
  }

  snapshot(): EngineSnapshot {
    return { ...this.header(), orders: this.book.inSnapshotOrder().map((order) => order.view()) };
  }

  stateHash(): string {
    const hash = new StateHash();
    hash.header(this.header());
    for (const order of this.book.inSnapshotOrder()) hash.order(order.view());
    return hash.digest();
  }

  assertInvariants(): void {
    this.book.assertConsistent();
    assertBookRules(this.snapshot());
  }

  private place(command: PlaceOrder, now: number): void {
    assertPlaceable(command);
    const { book, log } = this;
    const order = book.orders.create(command);
    if (order === null) {
      log.rejected(command.orderId, 'duplicate_order_id');
      return;
    }
    const rejection = this.rejectionOf(order);
    if (rejection !== null) {
      log.rejected(order.id, rejection);
      book.orders.discard(order);
      return;
    }
    order.arrival = ++book.arrivals;
    log.accepted(order.id);
    if ((order.traits & EXPIRES) !== 0 && command.expiresAt <= now) {
      log.expired(order.id, order.remaining);
      book.orders.discard(order);
    } else if ((order.traits & STOP) === 0) {
      if (this.take(order)) this.rest(order);
      else book.orders.discard(order);
    } else {
      this.placeStop(order, command.stopPrice);
    }
  }

  private rejectionOf(order: Order): RejectReason | null {
    if ((order.traits & POST_ONLY) !== 0 && this.matcher.meets(order)) return 'post_only_would_take';
    if ((order.traits & FILL_OR_KILL) !== 0 && !this.matcher.fillsWhole(order)) return 'fok_not_fillable';
    return null;
  }

  private placeStop(stop: Order, stopPrice: number): void {
    const { book, log } = this;
    const { lastPrice } = book;
    const upwards = triggersUpwards(orderTypeOf(stop.traits), sideOf(stop.traits));
    book.enter(stop);
    if (lastPrice !== null && (upwards ? lastPrice >= stopPrice : lastPrice <= stopPrice)) {
      this.trigger(stop);
      return;
    }
    stop.traits |= PENDING_TRIGGER;
    book.join(stop);
    log.rested(stop.id, stop.remaining, true);
  }

  private runReached(): void {
    const { reached } = this.matcher;
    // Grows while it runs: a stop may reach further ones.
    for (let i = 0; i < reached.length; i++) {
      const stop = reached[i]!;
      stop.traits &= ~PENDING_TRIGGER;
      this.trigger(stop);
    }
    reached.length = 0;
  }

  /** A live stop, in no queue, trades. */
  private trigger(stop: Order): void {
    this.log.triggered(stop.id);
    this.arriveAnew(stop);
  }

  /** A live order, in no queue, trades as a new arrival. */
  private arriveAnew(order: Order): void {
    const { book, log } = this;
    order.arrival = ++book.arrivals;
    if (!this.take(order)) {
      book.forget(order);
      return;
    }
    book.join(order);
    log.rested(order.id, order.remaining, false);
  }

  /** Trades what can be traded. Whether anything is left that may rest; what may not is cancelled. */
  private take(taker: Order): boolean {
    this.matcher.match(taker);
    if (taker.remaining === 0) return false;
    if ((taker.traits & IMMEDIATE) === 0) return true;
    this.log.cancelled(taker.id, taker.remaining, 'unfilled');
    return false;
  }

  private rest(order: Order): void {
    const { book, log } = this;
    book.enter(order);
    book.join(order);
    log.rested(order.id, order.remaining, false);
  }

  private cancel(orderId: string): void {
    const order = this.book.orders.find(orderId);
    if (order === null) this.log.refused(orderId, 'not_found');
    else this.end(order, 'user');
  }

  private massCancel({ account, keyId, side, reason }: MassCancel): void {
    for (const order of this.book.orders.select(account, keyId)) {
      if (side === null || sideOf(order.traits) === side) this.end(order, reason);
    }
  }

  /** Cancels a live order. */
  private end(order: Order, reason: CancelReason): void {
    const { book, log } = this;
    book.leave(order);
    book.forget(order);
    log.cancelled(order.id, order.remaining, reason);
  }

  private amend(command: AmendOrder): void {
    assertAmendable(command);
    const { book, log } = this;
    const { orderId, quantity, price, requires } = command;
    const order = book.orders.find(orderId);
    const refusal = order === null ? 'not_found' : this.refusalOf(command, order);
    if (order === null || refusal !== null) {
      log.refused(orderId, refusal ?? 'not_found');
      return;
    }
    const remaining = quantity - (order.quantity - order.remaining);
    const keepsPriority = price === order.price && requires === order.requires && quantity <= order.quantity;
    log.amended(orderId, quantity, price, remaining, keepsPriority);
    if (keepsPriority) {
      book.shrink(order, quantity, remaining);
      return;
    }
    book.leave(order);
    order.quantity = quantity;
    order.remaining = remaining;
    order.price = price;
    order.requires = requires;
    this.arriveAnew(order);
  }

  private refusalOf(command: AmendOrder, order: Order): RefuseReason | null {
    if ((order.traits & PENDING_TRIGGER) !== 0) return 'pending_trigger';
    if (command.unfilledOnly && order.filled > 0) return 'partially_filled';
    if (command.quantity <= order.quantity - order.remaining) return 'quantity_not_above_filled';
    return (order.traits & POST_ONLY) !== 0 && this.wouldMeet(command, order) ? 'post_only_would_take' : null;
  }

  /** Whether a resting order would meet another, were it amended. */
  private wouldMeet({ price, requires }: AmendOrder, order: Order): boolean {
    const { price: priceBefore, requires: requiresBefore } = order;
    order.price = price;
    order.requires = requires;
    const meets = this.matcher.meets(order);
    order.price = priceBefore;
    order.requires = requiresBefore;
    return meets;
  }

  private header(): Omit<EngineSnapshot, 'orders'> {
    const { arrivals, lastPrice } = this.book;
    return { version: 1, sequence: this.sequence, tradeSequence: this.tradeSequence, lastPrice, arrivals };
  }
}
