import type { Level as DepthLevel, EngineSnapshot } from '../engine.ts';
import type { EventLog } from '../event-log.ts';
import { triggersUpwards } from '../rules.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import { type Level, LevelPool, NONE } from './level.ts';
import { type OrderEntry, OrderTable } from './order-table.ts';
import { PriceLadder } from './price-ladder.ts';
import { EXPIRES, HIDDEN, orderTypeOf, PENDING_TRIGGER, packTraits, SELL, sideOf, WITH_EXTRAS } from './traits.ts';

/**
 * The state of the fast engine: orders in their queues, queues in their levels, levels on their ladders. Every change keeps the
 * displayed quantities, and remembers the levels that a command has touched until they are reported.
 */
export class Book {
  readonly orders = new OrderTable();
  private readonly levels = new LevelPool();
  readonly bids = new PriceLadder(this.levels, 'buy', true);
  readonly asks = new PriceLadder(this.levels, 'sell', false);
  /** Stops by stop price, those first that a moving price reaches first. */
  readonly upwards = new PriceLadder(this.levels, 'buy', false);
  readonly downwards = new PriceLadder(this.levels, 'sell', true);
  readonly expiries = new ExpiryHeap();
  arrivals: number;
  lastPrice: number | null;
  /** The first `touchedCount` are those of this command: an array that is emptied by its length gives up its memory each time. */
  private readonly touched: Level[] = [];
  private touchedCount = 0;

  constructor(snapshot?: EngineSnapshot) {
    this.arrivals = snapshot?.arrivals ?? 0;
    this.lastPrice = snapshot?.lastPrice ?? null;
    if (snapshot === undefined) return;
    for (const order of snapshot.orders) {
      const pending = order.pendingTrigger ? PENDING_TRIGGER : 0;
      const slot = this.enter(order, packTraits(order) | pending, NONE, order.remaining, order.filled, order.arrival);
      if (order.displayQuantity !== 0) this.orders.extras(slot).displayed = order.displayed;
      this.append(slot);
    }
    this.forgetTouched();
  }

  /** Takes in a live order, which stands in no queue yet. See `OrderTable.add`. */
  enter(
    order: OrderEntry,
    traits: number,
    account: number,
    remaining: number,
    filled: number,
    arrival: number,
  ): number {
    const slot = this.orders.add(order, traits, account, remaining, filled, arrival);
    if ((traits & EXPIRES) !== 0) this.expiries.add(this.orders.extras(slot));
    return slot;
  }

  /** Stands an order at the back of its queue: a stop off-book, any other at its price. */
  join(slot: number): void {
    this.orders.refillSlice(slot);
    this.append(slot);
  }

  /** Takes an order out of its queue. */
  leave(slot: number): void {
    const { orders } = this;
    const level = this.levels.at(orders.level(slot));
    const displayed = orders.displayed(slot);
    if (displayed > 0) {
      this.touch(level);
      level.displayed -= displayed;
    }
    orders.unlink(slot, level);
    this.dropIfEmpty(level);
  }

  /** Forgets an order that stands in no queue. */
  forget(slot: number): void {
    const { orders } = this;
    if ((orders.traits(slot) & WITH_EXTRAS) !== 0) {
      const extras = orders.extras(slot);
      if (extras.heapIndex >= 0) this.expiries.remove(extras);
    }
    orders.remove(slot);
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
    orders.setRemaining(slot, remaining);
    if ((traits & HIDDEN) === 0) {
      this.touch(level);
      level.displayed -= quantity;
    }
    if (remaining === 0) {
      orders.unlink(slot, level);
      this.dropIfEmpty(level);
      this.forget(slot);
      return false;
    }
    if ((traits & (HIDDEN | WITH_EXTRAS)) !== WITH_EXTRAS) return false;
    const extras = orders.extras(slot);
    if (extras.displayQuantity === 0) return false;
    extras.displayed -= quantity;
    if (extras.displayed > 0) return false;
    orders.unlink(slot, level);
    orders.setArrival(slot, ++this.arrivals);
    orders.refillSlice(slot);
    level.displayed += extras.displayed;
    orders.link(slot, level);
    return true;
  }

  /** Lowers a quantity in place: `remaining` is what is left of it. An iceberg gives up its reserve before its slice. */
  shrink(slot: number, quantity: number, remaining: number): void {
    const { orders } = this;
    const before = orders.displayed(slot);
    orders.setQuantity(slot, quantity);
    orders.setRemaining(slot, remaining);
    if ((orders.traits(slot) & WITH_EXTRAS) !== 0) {
      const extras = orders.extras(slot);
      extras.displayed = Math.min(extras.displayed, remaining);
    }
    const after = orders.displayed(slot);
    if (after === before) return;
    const level = this.levels.at(orders.level(slot));
    this.touch(level);
    level.displayed += after - before;
  }

