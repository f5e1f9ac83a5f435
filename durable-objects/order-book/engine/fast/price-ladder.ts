import type { Side } from '../../../../domain/orders/order.ts';
import type { Level, LevelPool } from './level.ts';

const BLOCK_LEVELS_MAX = 128;
const RECENT_LEVELS = 1_024;

/**
 * The levels of one side by price. The best is at hand, each knows its neighbours, and a price is found by bisection over blocks of
 * at most BLOCK_LEVELS_MAX levels: a level more or less moves the rest of one block, however many levels there are.
 */
export class PriceLadder {
  best: Level | null = null;
  /** The side that its levels are reported under. */
  readonly side: Side;
  private readonly direction: 1 | -1;
  private readonly pool: LevelPool;
  private readonly blockLevelsMax: number;
  /** Never empty blocks, worst first, so that work near the best price moves little. */
  private readonly blocks: Block[] = [];
  /** Indexes of levels lately asked for, by a hash of their price; each is checked before it is believed. */
  private readonly recent = new Int32Array(RECENT_LEVELS);

  /** `highestFirst`: the highest price is the best one. */
  constructor(pool: LevelPool, side: Side, highestFirst: boolean, blockLevelsMax = BLOCK_LEVELS_MAX) {
    this.pool = pool;
    this.side = side;
    this.direction = highestFirst ? 1 : -1;
    this.blockLevelsMax = blockLevelsMax;
  }

  /** The level at a price, which is empty when it has just been made. */
  levelAt(price: number): Level {
    const { recent } = this;
    const place = Math.imul(price | 0, 0x9e3779b1) >>> 22;
    const guess = this.pool.at(recent[place]!);
    if (guess !== undefined && guess.ladder === this && guess.price === price && !guess.isEmpty) return guess;
    const level = this.search(price);
    recent[place] = level.index;
    return level;
  }

  private search(price: number): Level {
    const rank = this.direction * price;
    const at = this.blockOf(rank);
    const block = this.blocks[at];
    if (block === undefined) {
      const first = new Block(this.blockLevelsMax);
      this.blocks.push(first);
      return this.insert(first, 0, price, null);
    }
    const position = block.positionOf(rank);
    if (position < block.count && block.ranks[position] === rank) return this.pool.at(block.levels[position]!);
    const better = position < block.count ? this.pool.at(block.levels[position]!) : this.firstOf(at + 1);
    if (block.count < this.blockLevelsMax) return this.insert(block, position, price, better);
    const upper = block.split();
    this.blocks.splice(at + 1, 0, upper);
    return position <= block.count
      ? this.insert(block, position, price, better)
      : this.insert(upper, position - block.count, price, better);
  }

  /** Whether a report names price `a` before price `b`. */
  isBetter(a: number, b: number): boolean {
    return (a - b) * this.direction > 0;
  }

  /** Takes an empty level off the ladder. */
  remove(level: Level): void {
    if (level.better === null) this.best = level.worse;
    else level.better.worse = level.worse;
    if (level.worse !== null) level.worse.better = level.better;
    level.better = null;
    level.worse = null;

    const rank = this.direction * level.price;
    const at = this.blockOf(rank);
    const block = this.blocks[at]!;
    block.removeAt(block.positionOf(rank));
    if (block.count === 0) this.blocks.splice(at, 1);
    else if (block.count * 4 < this.blockLevelsMax) this.mergeAt(at);
  }

  /** @throws Error when links, blocks and prices disagree. */
  assertConsistent(): void {
    let expected = this.best;
    let better: Level | null = null;
    for (let at = this.blocks.length - 1; at >= 0; at--) {
      const block = this.blocks[at]!;
      if (block.count === 0) throw new Error('broken: an empty block');
      for (let position = block.count - 1; position >= 0; position--) {
        const level = this.pool.at(block.levels[position]!);
        if (level !== expected || level.better !== better) throw new Error(`broken: links at ${level.price}`);
        if (block.ranks[position] !== this.direction * level.price) throw new Error(`broken: rank of ${level.price}`);
        if (better !== null && (better.price - level.price) * this.direction <= 0)
          throw new Error(`broken: ${level.price} is out of order`);
        better = level;
        expected = level.worse;
      }
    }
    if (expected !== null) throw new Error(`broken: ${expected.price} is in no block`);
  }

  private insert(block: Block, position: number, price: number, better: Level | null): Level {
    const level = this.pool.acquire(this, price);
    block.insertAt(position, this.direction * price, level.index);
    const worse = better === null ? this.best : better.worse;
    level.better = better;
    level.worse = worse;
    if (better === null) this.best = level;
    else better.worse = level;
    if (worse !== null) worse.better = level;
    return level;
  }

  /** The block that holds the rank or would hold it. */
  private blockOf(rank: number): number {
    const last = this.blocks.length - 1;
    if (last <= 0 || this.blocks[last]!.ranks[0]! <= rank) return last;
    let low = 0;
    let high = last - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.blocks[middle]!.ranks[0]! <= rank) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private firstOf(at: number): Level | null {
    const block = this.blocks[at];
    return block === undefined ? null : this.pool.at(block.levels[0]!);
  }

  /** Joins a block that has become small with its neighbour, if that leaves room to grow. */
  private mergeAt(at: number): void {
    const lower = at > 0 ? at - 1 : at;
    const target = this.blocks[lower]!;
    const source = this.blocks[lower + 1];
    if (source === undefined || (target.count + source.count) * 2 > this.blockLevelsMax) return;
    target.append(source);
    this.blocks.splice(lower + 1, 1);
  }
}

/** A run of levels in ascending rank. */
class Block {
  count = 0;
  readonly ranks: Float64Array;
  readonly levels: Int32Array;

  constructor(capacity: number) {
    this.ranks = new Float64Array(capacity);
    this.levels = new Int32Array(capacity);
  }

  /** Position of the first rank that is not below the given one. */
  positionOf(rank: number): number {
    const { ranks } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranks[middle]! < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insertAt(position: number, rank: number, level: number): void {
    const { ranks, levels } = this;
    for (let i = this.count++; i > position; i--) {
      ranks[i] = ranks[i - 1]!;
      levels[i] = levels[i - 1]!;
    }
    ranks[position] = rank;
    levels[position] = level;
  }

  removeAt(position: number): void {
    const { ranks, levels } = this;
    const last = --this.count;
    for (let i = position; i < last; i++) {
      ranks[i] = ranks[i + 1]!;
      levels[i] = levels[i + 1]!;
    }
  }

  /** Moves the upper half into a block of its own. */
  split(): Block {
    const upper = new Block(this.ranks.length);
    const kept = this.count >>> 1;
    upper.ranks.set(this.ranks.subarray(kept, this.count));
    upper.levels.set(this.levels.subarray(kept, this.count));
    upper.count = this.count - kept;
    this.count = kept;
    return upper;
  }

  append(source: Block): void {
    this.ranks.set(source.ranks.subarray(0, source.count), this.count);
    this.levels.set(source.levels.subarray(0, source.count), this.count);
    this.count += source.count;
  }
}
