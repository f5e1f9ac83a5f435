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
 * Orders of one price of one side that all ask the same of a counterparty and offer the same to one, so that whoever may trade with one may
 * trade with all: two first-in-first-out queues, by slot, what they show and what is left of them. A price has one such level on its ladder,
 * and beside it one for every other kind of order that stands there (`beside`). The levels of a ladder are linked from best to worst. Stops
 * wait in levels too, by stop price, of whatever kind, in the displayed queue, showing nothing.
 */
export class Level {
  /** Names the level among all of the book. */
  readonly index: number;
  /** The ladder that it stands on, or stood on until it became empty. */
  ladder: Ladder;
  price: number;
  /** The level of its price that stands on the ladder. */
  first: Level = this;
  /** The next level of its price, or null. */
  beside: Level | null = null;
  /** What its orders ask of a counterparty, and what their owners are. */
  requires = 0;
  attributes = 0;
  /** The one owner of orders that carry a family; NONE where they carry none. */
  account = NONE;
  family: readonly string[] | null = null;
  /** What its own orders show, and what is left of them: slices, reserves and hidden ones. */
  shown = 0;
  remaining = 0;
  /** What all orders of its price show; of the first level of a price alone. */
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

  /** Whether no order of its price stands anywhere; of the first level of a price. */
  get isEmpty(): boolean {
    return this.head === NONE && this.hiddenHead === NONE && this.beside === null;
  }

  /** Whether it has no order itself. */
  get hasNone(): boolean {
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

  /** Another level of the price, which is empty. */
  takeBeside(first: Level): Level {
    const level = this.take(first.ladder, first.price);
    level.first = first;
    level.beside = first.beside;
    first.beside = level;
    return level;
  }

  /** Takes back a level beside the first of its price, which is empty. */
  giveBackBeside(level: Level): void {
    let before = level.first;
    while (before.beside !== level) before = before.beside!;
    before.beside = level.beside;
    level.beside = null;
    level.first = level;
    this.giveBack(level);
  }

  /** Takes back a level that is empty, off its ladder and not touched. */
  giveBack(level: Level): void {
    this.free.push(level);
  }
}
