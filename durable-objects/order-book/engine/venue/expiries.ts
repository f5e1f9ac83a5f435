import { ExpiryHeap } from '../expiry-heap.ts';

interface ExpiringOrder {
  readonly orderId: string;
  readonly expiresAt: number;
  readonly arrival: number;
  heapIndex: number;
}

/** Orders that are good until a time and whose end nothing else has brought about. */
export class Expiries {
  readonly #heap = new ExpiryHeap<ExpiringOrder>((a, b) => a.arrival - b.arrival);
  readonly #orders = new Map<string, ExpiringOrder>();

  has(orderId: string): boolean {
    return this.#orders.has(orderId);
  }

  add({ orderId, expiresAt, arrival }: Pick<ExpiringOrder, 'orderId' | 'expiresAt' | 'arrival'>): void {
    const order = { orderId, expiresAt, arrival, heapIndex: -1 };
    this.#orders.set(orderId, order);
    this.#heap.add(order);
  }

  delete(orderId: string): void {
    const order = this.#orders.get(orderId);
    if (order === undefined) return;
    this.#orders.delete(orderId);
    this.#heap.remove(order);
  }

  /** The earliest time, Unix ms; null for none. */
  get next(): number | null {
    return this.#heap.earliest();
  }

  /** Whose time is over at `now`, the earliest first, of two with the same time the one that came first; at most so many. */
  due(now: number, count: number): string[] {
    const due: ExpiringOrder[] = [];
    for (let first = this.#heap.due(now); first !== null && due.length < count; first = this.#heap.due(now)) {
      due.push(first);
      this.#heap.remove(first);
    }
    for (const order of due) this.#heap.add(order);
    return due.map(({ orderId }) => orderId);
  }
}
