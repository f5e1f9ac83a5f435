import { BLOCK_VECTORS, type OpenedBlock } from './block.ts';
import { idTag } from './id-tag.ts';
import { packCodes, packedBytes, packQuery, QUERY_BYTES_OF_UNIT } from './pack-codes.ts';
import type { ScanKernel } from './scan-kernel.ts';
import { SubjectBounds } from './subject-bounds.ts';

/** A stored vector that may be among a query's nearest: its cosine is at most `upper`. */
export interface Candidate {
  readonly blockId: number;
  /** Its place in the block. */
  readonly at: number;
  readonly upper: number;
}

/**
 * What a search keeps in memory of one model's blocks: of each vector seven bits a component, their scale, and tags of its face id and
 * subject. Which bounds a vector's cosine so closely that few need to be looked at in their blocks, and none is missed.
 *
 * Each block has a frame in the kernel's memory (laid out as scan.wat says, tags behind the scales); frames of dropped blocks are used
 * again.
 */
export class VectorIndex {
  readonly #kernel: ScanKernel;
  readonly #width: number;
  readonly #stride: number;
  /** By frame; −1 for a free one. */
  readonly #blockIds: number[] = [];
  readonly #counts: number[] = [];
  readonly #frames = new Map<number, number>();
  readonly #free: number[] = [];
  #size = 0;
  #rounding = 0;

