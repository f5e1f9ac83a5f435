import { mayTrade, qualifies } from '../../../../domain/orders/eligibility.ts';
import type { Level as DepthLevel, EngineSnapshot, TakerTerms } from '../engine.ts';
import type { EventLog } from '../event-log.ts';
import { ExpiryHeap } from '../expiry-heap.ts';
import { triggersUpwards } from '../rules.ts';
import { type Level, Levels, NONE } from './level.ts';
import { type OrderExtras, OrderTable } from './order-table.ts';
import { PriceLadder } from './price-ladder.ts';
import { EXPIRES, HIDDEN, orderTypeOf, PENDING_TRIGGER, SELL, sideOf, WITH_EXTRAS, WITH_FAMILY } from './traits.ts';

/**
 * The state of the fast engine: orders in their queues, queues in their levels, levels on their ladders. Orders are named by their slot
 * in the table. Every change keeps the displayed quantities, and remembers the levels that a command has touched until they are
 * reported.
 */
export class Book {
  readonly orders = new OrderTable();
  readonly levels = new Levels();
  readonly bids = new PriceLadder(this.levels, 'buy', true);
  readonly asks = new PriceLadder(this.levels, 'sell', false);
  /** Stops by stop price, those first that a moving price reaches first. */
  readonly upwards = new PriceLadder(this.levels, 'buy', false);
  readonly downwards = new PriceLadder(this.levels, 'sell', true);
  readonly expiries = new ExpiryHeap<OrderExtras>((a, b) => this.orders.arrival(a.slot) - this.orders.arrival(b.slot));
  arrivals: number;
  lastPrice: number | null;
  /** The first `touchedCount` are those of this command: an array that is emptied by its length gives up its memory each time. */
  private readonly touched: Level[] = [];
  private touchedCount = 0;
  /** How many bids, and then asks, each account has resting, by the number of the account. */
  private readonly resting: number[] = [];

  constructor(snapshot?: EngineSnapshot) {
    this.arrivals = snapshot?.arrivals ?? 0;
    this.lastPrice = snapshot?.lastPrice ?? null;
    const { orders } = this;
    for (const kept of snapshot?.orders ?? []) {
      const slot = orders.create(kept);
      if (slot === NONE) throw new Error(`snapshot has order ${kept.orderId} twice`);
      orders.setArrival(slot, kept.arrival);
      orders.setFilled(slot, kept.filled);
      orders.setRemaining(slot, kept.remaining);
      if (kept.displayQuantity !== 0) orders.extras(slot).displayed = kept.displayed;
      this.enter(slot, kept.orderId);
      if (kept.pendingTrigger) {
        orders.setTraits(slot, orders.traits(slot) | PENDING_TRIGGER);
        this.holdStop(slot);
      } else {
        this.stand(slot, orders.traits(slot), kept.price, kept.displayed);
      }
    }
    this.forgetTouched();
  }

  /** Makes an order live, which stands in no queue yet. */
  enter(slot: number, orderId: string): void {
    this.orders.insert(slot, orderId);
    if ((this.orders.traits(slot) & EXPIRES) !== 0) this.expiries.add(this.orders.extras(slot));
  }

  /** Forgets a live order that stands in no queue. */
  forget(slot: number): void {
    const { orders } = this;
    if ((orders.traits(slot) & EXPIRES) !== 0) this.expiries.remove(orders.extras(slot));
    orders.remove(slot);
  }

  /** Stands an order at the back of its queue, an iceberg with a whole slice. Traits, price and remaining quantity are the order's. */
  rest(slot: number, traits: number, price: number, remaining: number): void {
    let displayed = remaining;
    if ((traits & (WITH_EXTRAS | HIDDEN)) !== 0) {
      this.refillSlice(slot);
      displayed = this.orders.displayed(slot);
    }
    this.stand(slot, traits, price, displayed);
  }

  /** Holds a stop off-book, at the back of those with its stop price. */
  holdStop(slot: number): void {
    const { orders } = this;
    const traits = orders.traits(slot);
    const ladder = triggersUpwards(orderTypeOf(traits), sideOf(traits)) ? this.upwards : this.downwards;
    const level = ladder.levelAt(orders.extras(slot).stopPrice);
    level.remaining += orders.remaining(slot);
    orders.link(slot, level);
  }

  /** Gives a live order the rank of one that has just arrived. */
  arrive(slot: number): void {
    const { orders } = this;
    orders.setArrival(slot, ++this.arrivals);
    if ((orders.traits(slot) & EXPIRES) !== 0) this.expiries.isLater(orders.extras(slot));
  }

