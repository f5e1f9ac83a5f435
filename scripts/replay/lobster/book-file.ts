import type { Side } from '../../../domain/orders/order.ts';
import type { Level } from '../../../durable-objects/order-book/engine/engine.ts';

/** The book after a message, best level first. */
export interface BookRow {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Columns of a level: ask price, ask size, bid price, bid size. */
const COLUMNS_PER_LEVEL = 4;

/** A LOBSTER book file: one row per message. Rows are parsed when they are asked for: a day of 50 levels is larger than memory. */
export class BookFile {
  /** Levels a side that every row has room for. */
  readonly levels: number;
  readonly #lines: readonly string[];

  /** Throws when the file is no book file of whole levels. */
  constructor(text: string) {
    this.#lines = text.trimEnd().split('\n');
    const columns = this.#lines[0]?.split(',').length ?? 0;
    if (columns === 0 || columns % COLUMNS_PER_LEVEL !== 0) {
      throw new Error(`the book file has ${columns} columns, not four for each level`);
    }
    this.levels = columns / COLUMNS_PER_LEVEL;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The row at `index`, without the levels that are not occupied. */
  row(index: number): BookRow {
    const columns = this.#lines[index]?.split(',').map(Number) ?? [];
    if (columns.length !== this.levels * COLUMNS_PER_LEVEL || !columns.every(Number.isSafeInteger)) {
      throw new Error(`line ${index + 1} of the book file is no row of ${this.levels} levels`);
    }
    const bids: Level[] = [];
    const asks: Level[] = [];
    for (let at = 0; at < columns.length; at += COLUMNS_PER_LEVEL) {
      const [askPrice = 0, askSize = 0, bidPrice = 0, bidSize = 0] = columns.slice(at, at + COLUMNS_PER_LEVEL);
      if (askSize > 0) asks.push([askPrice, askSize]);
      if (bidSize > 0) bids.push([bidPrice, bidSize]);
    }
    return { bids, asks };
  }
}

/** A side of a row and how far it sees: to its last level when all are occupied, else to the end of the book. */
export class SideView {
  readonly levels: readonly Level[];
  readonly #side: Side;
  /** The worst price that is seen; null when every price is. */
  readonly #worst: number | null;

  constructor(row: BookRow, side: Side, levelsMax: number) {
    this.levels = side === 'buy' ? row.bids : row.asks;
    this.#side = side;
    this.#worst = this.levels.length < levelsMax ? null : (this.levels.at(-1)?.[0] ?? null);
  }

  sees(price: number): boolean {
    if (this.#worst === null) return true;
    return this.#side === 'buy' ? price >= this.#worst : price <= this.#worst;
  }

  /** Whether this view sees prices that the other does not. */
  reachesBeyond(other: SideView): boolean {
    if (other.#worst === null) return false;
    return this.#worst === null || !other.sees(this.#worst);
  }
}
