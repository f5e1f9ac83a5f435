export interface Expiring {
  /** Unix ms. */
  readonly expiresAt: number;
  /** Its position in the heap, which the heap alone sets. */
  heapIndex: number;
}

/** What expires, the earliest at the top, of two that expire together the one that arrived first. */
export class ExpiryHeap<T extends Expiring> {
  private readonly heap: T[] = [];
  private readonly byArrival: (a: T, b: T) => number;

  constructor(byArrival: (a: T, b: T) => number) {
    this.byArrival = byArrival;
  }

  earliest(): number | null {
    return this.heap[0]?.expiresAt ?? null;
  }

  add(order: T): void {
    order.heapIndex = this.heap.length;
    this.heap.push(order);
    this.rise(order);
  }

  remove(order: T): void {
    const last = this.heap.pop()!;
    if (last === order) {
      order.heapIndex = -1;
      return;
    }
    this.put(last, order.heapIndex);
    order.heapIndex = -1;
    this.rise(last);
    this.sink(last);
  }

  /** An order has arrived anew: it is the last of those that expire with it. */
  isLater(order: T): void {
    if (order.heapIndex >= 0) this.sink(order);
  }

  /** The first that expires at `now` or before; null where none does. */
  due(now: number): T | null {
    const first = this.heap[0];
    return first === undefined || first.expiresAt > now ? null : first;
  }

  /** @throws Error when the heap is out of order or has not `size` orders. */
  assertConsistent(size: number): void {
    if (this.heap.length !== size) throw new Error(`broken: ${this.heap.length} orders expire, not ${size}`);
    this.heap.forEach((order, at) => {
      const parent = this.heap[Math.max(0, (at - 1) >> 1)]!;
      if (order.heapIndex !== at || (at > 0 && this.isBefore(order, parent)))
        throw new Error(`broken: expiry heap at ${at}`);
    });
  }

  private isBefore(a: T, b: T): boolean {
    return a.expiresAt === b.expiresAt ? this.byArrival(a, b) < 0 : a.expiresAt < b.expiresAt;
  }

  private put(order: T, at: number): void {
    this.heap[at] = order;
    order.heapIndex = at;
  }

  private rise(order: T): void {
    while (order.heapIndex > 0) {
      const at = order.heapIndex;
      const parent = this.heap[(at - 1) >>> 1]!;
      if (!this.isBefore(order, parent)) return;
      this.put(order, (at - 1) >>> 1);
      this.put(parent, at);
    }
  }

  private sink(order: T): void {
    for (;;) {
      const at = order.heapIndex;
      const left = this.heap[2 * at + 1];
      const right = this.heap[2 * at + 2];
      const child = left !== undefined && right !== undefined && this.isBefore(right, left) ? right : left;
      if (child === undefined || !this.isBefore(child, order)) return;
      const below = child.heapIndex;
      this.put(order, below);
      this.put(child, at);
    }
  }
}