  hasRestingOf(accountId: string, isSell: boolean): boolean {
    const account = this.orders.accountOf(accountId);
    return account !== NONE && this.hasResting(account, isSell);
  }

  /** Whether the account has resting orders on the side. */
  hasResting(account: number, isSell: boolean): boolean {
    return (this.resting[2 * account + (isSell ? 1 : 0)] ?? 0) > 0;
  }

  /** Takes an order out of its queue. */
  leave(slot: number): void {
    const { orders } = this;
    const level = this.levels.at(orders.level(slot));
    const traits = orders.traits(slot);
    const displayed = orders.displayed(slot);
    if (displayed > 0) this.show(level, -displayed);
    level.remaining -= orders.remaining(slot);
    orders.unlink(slot, level);
    if ((traits & PENDING_TRIGGER) === 0) this.countResting(slot, traits, -1);
    this.dropIfEmpty(level);
  }

  /**
   * Takes `quantity` off an order in its queue, at most what it offers there. What has nothing left is gone; an iceberg whose slice is
   * used up goes to the back of its queue with the next one.
   *
   * @returns whether it went to the back.
   */
  reduce(slot: number, quantity: number): boolean {
    const { orders } = this;
    const level = this.levels.at(orders.level(slot));
    const traits = orders.traits(slot);
    const remaining = orders.remaining(slot) - quantity;
    if ((traits & HIDDEN) === 0) this.show(level, -quantity);
    level.remaining -= quantity;
    orders.setRemaining(slot, remaining);
    if (remaining === 0) {
      orders.unlink(slot, level);
      this.countResting(slot, traits, -1);
      this.dropIfEmpty(level);
      this.forget(slot);
      return false;
    }
    if ((traits & (WITH_EXTRAS | HIDDEN)) !== WITH_EXTRAS) return false;
    const extras = orders.extras(slot);
    if (extras.displayQuantity === 0) return false;
    extras.displayed -= quantity;
    if (extras.displayed > 0) return false;
    orders.unlink(slot, level);
    this.arrive(slot);
    this.refillSlice(slot);
    this.show(level, extras.displayed);
    orders.link(slot, level);
    return true;
  }

  /** Lowers a quantity in place: `remaining` is what is left of it. An iceberg gives up its reserve before its slice. */
  shrink(slot: number, quantity: number, remaining: number): void {
    const { orders } = this;
    const before = orders.displayed(slot);
    const level = this.levels.at(orders.level(slot));
    level.remaining += remaining - orders.remaining(slot);
    orders.setQuantity(slot, quantity);
    orders.setRemaining(slot, remaining);
    if ((orders.traits(slot) & WITH_EXTRAS) !== 0) {
      const extras = orders.extras(slot);
      extras.displayed = Math.min(extras.displayed, remaining);
    }
    const after = orders.displayed(slot);
    if (after !== before) this.show(level, after - before);
  }

  /** Reports each level whose displayed quantity has changed since the last report: bids best first, then asks best first. */
  reportTouched(log: EventLog): void {
    const { touched, touchedCount } = this;
    if (touchedCount > 1) this.sortTouched();
    for (let i = 0; i < touchedCount; i++) {
      const { ladder, price } = touched[i]!;
      let before = touched[i]!.displayedBefore;
      let after = touched[i]!.displayed;
      // A price that was emptied and taken again within the command has had several levels.
      while (i + 1 < touchedCount && touched[i + 1]!.price === price && touched[i + 1]!.ladder === ladder) {
        before += touched[++i]!.displayedBefore;
        after += touched[i]!.displayed;
      }
      if (before !== after) log.level(ladder.side, price, after);
    }
    this.forgetTouched();
  }

  /** What everybody may take who is what `common` asks for; a level beyond `end`, which the other side shows, is not shown. */
  depth(ladder: PriceLadder, levels: number, common: number, end: number | null): DepthLevel[] {
    const depth: DepthLevel[] = [];
    for (let first = ladder.best; first !== null && depth.length < levels; first = first.worse) {
      let shown = 0;
      for (let level: Level | null = first; level !== null; level = level.beside)
        if (isForAll(level.requires, common)) shown += level.shown;
      if (shown > 0 && (end === null || ladder.isBetter(end, first.price))) depth.push([first.price, shown]);
    }
    return depth;
  }

  /** Looks at the kinds of orders on its way, and at single ones where family decides. */
  depthFor(taker: TakerTerms, levels: number): DepthLevel[] {
    const depth: DepthLevel[] = [];
    let left = taker.quantity;
    let first = (taker.side === 'buy' ? this.asks : this.bids).best;
    for (; first !== null && left > 0 && depth.length < levels; first = first.worse) {
      let shown = 0;
      for (let level: Level | null = first; level !== null; level = level.beside) shown += this.shownTo(taker, level);
      if (shown > 0) depth.push([first.price, shown]);
      left -= shown;
    }
    return depth;
  }

