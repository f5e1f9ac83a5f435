import type { OutboxRow } from '../journal/journal.ts';

interface Waiter {
  readonly seq: number;
  readonly resolve: (isSettled: boolean) => void;
}

/**
 * Journaled effects that the ledger is not known to have, in journal order, and who waits until it has them
 * (docs/design/order-path.md#one-outbox). The journal keeps the same rows on disk.
 */
export class Outbox {
  readonly #rows: OutboxRow[];
  #settled: number;
  #waiters: Waiter[] = [];

  /** @param settled the last row that the ledger was known to have */
  constructor(settled: number, rows: readonly OutboxRow[]) {
    this.#settled = settled;
    this.#rows = [...rows];
  }

  get length(): number {
    return this.#rows.length;
  }

  get settled(): number {
    return this.#settled;
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  push(rows: readonly OutboxRow[]): void {
    this.#rows.push(...rows);
  }

  /** The oldest rows, at most `count`. */
  oldest(count: number): OutboxRow[] {
    return this.#rows.slice(0, count);
  }

  /** The first row behind this one; null for none. */
  firstAfter(seq: number): number | null {
    return this.#rows.find((row) => row.seq > seq)?.seq ?? null;
  }

  /** The ledger has everything up to this row. Returns what of it was still here. */
  advance(seq: number): OutboxRow[] {
    this.#settled = seq;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.seq > seq);
    for (const waiter of waiters) if (waiter.seq <= seq) waiter.resolve(true);
    return this.#rows.splice(0, this.#rows.findLastIndex((row) => row.seq <= seq) + 1);
  }

  /** Whether the ledger has everything up to this row within `timeout_ms`. */
  settledUpTo(seq: number, timeout_ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter = { seq, resolve };
      this.#waiters.push(waiter);
      setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      }, timeout_ms);
    });
  }

  /** Nothing settles for now: who waits is told so. */
  giveUp(): void {
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
  }
}
