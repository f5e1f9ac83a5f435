import type { Level as DepthLevel, EngineSnapshot } from '../engine.ts';
import type { EventLog } from '../event-log.ts';
import { triggersUpwards } from '../rules.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import type { Level } from './level.ts';
import type { Order } from './order.ts';
import { byArrival, Orders } from './orders.ts';
import { PriceLadder } from './price-ladder.ts';
import { EXPIRES, HIDDEN, orderTypeOf, PENDING_TRIGGER, SELL, sideOf } from './traits.ts';

/**
 * The state of the fast engine: orders in their queues, queues in their levels, levels on their ladders. Every change keeps the
 * displayed quantities, and remembers the levels that a command has touched until they are reported.
 */
export class Book {
  readonly orders = new Orders();
  readonly bids = new PriceLadder('buy', true);
  readonly asks = new PriceLadder('sell', false);
  /** Stops by stop price, those first that a moving price reaches first. */
  readonly upwards = new PriceLadder('buy', false);
  readonly downwards = new PriceLadder('sell', true);
  readonly expiries = new ExpiryHeap();
  arrivals: number;
  lastPrice: number | null;
  /** The first `touchedCount` are those of this command: an array that is emptied by its length gives up its memory each time. */
  private readonly touched: Level[] = [];
  private touchedCount = 0;

  constructor(snapshot?: EngineSnapshot) {
    this.arrivals = snapshot?.arrivals ?? 0;
    this.lastPrice = snapshot?.lastPrice ?? null;
    for (const kept of snapshot?.orders ?? []) {
      const order = this.orders.create(kept);
      if (order === null) throw new Error(`snapshot has order ${kept.orderId} twice`);
      if (kept.pendingTrigger) order.traits |= PENDING_TRIGGER;
      order.arrival = kept.arrival;
      order.filled = kept.filled;
      order.remaining = kept.remaining;
      this.enter(order);
      this.stand(order, kept.displayed);
    }
    this.forgetTouched();
  }

  /** Makes an order live, which stands in no queue yet. */
  enter(order: Order): void {
    this.orders.insert(order);
    if ((order.traits & EXPIRES) !== 0) this.expiries.add(order.extras!);
  }

  /** Forgets a live order that stands in no queue. */
  forget(order: Order): void {
    const { extras } = order;
    if (extras !== null && extras.heapIndex >= 0) this.expiries.remove(extras);
    this.orders.remove(order);
  }

  /** Stands an order at the back of its queue: a stop off-book, any other at its price. */
  join(order: Order): void {
    this.stand(order, order.slice);
  }

  /** Takes an order out of its queue. */
  leave(order: Order): void {
    const level = order.level!;
    if (order.displayed > 0) {
      this.touch(level);
      level.displayed -= order.displayed;
    }
    level.unlink(order);
    this.dropIfEmpty(level);
  }

  /**
   * Takes `quantity` off an order in its queue, at most what it offers there. What has nothing left is gone; an iceberg whose slice is
   * used up goes to the back of its queue with the next one.
   *
   * @returns whether it went to the back.
   */
  reduce(order: Order, quantity: number): boolean {
    const level = order.level!;
    order.remaining -= quantity;
    if ((order.traits & HIDDEN) === 0) {
      this.touch(level);
      level.displayed -= quantity;
      order.displayed -= quantity;
    }
    if (order.remaining === 0) {
      level.unlink(order);
      this.dropIfEmpty(level);
      this.forget(order);
      return false;
    }
    if (order.offered > 0) return false;
    level.unlink(order);
    order.arrival = ++this.arrivals;
    order.displayed = order.slice;
    level.displayed += order.displayed;
    level.append(order);
    return true;
  }

  /** Lowers a quantity in place: `remaining` is what is left of it. An iceberg gives up its reserve before its slice. */
  shrink(order: Order, quantity: number, remaining: number): void {
    const hiddenAway = order.displayed - Math.min(order.displayed, remaining);
    order.quantity = quantity;
    order.remaining = remaining;
    if (hiddenAway === 0) return;
    const level = order.level!;
    this.touch(level);
    order.displayed -= hiddenAway;
    level.displayed -= hiddenAway;
  }