  private shownTo(taker: TakerTerms, level: Level): number {
    const { orders } = this;
    if (qualifies(taker.requires, level.attributes) && qualifies(level.requires, taker.attributes)) return level.shown;
    if (taker.family == null && level.account === NONE) return 0;
    let shown = 0;
    for (let slot = level.head; slot !== NONE; slot = orders.next(slot))
      if (mayTrade(taker, orders.party(slot))) shown += orders.displayed(slot);
    return shown;
  }

  /** Orders of a price in the displayed or the hidden queue, of whatever kind, by rank. */
  *inRank(first: Level, isHidden: boolean): Generator<number> {
    const { orders } = this;
    const next: number[] = [];
    for (let level: Level | null = first; level !== null; level = level.beside) {
      const head = isHidden ? level.hiddenHead : level.head;
      if (head !== NONE) next.push(head);
    }
    while (next.length > 0) {
      let at = 0;
      for (let other = 1; other < next.length; other++)
        if (orders.arrival(next[other]!) < orders.arrival(next[at]!)) at = other;
      const slot = next[at]!;
      const behind = orders.next(slot);
      if (behind === NONE) next.splice(at, 1);
      else next[at] = behind;
      yield slot;
    }
  }

  /** Live orders in the order of `EngineSnapshot.orders`. */
  inSnapshotOrder(): number[] {
    const { orders } = this;
    const stops = this.ranked(this.upwards).concat(this.ranked(this.downwards));
    stops.sort((a, b) => orders.arrival(a) - orders.arrival(b));
    return this.ranked(this.bids).concat(this.ranked(this.asks), stops);
  }

  /** @throws Error when what is kept twice disagrees. */
  assertConsistent(): void {
    const { orders } = this;
    for (const ladder of [this.bids, this.asks, this.upwards, this.downwards]) {
      ladder.assertConsistent();
      for (let level = ladder.best; level !== null; level = level.worse) this.assertLevel(level);
    }
    if (this.touchedCount > 0) throw new Error('broken: touched levels outlive their command');
    const standing = this.inSnapshotOrder();
    for (const slot of standing) {
      if (orders.find(orders.id(slot)) !== slot) throw new Error(`broken: ${orders.id(slot)} is not found by its id`);
    }
    const live = new Set(orders.select(null, null));
    if (live.size !== orders.size || standing.length !== orders.size || !standing.every((slot) => live.has(slot))) {
      throw new Error('broken: live orders are not those that stand in a queue');
    }
    this.expiries.assertConsistent(standing.filter((slot) => (orders.traits(slot) & EXPIRES) !== 0).length);
  }

  private refillSlice(slot: number): void {
    const { orders } = this;
    if ((orders.traits(slot) & WITH_EXTRAS) === 0) return;
    const extras = orders.extras(slot);
    extras.displayed = Math.min(extras.displayQuantity, orders.remaining(slot));
  }

  private stand(slot: number, traits: number, price: number, displayed: number): void {
    const first = ((traits & SELL) === 0 ? this.bids : this.asks).levelAt(price);
    const level = this.levelFor(slot, traits, first);
    if (displayed > 0) this.show(level, displayed);
    level.remaining += this.orders.remaining(slot);
    this.orders.link(slot, level);
    this.countResting(slot, traits, 1);
  }

  /** The level of a price whose orders are of the same kind as this one. */
  private levelFor(slot: number, traits: number, first: Level): Level {
    if (this.isOfKind(slot, traits, first) && (first.beside === null || !first.hasNone)) return first;
    for (let level = first.beside; level !== null; level = level.beside)
      if (this.isOfKind(slot, traits, level)) return level;
    const level = first.hasNone ? first : this.levels.takeBeside(first);
    const { orders } = this;
    level.requires = orders.requires(slot);
    level.attributes = orders.attributes(slot);
    level.account = (traits & WITH_FAMILY) === 0 ? NONE : orders.account(slot);
    level.family = orders.family(slot);
    return level;
  }

  private isOfKind(slot: number, traits: number, level: Level): boolean {
    const { orders } = this;
    if (level.requires !== orders.requires(slot) || level.attributes !== orders.attributes(slot)) return false;
    if ((traits & WITH_FAMILY) === 0) return level.account === NONE;
    return level.account === orders.account(slot) && isSameFamily(level.family, orders.family(slot));
  }

