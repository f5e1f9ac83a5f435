import type { PriceLadder } from './price-ladder.ts';

/** End of a queue, and no slot. */
export const NONE = -1;

/**
 * One price of one side: two first-in-first-out queues of slots of the order table, and what they show. Levels of a ladder are linked
 * from best to worst. Stops wait in levels too, by stop price, in the displayed queue, showing nothing.
 */
export class Level {
  readonly index: number;
  price = 0;
  displayed = 0;
  head = NONE;
  tail = NONE;
  hiddenHead = NONE;
  hiddenTail = NONE;
  better: Level | null = null;
  worse: Level | null = null;
  /** Displayed quantity before the command that runs, when that command has touched the level. */
  displayedBefore = 0;
  touched = false;
  /** The ladder that it stands on, or stood on until it became empty. */
  ladder: PriceLadder;

  constructor(index: number, ladder: PriceLadder) {
    this.index = index;
    this.ladder = ladder;
  }

  get isEmpty(): boolean {
    return this.head === NONE && this.hiddenHead === NONE;
  }
}

/** Levels by index, reused, so that an order can name its level by a number. */
export class LevelPool {
  private readonly levels: Level[] = [];
  private readonly free: Level[] = [];

  at(index: number): Level {
    return this.levels[index]!;
  }

  /** An empty level for a ladder. */
  acquire(ladder: PriceLadder, price: number): Level {
    let level = this.free.pop();
    if (level === undefined) {
      level = new Level(this.levels.length, ladder);
      this.levels.push(level);
    }
    level.ladder = ladder;
    level.price = price;
    return level;
  }

  /** Takes back a level that is empty, off its ladder and not touched. */
  release(level: Level): void {
    level.displayed = 0;
    this.free.push(level);
  }
}
