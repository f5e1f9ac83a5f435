import { DEPTH_MAX } from '../../../protocol/feeds/topic.ts';
import type { Level } from '../engine/engine.ts';
import { levelChanges } from './level-changes.ts';

/** Both sides, best first. */
export interface Levels {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Changes of the book that can be told again. */
const UPDATES_KEPT = 512;
/** Changed levels of all of them; each takes two numbers, so that a window keeps some 300 KB, whatever is followed. */
const LEVELS_KEPT = 16_384;

interface Update {
  readonly sequence: number;
  readonly previous: number;
  /** Price, and the quantity before, one after the other. */
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}

/**
 * The public book as its followers have it, in the deepest depth: every depth is cut from it. What a change costs follows from the levels
 * that it has changed, and from how many depths are told of it.
 */
export class BookWindow {
  #before: Levels;
  #levels: Levels;
  #sequence: number;
  #updates: Update[] = [];
  #levelsKept = 0;

  /** @param levels to DEPTH_MAX */
  constructor(levels: Levels, sequence: number) {
    this.#before = levels;
    this.#levels = levels;
    this.#sequence = sequence;
  }

  /** Changed levels that are kept to be told again; never more than LEVELS_KEPT. */
  get levelsKept(): number {
    return this.#levelsKept;
  }

  /** The book has come to `sequence`. */
  advance(levels: Levels, sequence: number): void {
    this.#before = this.#levels;
    this.#levels = levels;
    const bids = undoing(this.#before.bids, levels.bids, 'buy');
    const asks = undoing(this.#before.asks, levels.asks, 'sell');
    this.#updates.push({ sequence, previous: this.#sequence, bids, asks });
    this.#levelsKept += (bids.length + asks.length) / 2;
    this.#sequence = sequence;
    // Cut in halves, so that a change costs the same however many are kept.
    if (this.#updates.length >= 2 * UPDATES_KEPT || this.#levelsKept > LEVELS_KEPT) this.#forget();
  }

  /** The levels within a depth. */
  cut(depth: number): Levels {
    return cut(this.#levels, depth);
  }

  /** What the last change is within a depth; quantity 0 for a level that is gone or has left the depth. */
  changes(depth: number): Levels {
    return changesBetween(cut(this.#before, depth), cut(this.#levels, depth));
  }

  /** What has changed within a depth since the book was at `sequence`; null when it is not known any more. */
  changesSince(sequence: number, depth: number): Levels | null {
    const from = this.#updates.findIndex(({ previous }) => previous === sequence);
    if (from < 0) return null;
    const missed = this.#updates.slice(from);
    const before = {
      bids: undone(
        this.#levels.bids,
        missed.map(({ bids }) => bids),
      ).sort(([a], [b]) => b - a),
      asks: undone(
        this.#levels.asks,
        missed.map(({ asks }) => asks),
      ).sort(([a], [b]) => a - b),
    };
    return changesBetween(cut(before, depth), cut(this.#levels, depth));
  }

  #forget(): void {
    let first = this.#updates.length;
    let levels = 0;
    while (first > 0 && this.#updates.length - first < UPDATES_KEPT) {
      const { bids, asks } = this.#updates[first - 1] as Update;
      const more = levels + (bids.length + asks.length) / 2;
      if (more > LEVELS_KEPT / 2) break;
      levels = more;
      first -= 1;
    }
    this.#updates = this.#updates.slice(first);
    this.#levelsKept = levels;
  }
}

function cut({ bids, asks }: Levels, depth: number): Levels {
  return depth >= DEPTH_MAX ? { bids, asks } : { bids: bids.slice(0, depth), asks: asks.slice(0, depth) };
}

function changesBetween(before: Levels, after: Levels): Levels {
  return { bids: levelChanges(before.bids, after.bids, 'buy'), asks: levelChanges(before.asks, after.asks, 'sell') };
}

/** Price and quantity before of each level that is another now. */
function undoing(before: readonly Level[], after: readonly Level[], side: 'buy' | 'sell'): number[] {
  return levelChanges(after, before, side).flat();
}

/** The levels of a side before the updates, in no order. */
function undone(levels: readonly Level[], updates: readonly (readonly number[])[]): Level[] {
  const quantities = new Map(levels);
  for (const changes of updates.toReversed()) {
    for (let at = 0; at < changes.length; at += 2) {
      const [price = 0, quantity = 0] = changes.slice(at, at + 2);
      if (quantity === 0) quantities.delete(price);
      else quantities.set(price, quantity);
    }
  }
  return [...quantities];
}
