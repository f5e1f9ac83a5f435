import { type PriceBand, withinBand } from '../../../domain/markets/price-band.ts';
import type { Side } from '../../../domain/orders/order.ts';
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
  TakerTerms,
} from './engine.ts';
import { EventLog } from './event-log.ts';
import { Book } from './fast/book.ts';
import { NONE } from './fast/level.ts';
import { Matcher } from './fast/matcher.ts';
import { ReadAhead } from './fast/read-ahead.ts';
import { Taker } from './fast/taker.ts';
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
import { assertAmendable, assertPlaceable, FILL_OR_KILL_LOOKS_MAX, triggersUpwards } from './rules.ts';
import { StateHash } from './state-hash.ts';

/**
 * An engine whose commands cost what they match, whatever else rests: the best price and any order are at hand, a price is found by
 * bisection. Only `ordersOf` looks through all orders. It reads ahead in books of at least `readAheadRestingMin` orders.
 */
export function createFastEngine(
  snapshot?: EngineSnapshot,
  readAheadRestingMin?: number,
  fillOrKillLooksMax = FILL_OR_KILL_LOOKS_MAX,
  stopsRest = true,
): Engine {
  return new FastEngine(snapshot, readAheadRestingMin, fillOrKillLooksMax, stopsRest);
}

class FastEngine implements Engine {
  private readonly book: Book;
  private readonly log: EventLog;
  private readonly matcher: Matcher;
  private readonly taker = new Taker();
  private readonly reader: ReadAhead;
  private band: PriceBand | null = null;
  /** What a triggered stop without a limit does not find stands at its collar. */
  private readonly stopsRest: boolean;