  private countResting(slot: number, traits: number, more: 1 | -1): void {
    const at = 2 * this.orders.account(slot) + (traits & SELL);
    while (this.resting.length <= at) this.resting.push(0);
    this.resting[at]! += more;
  }

  private show(level: Level, more: number): void {
    const { first } = level;
    this.touch(first);
    first.displayed += more;
    level.shown += more;
  }

  private dropIfEmpty(level: Level): void {
    if (!level.hasNone) return;
    const { first } = level;
    if (level !== first) this.levels.giveBackBeside(level);
    if (!first.isEmpty) return;
    first.ladder.remove(first);
    if (!first.touched) this.levels.giveBack(first);
  }

  private touch(level: Level): void {
    if (level.touched) return;
    level.touched = true;
    level.displayedBefore = level.displayed;
    this.touched[this.touchedCount++] = level;
  }

  private sortTouched(): void {
    const { touched, touchedCount } = this;
    for (let i = 1; i < touchedCount; i++) {
      if (compareInReport(touched[i - 1]!, touched[i]!) <= 0) continue;
      const sorted = touched.slice(0, touchedCount).sort(compareInReport);
      for (let j = 0; j < touchedCount; j++) touched[j] = sorted[j]!;
      return;
    }
  }

  private forgetTouched(): void {
    const { touched, touchedCount } = this;
    for (let i = 0; i < touchedCount; i++) {
      const level = touched[i]!;
      level.touched = false;
      if (level.isEmpty) this.levels.giveBack(level);
    }
    this.touchedCount = 0;
  }

  /** Orders of a ladder by rank. */
  private ranked(ladder: PriceLadder): number[] {
    const { orders } = this;
    const slots: number[] = [];
    for (let level = ladder.best; level !== null; level = level.worse) {
      if (level.beside === null) {
        for (let slot = level.head; slot !== NONE; slot = orders.next(slot)) slots.push(slot);
        for (let slot = level.hiddenHead; slot !== NONE; slot = orders.next(slot)) slots.push(slot);
      } else slots.push(...this.inRank(level, false), ...this.inRank(level, true));
    }
    return slots;
  }

  private assertLevel(first: Level): void {
    if (first.isEmpty) throw new Error(`broken: an empty level at ${first.price}`);
    let displayed = 0;
    for (let level: Level | null = first; level !== null; level = level.beside) {
      if (level.first !== first || (level !== first && level.hasNone))
        throw new Error(`broken: kinds at ${first.price}`);
      const shown =
        this.assertQueue(level, level.head, level.tail) + this.assertQueue(level, level.hiddenHead, level.hiddenTail);
      if (shown !== level.shown) throw new Error(`broken: ${level.price} shows ${level.shown}, not ${shown}`);
      this.assertKind(level);
      displayed += shown;
    }
    if (displayed !== first.displayed)
      throw new Error(`broken: ${first.price} shows ${first.displayed}, not ${displayed}`);
  }

  /** What is left of its orders, and that they are of its kind, unless they are stops. */
  private assertKind(level: Level): void {
    const { orders } = this;
    let remaining = 0;
    for (const head of [level.head, level.hiddenHead])
      for (let slot = head; slot !== NONE; slot = orders.next(slot)) {
        const traits = orders.traits(slot);
        remaining += orders.remaining(slot);
        if ((traits & PENDING_TRIGGER) === 0 && !this.isOfKind(slot, traits, level))
          throw new Error(`broken: ${orders.id(slot)} is of another kind at ${level.price}`);
      }
    if (remaining !== level.remaining)
      throw new Error(`broken: ${level.price} has ${level.remaining} left, not ${remaining}`);
  }

  /** What a queue displays. */
  private assertQueue(level: Level, head: number, tail: number): number {
    const { orders } = this;
    let displayed = 0;
    let last = NONE;
    for (let slot = head; slot !== NONE; slot = orders.next(slot)) {
      if (orders.previous(slot) !== last || orders.level(slot) !== level.index)
        throw new Error(`broken: queue at ${level.price}`);
      displayed += orders.displayed(slot);
      last = slot;
    }
    if (last !== tail) throw new Error(`broken: tail at ${level.price}`);
    return displayed;
  }
}

function compareInReport(a: Level, b: Level): number {
  if (a.ladder !== b.ladder) return a.ladder.side === 'buy' ? -1 : 1;
  if (a.price === b.price) return 0;
  return a.ladder.isBetter(a.price, b.price) ? -1 : 1;
}

/** Whether whoever is what `common` asks for is what `requires` asks for. */
function isForAll(requires: number, common: number): boolean {
  return requires === 0 || (common !== 0 && (common & ~requires) === 0);
}

function isSameFamily(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((each, at) => each === b[at]));
}
