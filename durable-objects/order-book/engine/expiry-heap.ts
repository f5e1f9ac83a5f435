export interface Expiring {
  /** Unix ms. */
  readonly expiresAt: number;
  /** Its position in the heap, which the heap alone sets. */
  heapIndex: number;
}

/** What expires, the earliest at the top. */
export class ExpiryHeap<T extends Expiring> {
  private readonly heap: T[] = [];

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
    if (last === order) return;
    this.put(last, order.heapIndex);
    this.rise(last);
    this.sink(last);
  }

  /** What expires at `now` or before, in no order. */
  due(now: number): T[] {
    const due: T[] = [];
    const pending = [0];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const expiring = this.heap[at];
      if (expiring === undefined || expiring.expiresAt > now) continue;
      due.push(expiring);
      pending.push(2 * at + 1, 2 * at + 2);
    }
    return due;
  }

  /** @throws Error when the heap is out of order or has not `size` orders. */
  assertConsistent(size: number): void {
    if (this.heap.length !== size) throw new Error(`broken: ${this.heap.length} orders expire, not ${size}`);
    this.heap.forEach((order, at) => {
      const parent = this.heap[Math.max(0, (at - 1) >> 1)]!;
      if (order.heapIndex !== at || parent.expiresAt > order.expiresAt) throw new Error(`broken: expiry heap at ${at}`);
    });
  }

  private put(order: T, at: number): void {
    this.heap[at] = order;
    order.heapIndex = at;
  }

  private rise(order: T): void {
    while (order.heapIndex > 0) {
      const at = order.heapIndex;
      const parent = this.heap[(at - 1) >>> 1]!;
      if (parent.expiresAt <= order.expiresAt) return;
      this.put(order, (at - 1) >>> 1);
      this.put(parent, at);
    }
  }

  private sink(order: T): void {
    for (;;) {
      const at = order.heapIndex;
      const left = this.heap[2 * at + 1];
      const right = this.heap[2 * at + 2];
      const child = left !== undefined && right !== undefined && right.expiresAt < left.expiresAt ? right : left;
      if (child === undefined || child.expiresAt >= order.expiresAt) return;
      const below = child.heapIndex;
      this.put(order, below);
      this.put(child, at);
    }
  }
}
