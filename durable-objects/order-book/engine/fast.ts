import { assertBookRules } from './book-rules.ts';
import type {
  AmendOrder,
  CancelOrder,
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
import { NONE } from './fast/level.ts';
import { Matcher } from './fast/matcher.ts';
import { Taker } from './fast/taker.ts';
import {
  EXPIRES,
  FILL_OR_KILL,
  IMMEDIATE,
  PENDING_TRIGGER,
  POST_ONLY,
  packTraits,
  STOP,
  sideOf,
} from './fast/traits.ts';
import { assertAmendable, assertPlaceable, triggersUpwards } from './rules.ts';
import { StateHash } from './state-hash.ts';

/**
 * An engine whose commands cost what they match, whatever else rests: the best price and any order are at hand, and a price is found
 * by bisection. It keeps 104 bytes for each plain limit order.
 */
export function createFastEngine(snapshot?: EngineSnapshot): Engine {
  return new FastEngine(snapshot);
}

class FastEngine implements Engine {
  private readonly book: Book;
  private readonly log: EventLog;
  private readonly matcher: Matcher;
  private readonly taker = new Taker();

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
        this.cancel(command);
        break;
      case 'amend':
        this.amend(command);
        break;
      case 'mass_cancel':
        this.massCancel(command);
        break;
    }
    this.runReached();
    this.book.reportTouched(this.log);
    return this.log.take();
  }

  expire(now: number): EngineEvent[] {
    const { book, log } = this;
    const { orders } = book;
    const due = book.expiries.due(now);
    due.sort(
      (a, b) => orders.extras(a).expiresAt - orders.extras(b).expiresAt || orders.arrival(a) - orders.arrival(b),
    );
    for (const slot of due) {
      const orderId = orders.id(slot);
      const remaining = orders.remaining(slot);
      book.leave(slot);
      book.forget(slot);
      log.expired(orderId, remaining);
    }
    book.reportTouched(log);
    return log.take();
  }

  nextExpiry(): number | null {
    return this.book.expiries.earliest();
  }

  order(orderId: string): LiveOrder | undefined {
    const slot = this.book.orders.find(orderId);
    return slot === NONE ? undefined : this.book.orders.view(slot);
  }

  depth(levels: number): { bids: Level[]; asks: Level[] } {
    const { book } = this;
    return { bids: book.depth(book.bids, levels), asks: book.depth(book.asks, levels) };
  }

  lastPrice(): number | null {
    return this.book.lastPrice;
  }

  ordersOf(account: string, keyId?: string): string[] {
    const { orders } = this.book;
    return this.byArrival(orders.slotsOf(account, keyId ?? null)).map((slot) => orders.id(slot));
  }

  snapshot(): EngineSnapshot {
    const { book } = this;
    return { ...this.header(), orders: book.inSnapshotOrder().map((slot) => book.orders.view(slot)) };
  }

  stateHash(): string {
    const { book } = this;
    const hash = new StateHash();
    hash.header(this.header());
    for (const slot of book.inSnapshotOrder()) hash.order(book.orders.view(slot));
    return hash.digest();
  }

  assertInvariants(): void {
    this.book.assertConsistent();
    assertBookRules(this.snapshot());
  }

  private place(command: PlaceOrder, now: number): void {
    assertPlaceable(command);
    const { book, log, taker } = this;
    const { orderId } = command;
    const traits = packTraits(command);
    taker.setArriving(command, traits, book.orders.accountNumber(command.account));
    const rejection = this.rejectionOf(taker);
    if (rejection !== null) {
      log.rejected(orderId, rejection);
      return;
    }
    book.arrivals++;
    log.accepted(orderId);
    if ((traits & EXPIRES) !== 0 && command.expiresAt <= now) {
      log.expired(orderId, command.quantity);
      return;
    }
    if ((traits & STOP) !== 0) {
      if (!this.isReached(command)) {
        this.awaitTrigger(command, traits);
        return;
      }
      book.arrivals++;
      log.triggered(orderId);
    }
    // Slices that are refilled while it trades are given later arrivals.
    const arrival = book.arrivals;
    this.matcher.match(taker);
    if (taker.remaining === 0) return;
    if ((traits & IMMEDIATE) !== 0) {
      log.cancelled(orderId, taker.remaining, 'unfilled');
      return;
    }
    book.join(book.enter(command, traits, taker.account, taker.remaining, taker.filled, arrival));
    log.rested(orderId, taker.remaining, false);
  }

  private rejectionOf(arriving: Taker): RejectReason | null {
    const { book, matcher } = this;
    const { orderId, traits } = arriving;
    if (book.orders.find(orderId) !== NONE) return 'duplicate_order_id';
    if ((traits & POST_ONLY) !== 0 && matcher.meets(arriving)) return 'post_only_would_take';
    if ((traits & FILL_OR_KILL) !== 0 && !matcher.fillsWhole(arriving)) return 'fok_not_fillable';
    return null;
  }

  private awaitTrigger(command: PlaceOrder, traits: number): void {
    const { book, taker } = this;
    book.join(book.enter(command, traits | PENDING_TRIGGER, taker.account, command.quantity, 0, book.arrivals));
    this.log.rested(command.orderId, command.quantity, true);
  }

  private isReached({ orderType, side, stopPrice }: PlaceOrder): boolean {
    const { lastPrice } = this.book;
    if (lastPrice === null) return false;
    return triggersUpwards(orderType, side) ? lastPrice >= stopPrice : lastPrice <= stopPrice;
  }

  private cancel({ orderId }: CancelOrder): void {
    const { book, log } = this;
    const slot = book.orders.find(orderId);
    if (slot === NONE) {
      log.refused(orderId, 'not_found');
      return;
    }
    const remaining = book.orders.remaining(slot);
    book.leave(slot);
    book.forget(slot);
    log.cancelled(orderId, remaining, 'user');
  }

  private massCancel({ account, keyId, side, reason }: MassCancel): void {
    const { book, log } = this;
    const { orders } = book;
    const slots = account === null ? book.inSnapshotOrder() : orders.slotsOf(account, keyId);
    for (const slot of this.byArrival(slots)) {
      if (side !== null && sideOf(orders.traits(slot)) !== side) continue;
      if (account === null && keyId !== null && !orders.isOfKey(slot, keyId)) continue;
      const orderId = orders.id(slot);
      const remaining = orders.remaining(slot);
      book.leave(slot);
      book.forget(slot);
      log.cancelled(orderId, remaining, reason);
    }
  }

  private amend(command: AmendOrder): void {
    assertAmendable(command);
    const { book, log } = this;
    const { orders } = book;
    const { orderId, quantity, price, requires } = command;
    const slot = orders.find(orderId);
    const refusal = slot === NONE ? 'not_found' : this.refusalOf(command, slot);
    if (refusal !== null) {
      log.refused(orderId, refusal);
      return;
    }
    const remaining = quantity - (orders.quantity(slot) - orders.remaining(slot));
    const keepsPriority =
      price === orders.price(slot) && requires === orders.requires(slot) && quantity <= orders.quantity(slot);
    log.amended(orderId, quantity, price, remaining, keepsPriority);
    if (keepsPriority) {
      book.shrink(slot, quantity, remaining);
      return;
    }
    book.leave(slot);
    orders.setQuantity(slot, quantity);
    orders.setPrice(slot, price);
    orders.setRemaining(slot, remaining);
    orders.setRequires(slot, requires);
    this.arriveAnew(slot);
  }

  private refusalOf(command: AmendOrder, slot: number): RefuseReason | null {
    const { taker, matcher } = this;
    const { orders } = this.book;
    const traits = orders.traits(slot);
    if ((traits & PENDING_TRIGGER) !== 0) return 'pending_trigger';
    if (command.unfilledOnly && orders.filled(slot) > 0) return 'partially_filled';
    if (command.quantity <= orders.quantity(slot) - orders.remaining(slot)) return 'quantity_not_above_filled';
    if ((traits & POST_ONLY) === 0) return null;
    taker.setLive(orders, slot);
    taker.price = command.price;
    taker.requires = command.requires;
    return matcher.meets(taker) ? 'post_only_would_take' : null;
  }

  private runReached(): void {
    const { reached } = this.matcher;
    if (reached.length === 0) return;
    const { orders } = this.book;
    // Grows while it runs: a stop may reach further ones.
    for (let i = 0; i < reached.length; i++) {
      const slot = reached[i]!;
      orders.setTraits(slot, orders.traits(slot) & ~PENDING_TRIGGER);
      this.log.triggered(orders.id(slot));
      this.arriveAnew(slot);
    }
    reached.length = 0;
  }

  /** A live order that stands in no queue trades as a new arrival; what is left of it rests or is cancelled. */
  private arriveAnew(slot: number): void {
    const { book, log, taker } = this;
    const { orders } = book;
    orders.setArrival(slot, ++book.arrivals);
    taker.setLive(orders, slot);
    this.matcher.match(taker);
    const { orderId, remaining } = taker;
    if (remaining > 0 && (taker.traits & IMMEDIATE) === 0) {
      orders.setRemaining(slot, remaining);
      orders.setFilled(slot, taker.filled);
      book.join(slot);
      log.rested(orderId, remaining, false);
      return;
    }
    book.forget(slot);
    if (remaining > 0) log.cancelled(orderId, remaining, 'unfilled');
  }

  private header(): Omit<EngineSnapshot, 'orders'> {
    const { arrivals, lastPrice } = this.book;
    return { version: 1, sequence: this.sequence, tradeSequence: this.tradeSequence, lastPrice, arrivals };
  }

  private byArrival(slots: number[]): number[] {
    const { orders } = this.book;
    return slots.sort((a, b) => orders.arrival(a) - orders.arrival(b));
  }
}
