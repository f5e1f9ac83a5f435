import { qualifies } from '../../../../domain/orders/eligibility.ts';
import type { EventLog } from '../event-log.ts';
import { crosses } from '../rules.ts';
import type { Book } from './book.ts';
import type { Order } from './order.ts';
import type { PriceLadder } from './price-ladder.ts';
import { preventionOf, SELL, sideOf } from './traits.ts';

/** Meets one taker with the book, level by level, queue by queue. */
export class Matcher {
  /** Stops that trades have reached and that have not run yet, in the order in which they will. */
  readonly reached: Order[] = [];
  private readonly book: Book;
  private readonly log: EventLog;

  constructor(book: Book, log: EventLog) {
    this.book = book;
    this.log = log;
  }

  /** Trades until the taker has nothing left, or nothing is left for it. */
  match(taker: Order): void {
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
  meets(taker: Order): boolean {
    const side = sideOf(taker.traits);
    for (let level = this.opposite(taker).best; level !== null; level = level.worse) {
      if (!crosses(side, taker.price, level.price)) return false;
      if (anyQualifies(taker, level.head) || anyQualifies(taker, level.hiddenHead)) return true;
    }
    return false;
  }

  /** Whether the taker would be filled to the last unit. */
  fillsWhole(taker: Order): boolean {
    const side = sideOf(taker.traits);
    let needed = taker.remaining;
    for (let level = this.opposite(taker).best; level !== null; level = level.worse) {
      if (!crosses(side, taker.price, level.price)) return false;
      needed = neededAfter(taker, needed, level.head);
      if (needed > 0) needed = neededAfter(taker, needed, level.hiddenHead);
      if (needed <= 0) return true;
      if (needed === Number.POSITIVE_INFINITY) return false;
    }
    return false;
  }

  private opposite(taker: Order): PriceLadder {
    return (taker.traits & SELL) === 0 ? this.book.asks : this.book.bids;
  }

  private matchQueue(taker: Order, head: Order | null, price: number): void {
    let maker = head;
    while (maker !== null && taker.remaining > 0) {
      let next = maker.next;
      if (isMutual(taker, maker)) {
        const wentToBack =
          maker.account === taker.account ? this.preventSelfTrade(taker, maker) : this.trade(taker, maker, price);
        if (wentToBack && next === null) next = maker;
      }
      maker = next;
    }
  }

  /** Whether the maker went to the back of its queue. */
  private trade(taker: Order, maker: Order, price: number): boolean {
    const { book, log } = this;
    const quantity = Math.min(taker.remaining, maker.offered);
    taker.remaining -= quantity;
    taker.filled += quantity;
    maker.filled += quantity;
    const wentToBack = book.reduce(maker, quantity);
    log.filled(maker.id, taker.id, sideOf(taker.traits), price, quantity, maker.remaining, taker.remaining);
    book.lastPrice = price;
    this.collectReached(book.upwards, price);
    this.collectReached(book.downwards, price);
    return wentToBack;
  }

  /** Whether the maker went to the back of its queue. A taker that is cancelled has nothing left. */
  private preventSelfTrade(taker: Order, maker: Order): boolean {
    const mode = preventionOf(taker.traits);
    if (mode === 'decrement') return this.decrement(taker, maker);
    const { book, log } = this;
    if (mode !== 'cancel_newest') {
      book.leave(maker);
      book.forget(maker);
      log.cancelled(maker.id, maker.remaining, 'self_trade');
    }
    if (mode !== 'cancel_oldest') {
      log.cancelled(taker.id, taker.remaining, 'self_trade');
      taker.remaining = 0;
    }
    return false;
  }

  private decrement(taker: Order, maker: Order): boolean {
    const { book, log } = this;
    const quantity = Math.min(taker.remaining, maker.offered);
    taker.remaining -= quantity;
    const wentToBack = book.reduce(maker, quantity);
    log.decremented(maker.id, quantity, maker.remaining);
    log.decremented(taker.id, quantity, taker.remaining);
    if (maker.remaining === 0) log.cancelled(maker.id, 0, 'self_trade');
    if (taker.remaining === 0) log.cancelled(taker.id, 0, 'self_trade');
    return wentToBack;
  }

  private collectReached(ladder: PriceLadder, price: number): void {
    for (let level = ladder.best; level !== null && !ladder.isBetter(price, level.price); level = ladder.best) {
      for (let stop = level.head; stop !== null; stop = level.head) {
        this.book.leave(stop);
        this.reached.push(stop);
      }
    }
  }
}

function isMutual(taker: Order, maker: Order): boolean {
  return qualifies(taker.requires, maker.attributes) && qualifies(maker.requires, taker.attributes);
}

function anyQualifies(taker: Order, head: Order | null): boolean {
  for (let maker = head; maker !== null; maker = maker.next) {
    if (isMutual(taker, maker)) return true;
  }
  return false;
}

/** What a taker still needs when it has had all it can of a queue: 0 or less for nothing, infinity when it ends there. */
function neededAfter(taker: Order, needed: number, head: Order | null): number {
  let wanted = needed;
  let reserve = 0;
  for (let maker = head; maker !== null && wanted > 0; maker = maker.next) {
    if (!isMutual(taker, maker)) continue;
    if (maker.account === taker.account) {
      if (preventionOf(taker.traits) === 'cancel_oldest') continue;
      return Number.POSITIVE_INFINITY;
    }
    wanted -= maker.offered;
    reserve += maker.remaining - maker.offered;
  }
  // Every order of the queue has its turn before the first slice is refilled.
  return wanted - reserve;
}
