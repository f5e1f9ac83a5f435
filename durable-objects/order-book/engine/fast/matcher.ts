import { ATTRIBUTE, mayTrade, qualifies } from '../../../../domain/orders/eligibility.ts';
import type { EventLog } from '../event-log.ts';
import { crosses } from '../rules.ts';
import type { Book } from './book.ts';
import { type Level, NONE } from './level.ts';
import type { PriceLadder } from './price-ladder.ts';
import type { Taker } from './taker.ts';
import { preventionOf, SELL, sideOf, WITH_FAMILY } from './traits.ts';

/** Meets one taker with the book, level by level, queue by queue. */
export class Matcher {
  /** Slots of the stops that trades have reached and that have not run yet, in the order in which they will. */
  readonly reached: number[] = [];
  private readonly book: Book;
  private readonly log: EventLog;

  private readonly fillOrKillLooksMax: number;

  /** @param fillOrKillLooksMax orders that a fill-or-kill order is judged by whose own account stands on the other side */
  constructor(book: Book, log: EventLog, fillOrKillLooksMax: number) {
    this.book = book;
    this.log = log;
    this.fillOrKillLooksMax = fillOrKillLooksMax;
  }

  /** Trades until the taker has nothing left, or nothing is left for it. */
  match(taker: Taker): void {
    const side = sideOf(taker.traits);
    let level = this.opposite(taker).best;
    while (level !== null && taker.remaining > 0 && crosses(side, taker.reach, level.price)) {
      // Read first: a level that becomes empty leaves its ladder.
      const { worse, price } = level;
      if (level.beside === null) {
        const isForTaker = this.isForTaker(taker, level);
        if (isForTaker || this.mayMeetFamily(taker, level)) {
          this.matchQueue(taker, level.head, price, isForTaker);
          if (taker.remaining > 0) this.matchQueue(taker, level.hiddenHead, price, isForTaker);
        }
      } else this.matchKinds(taker, level);
      level = worse;
    }
  }

  /** Whether the taker's price crosses any order that it could trade with. */
  meets(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    for (let first = this.opposite(taker).best; first !== null; first = first.worse) {
      if (!crosses(side, taker.price, first.price)) return false;
      for (let level: Level | null = first; level !== null; level = level.beside) {
        if (!this.mayMeet(taker, level)) continue;
        if (this.anyQualifies(taker, level.head) || this.anyQualifies(taker, level.hiddenHead)) return true;
      }
    }
    return false;
  }

  /** Whether the taker would be filled to the last unit. */
  fillsWhole(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    // An order of its own has to be met in its turn; without one a kind of order counts as a whole.
    if (this.book.hasResting(taker.account, (taker.traits & SELL) === 0)) return this.fillsWholeInTurn(taker);
    let needed = taker.remaining;
    for (let first = this.opposite(taker).best; first !== null; first = first.worse) {
      if (!crosses(side, taker.reach, first.price)) return false;
      for (let level: Level | null = first; level !== null; level = level.beside)
        needed -= this.remainingFor(taker, level);
      if (needed <= 0) return true;
    }
    return false;
  }

  private opposite(taker: Taker): PriceLadder {
    return (taker.traits & SELL) === 0 ? this.book.asks : this.book.bids;
  }

  /** Whether any order of a level may trade with the taker: all may, or its family decides order by order. */
  private mayMeet(taker: Taker, level: Level): boolean {
    return this.isForTaker(taker, level) || this.mayMeetFamily(taker, level);
  }

  private isForTaker(taker: Taker, level: Level): boolean {
    return qualifies(taker.requires, level.attributes) && qualifies(level.requires, taker.attributes);
  }