  constructor(
    snapshot: EngineSnapshot | undefined,
    readAheadRestingMin: number | undefined,
    fillOrKillLooksMax: number,
    stopsRest: boolean,
  ) {
    this.stopsRest = stopsRest;
    this.book = new Book(snapshot);
    this.log = new EventLog(snapshot?.sequence ?? 0, snapshot?.tradeSequence ?? 0);
    this.matcher = new Matcher(this.book, this.log, fillOrKillLooksMax);
    this.reader = new ReadAhead(this.book, readAheadRestingMin);
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

  readAhead(commands: readonly EngineCommand[]): void {
    this.reader.read(commands);
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

  goWithin(band: PriceBand | null): void {
    this.band = band;
  }

  expire(now: number, count: number): EngineEvent[] {
    const { book, log } = this;
    const { orders } = book;
    for (let left = count; left > 0; left--) {
      const due = book.expiries.due(now);
      if (due === null) break;
      const { slot } = due;
      log.expired(orders.id(slot), orders.remaining(slot));
      book.leave(slot);
      book.forget(slot);
    }
    book.reportTouched(log);
    return log.take();
  }

  nextExpiry(): number | null {
    return this.book.expiries.earliest();
  }

  order(orderId: string): LiveOrder | undefined {
    const { orders } = this.book;
    const slot = orders.find(orderId);
    return slot === NONE ? undefined : orders.view(slot);
  }

  depth(levels: number, common = 0): { bids: Level[]; asks: Level[] } {
    const { book } = this;
    const bids = book.depth(book.bids, levels, common, null);
    return { bids, asks: book.depth(book.asks, levels, common, bids[0]?.[0] ?? null) };
  }

  depthFor(taker: TakerTerms, levels: number): Level[] {
    return this.book.depthFor(taker, levels);
  }

  lastPrice(): number | null {
    return this.book.lastPrice;
  }

  reprice(price: number): void {
    if (this.book.lastPrice !== null) this.book.lastPrice = price;
  }

  ordersOf(account: string | null, keyId: string | null = null, side: Side | null = null): string[] {
    const { orders } = this.book;
    const slots = orders.select(account, keyId);
    const meant = side === null ? slots : slots.filter((slot) => sideOf(orders.traits(slot)) === side);
    return meant.map((slot) => orders.id(slot));
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
    const { orders } = book;
    const { orderId } = command;
    const slot = orders.create(command);
    if (slot === NONE) {
      log.rejected(orderId, 'duplicate_order_id');
      return;
    }
    taker.setArriving(orders, slot, command);
    this.setReach();
    const { traits } = taker;
    const rejection = this.rejectionOf(taker);
    if (rejection !== null) {
      log.rejected(orderId, rejection);
      orders.discard(slot);
      return;
    }
    orders.setArrival(slot, ++book.arrivals);
    log.accepted(orderId);
    if ((traits & EXPIRES) !== 0 && command.expiresAt <= now) {
      log.expired(orderId, command.quantity);
      orders.discard(slot);
    } else if ((traits & STOP) !== 0) {
      this.placeStop(slot, command);
    } else if (this.take(taker)) {
      book.enter(slot, orderId);
      this.rest(taker);
    } else {
      orders.discard(slot);
    }
  }

  private rejectionOf(arriving: Taker): RejectReason | null {
    if ((arriving.traits & POST_ONLY) !== 0 && this.matcher.meets(arriving)) return 'post_only_would_take';
    if ((arriving.traits & FILL_OR_KILL) !== 0 && !this.matcher.fillsWhole(arriving)) return 'fok_not_fillable';
    return null;
  }

  private placeStop(slot: number, { orderId, quantity }: PlaceOrder): void {
    const { book, log } = this;
    const { orders } = book;
    book.enter(slot, orderId);
    if (this.isReached(slot)) {
      this.trigger(slot);
      return;
    }
    orders.setTraits(slot, orders.traits(slot) | PENDING_TRIGGER);
    book.holdStop(slot);
    log.rested(orderId, quantity, true);
  }

  private setReach(): void {
    const { taker, band } = this;
    taker.reach = band === null ? taker.price : withinBand(band, sideOf(taker.traits), taker.price);
  }

  private runReached(): void {
    const { reached } = this.matcher;
    const { orders } = this.book;
    // Grows while it runs: a stop may reach further ones.
    for (let i = 0; i < reached.length; i++) {
      const slot = reached[i]!;
      orders.setTraits(slot, orders.traits(slot) & ~PENDING_TRIGGER);
      this.trigger(slot);
    }
    reached.length = 0;
  }

  /** A live stop, in no queue, trades. */
  private trigger(slot: number): void {
    this.log.triggered(this.book.orders.id(slot));
    this.arriveAnew(slot);
  }

  /** A live order, in no queue, trades as a new arrival. */
  private arriveAnew(slot: number): void {
    const { book, taker } = this;
    const { orders } = book;
    book.arrive(slot);
    taker.setLive(orders, slot);
    this.setReach();
    if (this.take(taker)) this.rest(taker);
    else book.forget(slot);
  }

  /** Trades what can be traded. Whether anything is left that may rest; what may not is cancelled. */
  private take(taker: Taker): boolean {
    const filledBefore = taker.filled;
    this.matcher.match(taker);
    if (this.band !== null && taker.filled > filledBefore) this.noteReached(taker, this.band);
    if (taker.remaining === 0) return false;
    if ((taker.traits & IMMEDIATE) === 0) {
      if (taker.reach === taker.price || !this.matcher.meets(taker)) return true;
      this.log.cancelled(taker.orderId, taker.remaining, 'price_band');
      return false;
    }
    if (this.stopsRest && (taker.traits & STOP) !== 0) {
      this.standWithin(taker);
      return true;
    }
    this.log.cancelled(taker.orderId, taker.remaining, 'unfilled');
    return false;
  }

  /** A stop without a limit is a limit at its collar from here on, as far as the band lets it. */
  private standWithin(taker: Taker): void {
    if (taker.price === taker.reach) return;
    taker.price = taker.reach;
    this.book.orders.setPrice(taker.slot, taker.reach);
  }

  /** The taker has traded: has it come to the end of the band? */
  private noteReached(taker: Taker, band: PriceBand): void {
    const { lastPrice } = this.book;
    const end = sideOf(taker.traits) === 'buy' ? band.high : band.low;
    if (taker.remaining > 0 && taker.reach === end) this.log.bandReached(taker.orderId, end);
    else if (lastPrice !== null && lastPrice >= band.high) this.log.bandReached(taker.orderId, band.high);
    else if (lastPrice !== null && lastPrice <= band.low) this.log.bandReached(taker.orderId, band.low);
  }

  /** Rests what is left of a live order. */
  private rest({ slot, orderId, traits, price, filled, remaining }: Taker): void {
    const { book, log } = this;
    if (filled > 0) book.orders.setFilled(slot, filled);
    book.orders.setRemaining(slot, remaining);
    book.rest(slot, traits, price, remaining);
    log.rested(orderId, remaining, false);
  }

  private cancel(orderId: string): void {
    const slot = this.book.orders.find(orderId);
    if (slot === NONE) this.log.refused(orderId, 'not_found');
    else this.end(slot, orderId, 'user');
  }

  private massCancel({ orderIds, reason }: MassCancel): void {
    for (const orderId of orderIds) {
      const slot = this.book.orders.find(orderId);
      if (slot !== NONE) this.end(slot, orderId, reason);
    }
  }

  /** Cancels a live order. */
  private end(slot: number, orderId: string, reason: CancelReason): void {
    const { book, log } = this;
    log.cancelled(orderId, book.orders.remaining(slot), reason);
    book.leave(slot);
    book.forget(slot);
  }

  private amend(command: AmendOrder): void {
    assertAmendable(command);
    const { book, log } = this;
    const { orders } = book;
    const { orderId, quantity, price, stopPrice, requires, family } = command;
    const slot = orders.find(orderId);
    const refusal = slot === NONE ? 'not_found' : this.refusalOf(command, slot);
    if (refusal !== null) {
      log.refused(orderId, refusal);
      return;
    }
    const remaining = quantity - (orders.quantity(slot) - orders.remaining(slot));
    const keepsPriority = this.keepsPriority(command, slot);
    log.amended(orderId, quantity, price, remaining, keepsPriority);
    if (keepsPriority) {
      book.shrink(slot, quantity, remaining);
      return;
    }
    book.leave(slot);
    orders.setQuantity(slot, quantity);
    orders.setRemaining(slot, remaining);
    orders.setPrice(slot, price);
    orders.setRequires(slot, requires);
    if (family !== undefined) orders.setFamily(slot, family);
    if (stopPrice === undefined) this.arriveAnew(slot);
    else this.holdAnew(slot, stopPrice);
  }

  /** A live stop, in no queue, is held as a new arrival, or triggers if its stop price is reached already. */
  private holdAnew(slot: number, stopPrice: number): void {
    const { book, log } = this;
    const { orders } = book;
    orders.extras(slot).stopPrice = stopPrice;
    book.arrive(slot);
    if (this.isReached(slot)) {
      orders.setTraits(slot, orders.traits(slot) & ~PENDING_TRIGGER);
      this.trigger(slot);
      return;
    }
    book.holdStop(slot);
    log.rested(orders.id(slot), orders.remaining(slot), true);
  }

  private isReached(slot: number): boolean {
    const { orders, lastPrice } = this.book;
    if (lastPrice === null) return false;
    const traits = orders.traits(slot);
    const { stopPrice } = orders.extras(slot);
    return triggersUpwards(orderTypeOf(traits), sideOf(traits)) ? lastPrice >= stopPrice : lastPrice <= stopPrice;
  }

  private keepsPriority({ quantity, price, stopPrice, requires }: AmendOrder, slot: number): boolean {
    const { orders } = this.book;
    return (
      price === orders.price(slot) &&
      requires === orders.requires(slot) &&
      quantity <= orders.quantity(slot) &&
      (stopPrice === undefined || stopPrice === orders.extras(slot).stopPrice)
    );
  }

  private refusalOf(command: AmendOrder, slot: number): RefuseReason | null {
    const { unfilledOnly, quantity, price, stopPrice, requires, family } = command;
    const { orders } = this.book;
    const { taker } = this;
    const traits = orders.traits(slot);
    const isPending = (traits & PENDING_TRIGGER) !== 0;
    if (isPending !== (stopPrice !== undefined)) return isPending ? 'pending_trigger' : 'triggered';
    if (unfilledOnly && orders.filled(slot) > 0) return 'partially_filled';
    if (quantity <= orders.quantity(slot) - orders.remaining(slot)) return 'quantity_not_above_filled';
    if ((traits & POST_ONLY) === 0) return null;
    taker.setLive(orders, slot);
    taker.price = price;
    taker.requires = requires;
    if (family !== undefined && !this.keepsPriority(command, slot)) taker.family = family;
    return this.matcher.meets(taker) ? 'post_only_would_take' : null;
  }

  private header(): Omit<EngineSnapshot, 'orders'> {
    const { arrivals, lastPrice } = this.book;
    return { version: 1, sequence: this.sequence, tradeSequence: this.tradeSequence, lastPrice, arrivals };
  }
}
