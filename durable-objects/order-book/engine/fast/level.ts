import type { Order } from './order.ts';
import type { PriceLadder } from './price-ladder.ts';
import { queuesHidden } from './traits.ts';

/**
 * One price of one side: two first-in-first-out queues of orders, and what they show. The levels of a ladder are linked from best to
 * worst. Stops wait in levels too, by stop price, in the displayed queue, showing nothing.
 */
export class Level {
  /** The ladder that it stands on, or stood on until it became empty. */
  readonly ladder: PriceLadder;
  price: number;
  displayed = 0;
  head: Order | null = null;
  tail: Order | null = null;
  hiddenHead: Order | null = null;
  hiddenTail: Order | null = null;
  better: Level | null = null;
  worse: Level | null = null;
  /** Whether the command that runs has touched it, and what it displayed before. */
  touched = false;
  displayedBefore = 0;

  constructor(ladder: PriceLadder, price: number) {
    this.ladder = ladder;
    this.price = price;
  }

  get isEmpty(): boolean {
    return this.head === null && this.hiddenHead === null;
  }

  /** Puts an order at the back of its queue. */
  append(order: Order): void {
    order.level = this;
    order.next = null;
    let last: Order | null;
    if (queuesHidden(order.traits)) {
      last = this.hiddenTail;
      this.hiddenTail = order;
      if (last === null) this.hiddenHead = order;
    } else {
      last = this.tail;
      this.tail = order;
      if (last === null) this.head = order;
    }
    order.previous = last;
    if (last !== null) last.next = order;
  }

  /** Takes an order out of its queue. */
  unlink(order: Order): void {
    const { previous, next } = order;
    if (next !== null) next.previous = previous;
    if (previous !== null) previous.next = next;
    if (queuesHidden(order.traits)) {
      if (next === null) this.hiddenTail = previous;
      if (previous === null) this.hiddenHead = next;
    } else {
      if (next === null) this.tail = previous;
      if (previous === null) this.head = next;
    }
  }
}
