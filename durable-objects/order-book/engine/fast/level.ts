import type { Side } from '../../../../domain/orders/order.ts';

/** The end of a queue; no slot, no number. */
export const NONE = -1;

/** What a level asks of the ladder that it stands on. */
interface Ladder {
  readonly side: Side;
  isBetter(a: number, b: number): boolean;
  remove(level: Level): void;
}

/**
 * One price of one side: two first-in-first-out queues of orders, by slot, and what they show. The levels of a ladder are linked from
 * best to worst. Stops wait in levels too, by stop price, in the displayed queue, showing nothing.
 */
export class Level {
  /** Names the level among all of the book. */
  readonly index: number;
  /** The ladder that it stands on, or stood on until it became empty. */
  ladder: Ladder;
  price: number;
  displayed = 0;
  head = NONE;
  tail = NONE;
  hiddenHead = NONE;
  hiddenTail = NONE;
  better: Level | null = null;
  worse: Level | null = null;
  /** Whether the command that runs has touched it, and what it displayed before. */
  touched = false;
  displayedBefore = 0;

  constructor(index: number, ladder: Ladder, price: number) {
    this.index = index;
    this.ladder = ladder;
    this.price = price;
  }

  get isEmpty(): boolean {
    return this.head === NONE && this.hiddenHead === NONE;
  }
}

/** The levels of a book by index, used again and again. */
export class Levels {
  private readonly all: Level[] = [];
  private readonly free: Level[] = [];

  at(index: number): Level {
    return this.all[index]!;
  }

  /** An empty level. */
  take(ladder: Ladder, price: number): Level {
    const level = this.free.pop();
    if (level !== undefined) {
      level.ladder = ladder;
      level.price = price;
      return level;
    }
    const added = new Level(this.all.length, ladder, price);
    this.all.push(added);
    return added;
  }

  /** Takes back a level that is empty, off its ladder and not touched. */
  giveBack(level: Level): void {
    this.free.push(level);
  }
}