  constructor(kernel: ScanKernel, dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > DIMENSIONS_MAX) {
      throw new RangeError(`vectors of ${dimensions} dimensions`);
    }
    this.#kernel = kernel;
    this.#width = packedBytes(dimensions);
    this.#stride = BLOCK_VECTORS * (this.#width + 3 * WORD_BYTES);
  }

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#kernel.memory.buffer.byteLength + this.#blockIds.length * FRAME_TABLES_BYTES;
  }

  /** Takes a block in, in place of what it held before. */
  hold(blockId: number, block: OpenedBlock): void {
    const frame = this.#frames.get(blockId) ?? this.#takeFrame(blockId);
    const base = this.#base(frame);
    const { buffer } = this.#kernel.memory;
    new Uint8Array(buffer, base, this.#stride).fill(0);
    const codes = new Int8Array(buffer, base, BLOCK_VECTORS * this.#width);
    const [scales, faceTags, subjectTags] = this.#words(frame);
    // An empty place is never found: no number is a bound of it.
    scales.fill(Number.NaN);
    for (let at = 0; at < block.size; at++) {
      const place = at * this.#width;
      const { scale, rounding } = packCodes(block.embedding(at), codes.subarray(place, place + this.#width));
      scales[at] = scale;
      if (rounding > this.#rounding) this.#rounding = rounding;
      faceTags[at] = idTag(block.faceIdBytes(at));
      const subject = block.subjectBytes(at);
      subjectTags[at] = subject.length === 0 ? 0 : idTag(subject);
    }
    this.#size += block.size - this.#counts[frame]!;
    this.#counts[frame] = block.size;
  }

  drop(blockId: number): void {
    const frame = this.#frames.get(blockId);
    if (frame === undefined) return;
    new Uint8Array(this.#kernel.memory.buffer, this.#base(frame), this.#stride).fill(0);
    this.#words(frame)[0].fill(Number.NaN);
    this.#size -= this.#counts[frame]!;
    this.#counts[frame] = 0;
    this.#blockIds[frame] = FREE;
    this.#frames.delete(blockId);
    this.#free.push(frame);
  }

  /** The blocks with at most `count` vectors. */
  blocksUpTo(count: number): number[] {
    return this.#blockIds.filter((blockId, frame) => blockId !== FREE && this.#counts[frame]! <= count);
  }

  /** The blocks in which a face has one of these tags. */
  blocksTagged(faceTags: ReadonlySet<number>): number[] {
    // Most tags are in no block: a bit for each value of their last bits spares most of the look-ups.
    const seen = new Uint8Array(1 << TAG_BITS);
    for (const tag of faceTags) seen[tag & TAG_MASK] = 1;
    const blockIds: number[] = [];
    for (const [blockId, frame] of this.#frames) {
      const tags = this.#words(frame)[1];
      for (let at = this.#counts[frame]! - 1; at >= 0; at--) {
        const tag = tags[at]!;
        if (seen[tag & TAG_MASK] === 1 && faceTags.has(tag)) {
          blockIds.push(blockId);
          break;
        }
      }
    }
    return blockIds;
  }

  /**
   * All that may be among the best `topK` subjects with at least `threshold`, those that may be nearest first.
   *
   * @param query of any length above 0.
   * @param subjectsOnly leaves out faces of no subject.
   */
  candidates(query: Float32Array, topK: number, threshold: number, subjectsOnly = false): Candidate[] {
    const { memory } = this.#kernel;
    const units = this.#width / packedBytes(1);
    const queryCodes = new Int16Array(memory.buffer, QUERY_AT, (units * QUERY_BYTES_OF_UNIT) / 2);
    const { scale, rounding, bias } = packQuery(query, queryCodes);
    // What the query's own rounding and float32 arithmetic can add; a quantized vector is shorter than 1.1.
    const slack = scale * rounding * 1.1 + ARITHMETIC_SLACK;
    const found = new DataView(memory.buffer, FOUND_AT);
    const bounds = new SubjectBounds(topK, threshold);
    const candidates: { frame: number; at: number; upper: number }[] = [];
    let run = 1;
    for (let first = 0; first < this.#blockIds.length; first += run, run = Math.min(run * 2, RUN_BLOCKS_MAX)) {
      const blocks = Math.min(run, this.#blockIds.length - first);
      const count = this.#kernel.scan(
        this.#base(first),
        blocks,
        this.#stride,
        BLOCK_VECTORS,
        units,
        first * BLOCK_VECTORS,
        QUERY_AT,
        scale,
        bias,
        this.#rounding,
        slack,
        bounds.floor,
        FOUND_AT,
      );
      for (let i = 0; i < count; i++) {
        const number = found.getUint32(i * FOUND_BYTES, true);
        const upper = found.getFloat32(i * FOUND_BYTES + 4, true);
        if (upper < bounds.floor) continue;
        const frame = Math.floor(number / BLOCK_VECTORS);
        const at = number % BLOCK_VECTORS;
        const subject = this.#words(frame)[2][at]!;
        if (subjectsOnly && subject === 0) continue;
        // A face of no subject stands for itself: below 0 are the numbers that no tag has.
        bounds.offer(subject === 0 ? -1 - number : subject, found.getFloat32(i * FOUND_BYTES + 8, true));
        candidates.push({ frame, at, upper });
      }
    }
    return candidates
      .filter(({ upper }) => upper >= bounds.floor)
      .sort((a, b) => b.upper - a.upper)
      .map(({ frame, at, upper }) => ({ blockId: this.#blockIds[frame]!, at, upper }));
  }

  #takeFrame(blockId: number): number {
    const frame = this.#free.pop() ?? this.#blockIds.length;
    const { memory } = this.#kernel;
    const missing = this.#base(frame + 1) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(Math.max(missing, GROWTH_BYTES_MIN) / PAGE_BYTES));
    this.#blockIds[frame] = blockId;
    this.#counts[frame] = 0;
    this.#frames.set(blockId, frame);
    return frame;
  }

  #base(frame: number): number {
    return FRAMES_AT + frame * this.#stride;
  }

  #words(frame: number): [scales: Float32Array, faceTags: Uint32Array, subjectTags: Uint32Array] {
    const { buffer } = this.#kernel.memory;
    const at = this.#base(frame) + BLOCK_VECTORS * this.#width;
    const bytes = BLOCK_VECTORS * WORD_BYTES;
    return [
      new Float32Array(buffer, at, BLOCK_VECTORS),
      new Uint32Array(buffer, at + bytes, BLOCK_VECTORS),
      new Uint32Array(buffer, at + 2 * bytes, BLOCK_VECTORS),
    ];
  }
}

const DIMENSIONS_MAX = 4096;
const ARITHMETIC_SLACK = 4e-6;
const WORD_BYTES = 4;
const FREE = -1;
const TAG_BITS = 16;
const TAG_MASK = (1 << TAG_BITS) - 1;
/** Places of the kernel's memory: the query's codes, what a run has found, the frames. */
const QUERY_AT = 0;
const FOUND_AT = QUERY_AT + DIMENSIONS_MAX * 2;
const FOUND_BYTES = 12;
/** Runs start small, so that most of the first vectors do not come back when there is nothing to compare with. */
const RUN_BLOCKS_MAX = 32;
const FRAMES_AT = FOUND_AT + RUN_BLOCKS_MAX * BLOCK_VECTORS * FOUND_BYTES;
const PAGE_BYTES = 65_536;
const GROWTH_BYTES_MIN = 128 * 1024;
/** A frame's share of the tables beside the kernel's memory, by estimate. */
const FRAME_TABLES_BYTES = 64;
