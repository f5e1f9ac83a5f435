import type { Side } from '../../../../domain/orders/order.ts';
import type { Level, Levels } from './level.ts';

const BLOCK_LEVELS_MAX = 64;
const RECENT_BITS = 12;

/**
 * The levels of one side by price. The best is at hand, each knows its neighbours, and a price is found by bisection over blocks of
 * at most BLOCK_LEVELS_MAX levels: a level more or less moves the rest of one block, however many levels there are.
 */
export class PriceLadder {
  best: Level | null = null;
  /** The side that its levels are reported under. */
  readonly side: Side;
  private readonly levels: Levels;
  private readonly direction: 1 | -1;
  private readonly blockLevelsMax: number;
  /** Never empty blocks, worst first, so that work near the best price moves little. */
  private readonly blocks: Block[] = [];
  /** Levels lately asked for, by a hash of their price; each is checked before it is believed. */
  private readonly recent: (Level | null)[] = new Array(1 << RECENT_BITS).fill(null);

  /** `highestFirst`: the highest price is the best one. */
  constructor(levels: Levels, side: Side, highestFirst: boolean, blockLevelsMax = BLOCK_LEVELS_MAX) {
    this.levels = levels;
    this.side = side;
    this.direction = highestFirst ? 1 : -1;
    this.blockLevelsMax = blockLevelsMax;
  }

  /** Whether price `a` ranks before price `b`. */
  isBetter(a: number, b: number): boolean {
    return (a - b) * this.direction > 0;
  }

  /** The level at a price. It is empty when it has just been made; the caller puts an order there. */
  levelAt(price: number): Level {
    const { recent } = this;
    const place = recentPlaceOf(price);
    const guess = recent[place]!;
    if (guess !== null && guess.price === price && guess.ladder === this && !guess.isEmpty) return guess;
    const level = this.search(price);
    recent[place] = level;
    return level;
  }

  /** The level that `levelAt` looks at first: it may be at another price, or on no ladder. */
  guessAt(price: number): Level | null {
    return this.recent[recentPlaceOf(price)]!;
  }

  /** Takes an empty level off the ladder. */
  remove(level: Level): void {
    const { better, worse } = level;
    if (better === null) this.best = worse;
    else better.worse = worse;
    if (worse !== null) worse.better = better;
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
    for (const block of this.blocks.toReversed()) {
      if (block.count === 0) throw new Error('broken: an empty block');
      for (let position = block.count - 1; position >= 0; position--) {
        const level: Level = block.levels[position]!;
        if (level !== expected || level.better !== better) throw new Error(`broken: links at ${level.price}`);
        if (block.ranks[position] !== this.direction * level.price) throw new Error(`broken: rank of ${level.price}`);
        if (better !== null && !this.isBetter(better.price, level.price))
          throw new Error(`broken: order at ${level.price}`);
        better = level;
        expected = level.worse;
      }
    }
    if (expected !== null) throw new Error(`broken: ${expected.price} is in no block`);
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
    if (position < block.count && block.ranks[position] === rank) return block.levels[position]!;
    const better = position < block.count ? block.levels[position]! : (this.blocks[at + 1]?.levels[0] ?? null);
    if (block.count < this.blockLevelsMax) return this.insert(block, position, price, better);
    const upper = block.split();
    this.blocks.splice(at + 1, 0, upper);
    return position <= block.count
      ? this.insert(block, position, price, better)
      : this.insert(upper, position - block.count, price, better);
  }

  private insert(block: Block, position: number, price: number, better: Level | null): Level {
    const level = this.levels.take(this, price);
    block.insertAt(position, this.direction * price, level);
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

function recentPlaceOf(price: number): number {
  return Math.imul(price | 0, 0x9e3779b1) >>> (32 - RECENT_BITS);
}

/** A run of levels in ascending rank. */
class Block {
  count = 0;
  readonly ranks: Float64Array;
  /** Filled up to `count`; what is beyond is left over. */
  readonly levels: Level[] = [];

  constructor(capacity: number) {
    this.ranks = new Float64Array(capacity);
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

  insertAt(position: number, rank: number, level: Level): void {
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
    for (let i = this.count >>> 1; i < this.count; i++) upper.push(this.ranks[i]!, this.levels[i]!);
    this.count = this.count >>> 1;
    return upper;
  }

  append(source: Block): void {
    for (let i = 0; i < source.count; i++) this.push(source.ranks[i]!, source.levels[i]!);
  }

  private push(rank: number, level: Level): void {
    this.insertAt(this.count, rank, level);
  }
}
