import { mayTrade, qualifies } from '../../../../domain/orders/eligibility.ts';
import type { EventLog } from '../event-log.ts';
import { crosses } from '../rules.ts';
import type { Book } from './book.ts';
import { NONE } from './level.ts';
import type { PriceLadder } from './price-ladder.ts';
import type { Taker } from './taker.ts';
import { preventionOf, SELL, sideOf, WITH_FAMILY } from './traits.ts';

/** Meets one taker with the book, level by level, queue by queue. */
export class Matcher {
  /** Slots of the stops that trades have reached and that have not run yet, in the order in which they will. */
  readonly reached: number[] = [];
  private readonly book: Book;
  private readonly log: EventLog;

  constructor(book: Book, log: EventLog) {
    this.book = book;
    this.log = log;
  }

  /** Trades until the taker has nothing left, or nothing is left for it. */
  match(taker: Taker): void {
    const side = sideOf(taker.traits);
    let level = this.opposite(taker).best;
    while (level !== null && taker.remaining > 0 && crosses(side, taker.reach, level.price)) {
      // Read first: a level that becomes empty leaves its ladder.
      const { worse, price } = level;
      this.matchQueue(taker, level.head, price);
      if (taker.remaining > 0) this.matchQueue(taker, level.hiddenHead, price);
      level = worse;
    }
  }

  /** Whether the taker's price crosses any order that it could trade with. */
  meets(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    for (let level = this.opposite(taker).best; level !== null; level = level.worse) {
      if (!crosses(side, taker.price, level.price)) return false;
      if (this.anyQualifies(taker, level.head) || this.anyQualifies(taker, level.hiddenHead)) return true;
    }
    return false;
  }

  /** Whether the taker would be filled to the last unit. */
  fillsWhole(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    let needed = taker.remaining;
    for (let level = this.opposite(taker).best; level !== null; level = level.worse) {
      if (!crosses(side, taker.reach, level.price)) return false;
      needed = this.neededAfter(taker, needed, level.head);
      if (needed > 0) needed = this.neededAfter(taker, needed, level.hiddenHead);
      if (needed <= 0) return true;
      if (needed === Number.POSITIVE_INFINITY) return false;
    }
    return false;
  }

  private opposite(taker: Taker): PriceLadder {
    return (taker.traits & SELL) === 0 ? this.book.asks : this.book.bids;
  }

  private isMutual(taker: Taker, maker: number): boolean {
    const { orders } = this.book;
    return (
      (qualifies(taker.requires, orders.attributes(maker)) && qualifies(orders.requires(maker), taker.attributes)) ||
      this.mayTradeAsFamily(taker, maker)
    );
  }

  private mayTradeAsFamily({ traits, account, attributes, requires, family }: Taker, maker: number): boolean {
    const { orders } = this.book;
    if (((traits | orders.traits(maker)) & WITH_FAMILY) === 0) return false;
    return mayTrade({ account: orders.accountNamed(account), attributes, requires, family }, orders.party(maker));
  }

  private anyQualifies(taker: Taker, head: number): boolean {
    const { orders } = this.book;
    for (let maker = head; maker !== NONE; maker = orders.next(maker)) {
      if (this.isMutual(taker, maker)) return true;
    }
    return false;
  }

  private matchQueue(taker: Taker, head: number, price: number): void {
    const { orders } = this.book;
    let maker = head;
    while (maker !== NONE && taker.remaining > 0) {
      let next = orders.next(maker);
      if (this.isMutual(taker, maker)) {
        const wentToBack =
          orders.account(maker) === taker.account
            ? this.preventSelfTrade(taker, maker)
            : this.trade(taker, maker, price);
        if (wentToBack && next === NONE) next = maker;
      }
      maker = next;
    }
  }

  /** Whether the maker went to the back of its queue. */
  private trade(taker: Taker, maker: number, price: number): boolean {
    const { book, log } = this;
    const { orders } = book;
    const quantity = Math.min(taker.remaining, orders.offered(maker));
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
      log.cancelled(book.orders.id(maker), book.orders.remaining(maker), 'self_trade');
      book.leave(maker);
      book.forget(maker);
    }
    if (mode !== 'cancel_oldest') {
      log.cancelled(taker.orderId, taker.remaining, 'self_trade');
      taker.remaining = 0;
    }
    return false;
  }

  private decrement(taker: Taker, maker: number): boolean {
    const { book, log } = this;
    const { orders } = book;
    const quantity = Math.min(taker.remaining, orders.offered(maker));
    const makerId = orders.id(maker);
    const makerRemaining = orders.remaining(maker) - quantity;
    taker.remaining -= quantity;
    const wentToBack = book.reduce(maker, quantity);
    log.decremented(makerId, quantity, makerRemaining);
    log.decremented(taker.orderId, quantity, taker.remaining);
    if (makerRemaining === 0) log.cancelled(makerId, 0, 'self_trade');
    if (taker.remaining === 0) log.cancelled(taker.orderId, 0, 'self_trade');
    return wentToBack;
  }

  /** What a taker still needs when it has had all it can of a queue: 0 or less for nothing, infinity when it ends there. */
  private neededAfter(taker: Taker, needed: number, head: number): number {
    const { orders } = this.book;
    let wanted = needed;
    let reserve = 0;
    for (let maker = head; maker !== NONE && wanted > 0; maker = orders.next(maker)) {
      if (!this.isMutual(taker, maker)) continue;
      if (orders.account(maker) === taker.account) {
        if (preventionOf(taker.traits) === 'cancel_oldest') continue;
        return Number.POSITIVE_INFINITY;
      }
      const offered = orders.offered(maker);
      wanted -= offered;
      reserve += orders.remaining(maker) - offered;
    }
    // Every order of the queue has its turn before the first slice is refilled.
    return wanted - reserve;
  }

  private collectReached(ladder: PriceLadder, price: number): void {
    for (let level = ladder.best; level !== null && !ladder.isBetter(price, level.price); level = ladder.best) {
      for (let stop = level.head; stop !== NONE; stop = level.head) {
        this.book.leave(stop);
        this.reached.push(stop);
      }
    }
  }
}