  /** Reports each level whose displayed quantity has changed since the last report: bids best first, then asks best first. */
  reportTouched(log: EventLog): void {
    const count = this.touchedCount;
    const touched = this.inReportOrder();
    for (let i = 0; i < count; i++) {
      const { ladder, price } = touched[i]!;
      let before = touched[i]!.displayedBefore;
      let after = touched[i]!.displayed;
      // A price that was emptied and taken again within the command has had several levels.
      while (i + 1 < count && touched[i + 1]!.ladder === ladder && touched[i + 1]!.price === price) {
        before += touched[++i]!.displayedBefore;
        after += touched[i]!.displayed;
      }
      if (before !== after) log.level(ladder.side, price, after);
    }
    this.forgetTouched();
  }

  depth(ladder: PriceLadder, levels: number): DepthLevel[] {
    const depth: DepthLevel[] = [];
    for (let level = ladder.best; level !== null && depth.length < levels; level = level.worse) {
      if (level.displayed > 0) depth.push([level.price, level.displayed]);
    }
    return depth;
  }

  /** Live orders in the order of `EngineSnapshot.orders`. */
  inSnapshotOrder(): number[] {
    const { orders } = this;
    const slots: number[] = [];
    this.appendSlots(slots, this.bids);
    this.appendSlots(slots, this.asks);
    const stops: number[] = [];
    this.appendSlots(stops, this.upwards);
    this.appendSlots(stops, this.downwards);
    stops.sort((a, b) => orders.arrival(a) - orders.arrival(b));
    for (const slot of stops) slots.push(slot);
    return slots;
  }

  /** @throws Error when what is kept twice disagrees. */
  assertConsistent(): void {
    for (const ladder of [this.bids, this.asks, this.upwards, this.downwards]) {
      ladder.assertConsistent();
      for (let level = ladder.best; level !== null; level = level.worse) this.assertLevel(level);
    }
    if (this.touchedCount > 0) throw new Error('broken: touched levels outlive their command');
    const slots = this.inSnapshotOrder();
    if (slots.length !== this.orders.size) throw new Error('broken: an order stands in no queue');
    for (const slot of slots) {
      if (this.orders.find(this.orders.id(slot)) !== slot)
        throw new Error(`broken: slot ${slot} is not found by its id`);
    }
    this.expiries.assertConsistent(slots.filter((slot) => (this.orders.traits(slot) & EXPIRES) !== 0).length);
  }

  private append(slot: number): void {
    const { orders } = this;
    const traits = orders.traits(slot);
    let level: Level;
    if ((traits & PENDING_TRIGGER) !== 0) {
      const ladder = triggersUpwards(orderTypeOf(traits), sideOf(traits)) ? this.upwards : this.downwards;
      level = ladder.levelAt(orders.extras(slot).stopPrice);
    } else {
      level = ((traits & SELL) === 0 ? this.bids : this.asks).levelAt(orders.price(slot));
      const displayed = orders.displayed(slot);
      if (displayed > 0) {
        this.touch(level);
        level.displayed += displayed;
      }
    }
    orders.link(slot, level);
  }

  private dropIfEmpty(level: Level): void {
    if (!level.isEmpty) return;
    level.ladder.remove(level);
    if (!level.touched) this.levels.release(level);
  }

  private touch(level: Level): void {
    if (level.touched) return;
    level.touched = true;
    level.displayedBefore = level.displayed;
    this.touched[this.touchedCount++] = level;
  }

  /** The touched levels, sorted if they were not. */
  private inReportOrder(): readonly Level[] {
    const { touched, touchedCount } = this;
    for (let i = 1; i < touchedCount; i++) {
      if (compareInReport(touched[i - 1]!, touched[i]!) > 0)
        return touched.slice(0, touchedCount).sort(compareInReport);
    }
    return touched;
  }

  private forgetTouched(): void {
    const { touched, touchedCount } = this;
    for (let i = 0; i < touchedCount; i++) {
      const level = touched[i]!;
      level.touched = false;
      if (level.isEmpty) this.levels.release(level);
    }
    this.touchedCount = 0;
  }

  private appendSlots(slots: number[], ladder: PriceLadder): void {
    const { orders } = this;
    for (let level = ladder.best; level !== null; level = level.worse) {
      for (let slot = level.head; slot !== NONE; slot = orders.next(slot)) slots.push(slot);
      for (let slot = level.hiddenHead; slot !== NONE; slot = orders.next(slot)) slots.push(slot);
    }
  }

  private assertLevel(level: Level): void {
    if (level.isEmpty) throw new Error(`broken: an empty level at ${level.price}`);
    const displayed =
      this.assertQueue(level, level.head, level.tail) + this.assertQueue(level, level.hiddenHead, level.hiddenTail);
    if (displayed !== level.displayed)
      throw new Error(`broken: level ${level.price} shows ${level.displayed}, not ${displayed}`);
  }

  private assertQueue(level: Level, head: number, tail: number): number {
    let displayed = 0;
    let last = NONE;
    for (let slot = head; slot !== NONE; slot = this.orders.next(slot)) {
      if (this.orders.previous(slot) !== last) throw new Error(`broken: queue at ${level.price}`);
      if (this.orders.level(slot) !== level.index) throw new Error(`broken: slot ${slot} stands in two levels`);
      displayed += this.orders.displayed(slot);
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
