import type { EngineCommand } from '../engine.ts';
import type { Book } from './book.ts';
import { NONE } from './level.ts';
import { hashOf } from './order-ids.ts';

/** What more commands want would push out of the processor's cache what the first of them want. */
const COMMANDS_MAX = 128;
/** A smaller book stays in the processor's cache by itself. */
const RESTING_MIN = 4_000;

/**
 * Reads what the next commands will read, one step of all of them at a time. In a large book each step of a command (the entry of an id,
 * the record of its order, its neighbours in the queue) waits a tenth of a microsecond for memory, and the next step needs what this one
 * brings. Done for many commands in one short loop, the waits of a step overlap. Nothing is decided or changed here.
 */
export class ReadAhead {
  private readonly book: Book;
  private readonly restingMin: number;
  private readonly hashes = new Int32Array(COMMANDS_MAX);
  private readonly slots = new Int32Array(COMMANDS_MAX);
  /** Made of all that has been read: the compiler leaves out what is read for nothing. */
  private trace = 0;

  constructor(book: Book, restingMin = RESTING_MIN) {
    this.book = book;
    this.restingMin = restingMin;
  }

  read(commands: readonly EngineCommand[]): void {
    if (this.book.orders.size < this.restingMin) return;
    this.readOrders(this.findOrders(commands));
    this.readLevels(commands);
  }

  /** How many of the commands seem to name a live order; `slots` begins with theirs. */
  private findOrders(commands: readonly EngineCommand[]): number {
    const { hashes, slots } = this;
    const { ids } = this.book.orders;
    let named = 0;
    for (let i = 0; i < commands.length && named < COMMANDS_MAX; i++) {
      const command = commands[i]!;
      if (command.type !== 'mass_cancel') hashes[named++] = hashOf(command.orderId);
    }
    let trace = 0;
    for (let i = 0; i < named; i++) trace ^= ids.startOf(hashes[i]!);
    this.trace ^= trace;
    let found = 0;
    for (let i = 0; i < named; i++) {
      const slot = ids.candidate(hashes[i]!);
      if (slot !== NONE) slots[found++] = slot;
    }
    return found;
  }

  private readOrders(count: number): void {
    const { slots } = this;
    const { orders, levels } = this.book;
    let trace = 0;
    // The ends of a record: it may lie across two lines of the cache.
    for (let i = 0; i < count; i++) trace ^= orders.remaining(slots[i]!) ^ orders.requires(slots[i]!);
    for (let i = 0; i < count; i++) trace ^= orders.id(slots[i]!).length;
    for (let i = 0; i < count; i++) {
      const next = orders.next(slots[i]!);
      const previous = orders.previous(slots[i]!);
      if (next !== NONE) trace ^= orders.previous(next);
      if (previous !== NONE) trace ^= orders.next(previous);
    }
    for (let i = 0; i < count; i++) trace ^= levels.at(orders.level(slots[i]!)).tail;
    this.trace ^= trace;
  }

  /** Reads the levels where new orders would stand, as far as they are known, and the orders before them there. */
  private readLevels(commands: readonly EngineCommand[]): void {
    const { orders, bids, asks } = this.book;
    let trace = 0;
    for (let i = 0; i < commands.length && i < COMMANDS_MAX; i++) {
      const command = commands[i]!;
      if (command.type !== 'place') continue;
      const level = (command.side === 'buy' ? bids : asks).guessAt(command.price);
      if (level !== null && level.tail !== NONE) trace ^= orders.next(level.tail);
    }
    this.trace ^= trace;
  }
}