  /** Of a level whose orders, but for family, are not for the taker. */
  private mayMeetFamily(taker: Taker, level: Level): boolean {
    if (((taker.requires | level.requires) & ATTRIBUTE.family) === 0) return false;
    if (level.account !== NONE && level.head !== NONE && this.mayTradeAsFamily(taker, level.head)) return true;
    if (level.account !== NONE && level.hiddenHead !== NONE && this.mayTradeAsFamily(taker, level.hiddenHead))
      return true;
    const { family } = taker;
    const isSell = (taker.traits & SELL) === 0;
    return family?.some((account) => this.book.hasRestingOf(account, isSell)) === true;
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

  /** @param isForTaker whether all its orders are, so that none is asked */
  private matchQueue(taker: Taker, head: number, price: number, isForTaker: boolean): void {
    const { orders } = this.book;
    let maker = head;
    while (maker !== NONE && taker.remaining > 0) {
      let next = orders.next(maker);
      if ((isForTaker || this.isMutual(taker, maker)) && this.meet(taker, maker, price) && next === NONE) next = maker;
      maker = next;
    }
  }

  /** Meets the taker with the orders of a price that are of several kinds, those alone that it may meet, by rank. */
  private matchKinds(taker: Taker, first: Level): void {
    const { price } = first;
    const heads: number[] = [];
    const hiddenHeads: number[] = [];
    for (let level: Level | null = first; level !== null; level = level.beside) {
      if (!this.mayMeet(taker, level)) continue;
      if (level.head !== NONE) heads.push(level.head);
      if (level.hiddenHead !== NONE) hiddenHeads.push(level.hiddenHead);
    }
    this.matchInTurn(taker, heads, price);
    if (taker.remaining > 0) this.matchInTurn(taker, hiddenHeads, price);
  }

  /** @param heads of queues, each by rank; the order that ranks first among them has its turn */
  private matchInTurn(taker: Taker, heads: number[], price: number): void {
    const { orders } = this.book;
    while (heads.length > 0 && taker.remaining > 0) {
      let at = 0;
      for (let other = 1; other < heads.length; other++)
        if (orders.arrival(heads[other]!) < orders.arrival(heads[at]!)) at = other;
      const maker = heads[at]!;
      let next = orders.next(maker);
      if (this.isMutual(taker, maker) && this.meet(taker, maker, price) && next === NONE) next = maker;
      if (next === NONE) heads.splice(at, 1);
      else heads[at] = next;
    }
  }

  /** Whether the maker went to the back of its queue. */
  private meet(taker: Taker, maker: number, price: number): boolean {
    return this.book.orders.account(maker) === taker.account
      ? this.preventSelfTrade(taker, maker)
      : this.trade(taker, maker, price);
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

  /** What the taker could have of a level without an order of its own. */
  private remainingFor(taker: Taker, level: Level): number {
    if (this.isForTaker(taker, level)) return level.remaining;
    if (!this.mayMeetFamily(taker, level)) return 0;
    const { orders } = this.book;
    let remaining = 0;
    for (const head of [level.head, level.hiddenHead])
      for (let maker = head; maker !== NONE; maker = orders.next(maker))
        if (this.isMutual(taker, maker)) remaining += orders.remaining(maker);
    return remaining;
  }

  /** Whether the taker would be filled whole by the orders that rank first, so many at most, its own account's among them. */
  private fillsWholeInTurn(taker: Taker): boolean {
    const side = sideOf(taker.traits);
    const left = { needed: taker.remaining, looks: this.fillOrKillLooksMax };
    for (let first = this.opposite(taker).best; first !== null; first = first.worse) {
      if (!crosses(side, taker.reach, first.price)) return false;
      for (const isHidden of [false, true]) {
        this.takeInTurn(taker, this.book.inRank(first, isHidden), left);
        if (left.needed <= 0) return true;
        if (left.needed === Number.POSITIVE_INFINITY || left.looks <= 0) return false;
      }
    }
    return false;
  }

  /** Takes from what is needed what a taker could have of a queue: infinity is needed where it ends there. */
  private takeInTurn(taker: Taker, queue: Iterable<number>, left: { needed: number; looks: number }): void {
    const { orders } = this.book;
    let reserve = 0;
    for (const maker of queue) {
      if (left.looks-- <= 0) break;
      if (this.isMutual(taker, maker)) {
        if (orders.account(maker) !== taker.account) {
          const offered = orders.offered(maker);
          left.needed -= offered;
          reserve += orders.remaining(maker) - offered;
        } else if (preventionOf(taker.traits) !== 'cancel_oldest') {
          left.needed = Number.POSITIVE_INFINITY;
          return;
        }
      }
      if (left.needed <= 0) return;
    }
    // Every order of the queue has its turn before the first slice is refilled.
    left.needed -= reserve;
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
