import { qualifies } from '../../../../domain/orders/eligibility.ts';
import type { EventLog } from '../event-log.ts';
import { crosses } from '../rules.ts';
import type { Book } from './book.ts';
import { type Level, NONE } from './level.ts';
import type { PriceLadder } from './price-ladder.ts';
import type { Taker } from './taker.ts';
import { HIDDEN, preventionOf, sideOf } from './traits.ts';

/** Meets one taker with the book, level by level, queue by queue. */
export class Matcher {
  private readonly book: Book;
  private readonly log: EventLog;
  /** Slots of the stops that trades have reached and that have not run yet, in the order in which they will. */
  readonly reached: number[] = [];

  constructor(book: Book, log: EventLog) {
    this.book = book;
    this.log = log;
  }

  /** Trades until the taker has nothing left, or nothing is left for it. */
  match(taker: Taker): void {
    const side = sideOf(taker.traits);
    let level = this.opposite(taker).best;
    while (level !== null && taker.remaining > 0 && crosses(side, taker.price, level.price)) {
      // Read first: a level that becomes empty leaves its ladder.
      const { worse, price } = level;
      this.matchQueue(taker, level.head, price);
      if (taker.remaining > 0) this.matchQueue(taker, level.hiddenHead, price);
      level = worse;
    }
  }

  /** Whether the taker would meet any order. */
  meets(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    for (
      let level = this.opposite(taker).best;
      level !== null && crosses(side, taker.price, level.price);
      level = level.worse
    ) {
      if (this.firstQualifying(taker, level.head) !== NONE || this.firstQualifying(taker, level.hiddenHead) !== NONE)
        return true;
    }
    return false;
  }

  /** Whether the taker would be filled to the last unit. */
  fillsWhole(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    let needed = taker.remaining;
    for (
      let level = this.opposite(taker).best;
      level !== null && crosses(side, taker.price, level.price);
      level = level.worse
    ) {
      needed = this.neededAfter(taker, needed, level.head);
      if (needed > 0) needed = this.neededAfter(taker, needed, level.hiddenHead);
      if (needed <= 0) return true;
      if (needed === Number.POSITIVE_INFINITY) return false;
    }
    return false;
  }

  private opposite(taker: Taker): PriceLadder {
    return sideOf(taker.traits) === 'buy' ? this.book.asks : this.book.bids;
  }

  private firstQualifying(taker: Taker, head: number): number {
    const { orders } = this.book;
    let slot = head;
    while (slot !== NONE && !this.isMutual(taker, slot)) slot = orders.next(slot);
    return slot;
  }

  private isMutual(taker: Taker, slot: number): boolean {
    const { orders } = this.book;
    return qualifies(taker.requires, orders.attributes(slot)) && qualifies(orders.requires(slot), taker.attributes);
  }

  private matchQueue(taker: Taker, head: number, price: number): void {
    const { orders } = this.book;
    let slot = head;
    while (slot !== NONE && taker.remaining > 0) {
      let next = orders.next(slot);
      if (this.isMutual(taker, slot)) {
        const wentToBack =
          orders.account(slot) === taker.account ? this.preventSelfTrade(taker, slot) : this.trade(taker, slot, price);
        if (wentToBack && next === NONE) next = slot;
      }
      slot = next;
    }
  }

  /** Whether the maker went to the back of its queue. */
  private trade(taker: Taker, maker: number, price: number): boolean {
    const { book, log } = this;
    const { orders } = book;
    const quantity = Math.min(taker.remaining, this.offered(maker));
    const makerId = orders.id(maker);
    const makerRemaining = orders.remaining(maker) - quantity;
    taker.remaining -= quantity;
    taker.filled += quantity;
    orders.setFilled(maker, orders.filled(maker) + quantity);
    const wentToBack = book.reduce(maker, quantity);
    log.filled(makerId, taker.orderId, sideOf(taker.traits), price, quantity, makerRemaining, taker.remaining);
    book.lastPrice = price;
    this.collectReached(book.upwards, price);
    this.collectReached(book.downwards, price);
    return wentToBack;
  }

  /** Whether the maker went to the back of its queue. A taker that is cancelled has nothing left. */
  private preventSelfTrade(taker: Taker, maker: number): boolean {
    const mode = preventionOf(taker.traits);
    if (mode === 'decrement') return this.decrement(taker, maker);
    const { book, log } = this;
    if (mode !== 'cancel_newest') {
      const makerId = book.orders.id(maker);
      const makerRemaining = book.orders.remaining(maker);
      book.leave(maker);
      book.forget(maker);
      log.cancelled(makerId, makerRemaining, 'self_trade');
    }
    if (mode !== 'cancel_oldest') {
      log.cancelled(taker.orderId, taker.remaining, 'self_trade');
      taker.remaining = 0;
    }
    return false;
  }

  private decrement(taker: Taker, maker: number): boolean {
    const { book, log } = this;
    const quantity = Math.min(taker.remaining, this.offered(maker));
    const makerId = book.orders.id(maker);
    const makerRemaining = book.orders.remaining(maker) - quantity;
    taker.remaining -= quantity;
    const wentToBack = book.reduce(maker, quantity);
    log.decremented(makerId, quantity, makerRemaining);
    log.decremented(taker.orderId, quantity, taker.remaining);
    if (makerRemaining === 0) log.cancelled(makerId, 0, 'self_trade');
    if (taker.remaining === 0) log.cancelled(taker.orderId, 0, 'self_trade');
    return wentToBack;
  }

  /** What a taker can get from a resting order in one fill. */
  private offered(maker: number): number {
    const { orders } = this.book;
    return (orders.traits(maker) & HIDDEN) === 0 ? orders.displayed(maker) : orders.remaining(maker);
  }

  /** What a taker still needs when it has had all it can of a queue: 0 or less for nothing, infinity when it ends there. */
  private neededAfter(taker: Taker, needed: number, head: number): number {
    const { orders } = this.book;
    let wanted = needed;
    let reserve = 0;
    for (let slot = head; slot !== NONE && wanted > 0; slot = orders.next(slot)) {
      if (!this.isMutual(taker, slot)) continue;
      if (orders.account(slot) === taker.account) {
        if (preventionOf(taker.traits) === 'cancel_oldest') continue;
        return Number.POSITIVE_INFINITY;
      }
      const offered = this.offered(slot);
      wanted -= offered;
      reserve += orders.remaining(slot) - offered;
    }
    // Every order of the queue has its turn before the first slice is refilled.
    return wanted - reserve;
  }

  private collectReached(ladder: PriceLadder, price: number): void {
    for (let level = ladder.best; level !== null && !ladder.isBetter(price, level.price); level = ladder.best) {
      this.collectLevel(level);
    }
  }

  private collectLevel(level: Level): void {
    const { book } = this;
    for (let slot = level.head; slot !== NONE; slot = level.head) {
      book.leave(slot);
      this.reached.push(slot);
    }
  }
}