  /** Reports each level whose displayed quantity has changed since the last report: bids best first, then asks best first. */
  reportTouched(log: EventLog): void {
    const count = this.touchedCount;
    if (count > 1) this.sortTouched();
    const { touched } = this;
    for (let i = 0; i < count; i++) {
      const { ladder, price } = touched[i]!;
      let before = touched[i]!.displayedBefore;
      let after = touched[i]!.displayed;
      // A price that was emptied and taken again within the command has had several levels.
      while (i + 1 < count && touched[i + 1]!.price === price && touched[i + 1]!.ladder === ladder) {
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
  inSnapshotOrder(): Order[] {
    const stops = [...ranked(this.upwards), ...ranked(this.downwards)].sort(byArrival);
    return ranked(this.bids).concat(ranked(this.asks), stops);
  }

  /** @throws Error when what is kept twice disagrees. */
  assertConsistent(): void {
    for (const ladder of [this.bids, this.asks, this.upwards, this.downwards]) {
      ladder.assertConsistent();
      for (let level = ladder.best; level !== null; level = level.worse) assertLevel(level);
    }
    if (this.touchedCount > 0) throw new Error('broken: touched levels outlive their command');
    const orders = this.inSnapshotOrder();
    if (orders.length !== this.orders.size) throw new Error('broken: a live order stands in no queue');
    for (const order of orders) {
      if (this.orders.find(order.id) !== order) throw new Error(`broken: ${order.id} is not found by its id`);
      if (!this.orders.select(order.account.id, order.keyId).includes(order)) {
        throw new Error(`broken: ${order.id} is not found by its account`);
      }
    }
    this.expiries.assertConsistent(orders.filter((order) => (order.traits & EXPIRES) !== 0).length);
  }

  private stand(order: Order, displayed: number): void {
    const level = this.ladderOf(order).levelAt(
      (order.traits & PENDING_TRIGGER) === 0 ? order.price : order.extras!.stopPrice,
    );
    order.displayed = displayed;
    if (displayed > 0) {
      this.touch(level);
      level.displayed += displayed;
    }
    level.append(order);
  }

  private ladderOf({ traits }: Order): PriceLadder {
    if ((traits & PENDING_TRIGGER) === 0) return (traits & SELL) === 0 ? this.bids : this.asks;
    return triggersUpwards(orderTypeOf(traits), sideOf(traits)) ? this.upwards : this.downwards;
  }

  private dropIfEmpty(level: Level): void {
    if (!level.isEmpty) return;
    level.ladder.remove(level);
    if (!level.touched) level.ladder.recycle(level);
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
      if (level.isEmpty) level.ladder.recycle(level);
    }
    this.touchedCount = 0;
  }
}

/** Orders of a ladder by rank. */
function ranked(ladder: PriceLadder): Order[] {
  const orders: Order[] = [];
  for (let level = ladder.best; level !== null; level = level.worse) {
    for (let order = level.head; order !== null; order = order.next) orders.push(order);
    for (let order = level.hiddenHead; order !== null; order = order.next) orders.push(order);
  }
  return orders;
}

function compareInReport(a: Level, b: Level): number {
  if (a.ladder !== b.ladder) return a.ladder.side === 'buy' ? -1 : 1;
  if (a.price === b.price) return 0;
  return a.ladder.isBetter(a.price, b.price) ? -1 : 1;
}

function assertLevel(level: Level): void {
  if (level.isEmpty) throw new Error(`broken: an empty level at ${level.price}`);
  const displayed = displayedOf(level, level.head, level.tail) + displayedOf(level, level.hiddenHead, level.hiddenTail);
  if (displayed !== level.displayed)
    throw new Error(`broken: level ${level.price} shows ${level.displayed}, not ${displayed}`);
}

function displayedOf(level: Level, head: Order | null, tail: Order | null): number {
  let displayed = 0;
  let last: Order | null = null;
  for (let order = head; order !== null; order = order.next) {
    if (order.previous !== last || order.level !== level) throw new Error(`broken: queue at ${level.price}`);
    displayed += order.displayed;
    last = order;
  }
  if (last !== tail) throw new Error(`broken: tail at ${level.price}`);
  return displayed;
}
