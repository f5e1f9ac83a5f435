import { NONE } from './level.ts';
import { formatUuid, parseUuid } from './uuid.ts';

const BUCKETS_AT_FIRST = 1024;

/**
 * Ids of live orders by slot, and slots by id. A UUID is kept as its 128 bits, 24 bytes with the links of the hash table, so that no
 * string outlives its command; an id of another form is kept as it is.
 *
 * Records are in pages of 2,048, six words each: the id in four, its hash, and the next slot of the same bucket. The hash is 0 exactly
 * when the slot has an id of another form.
 */
export class OrderIds {
  private readonly pages: Int32Array[] = [];
  private buckets = new Int32Array(BUCKETS_AT_FIRST).fill(NONE);
  private hashed = 0;
  private readonly sought = new Int32Array(4);
  private readonly otherSlots = new Map<string, number>();
  private readonly otherIds = new Map<number, string>();

  /** The slot of an id, or NONE. */
  find(id: string): number {
    const { sought, pages, buckets } = this;
    if (!parseUuid(id, sought)) return this.otherSlots.get(id) ?? NONE;
    const a = sought[0]!;
    const b = sought[1]!;
    const c = sought[2]!;
    const d = sought[3]!;
    let slot = buckets[hashOf(a, b, c, d) & (buckets.length - 1)]!;
    while (slot !== NONE) {
      const page = pages[slot >>> 11]!;
      const at = (slot & 2047) * 6;
      if (page[at + 3] === d && page[at + 2] === c && page[at + 1] === b && page[at] === a) return slot;
      slot = page[at + 5]!;
    }
    return NONE;
  }

  /** The id of a slot that has one. */
  at(slot: number): string {
    const page = this.pages[slot >>> 11]!;
    const at = (slot & 2047) * 6;
    if (page[at + 4] === 0) return this.otherIds.get(slot)!;
    return formatUuid(page[at]!, page[at + 1]!, page[at + 2]!, page[at + 3]!);
  }

  /** Gives an id that no slot has to a slot that has none. */
  set(slot: number, id: string): void {
    while (this.pages.length <= slot >>> 11) this.pages.push(new Int32Array(2048 * 6));
    const page = this.pages[slot >>> 11]!;
    const at = (slot & 2047) * 6;
    const { sought } = this;
    if (!parseUuid(id, sought)) {
      page[at + 4] = 0;
      this.otherSlots.set(id, slot);
      this.otherIds.set(slot, id);
      return;
    }
    page[at] = sought[0]!;
    page[at + 1] = sought[1]!;
    page[at + 2] = sought[2]!;
    page[at + 3] = sought[3]!;
    page[at + 4] = hashOf(sought[0]!, sought[1]!, sought[2]!, sought[3]!);
    if (++this.hashed > this.buckets.length) this.growBuckets();
    this.chain(slot, page, at);
  }

  /** Takes its id from a slot. */
  delete(slot: number): void {
    const { pages, buckets } = this;
    const page = pages[slot >>> 11]!;
    const at = (slot & 2047) * 6;
    const hash = page[at + 4]!;
    if (hash === 0) {
      this.otherSlots.delete(this.otherIds.get(slot)!);
      this.otherIds.delete(slot);
      return;
    }
    this.hashed--;
    const bucket = hash & (buckets.length - 1);
    const after = page[at + 5]!;
    let before = buckets[bucket]!;
    if (before === slot) {
      buckets[bucket] = after;
      return;
    }
    for (;;) {
      const beforePage = pages[before >>> 11]!;
      const link = (before & 2047) * 6 + 5;
      before = beforePage[link]!;
      if (before === slot) {
        beforePage[link] = after;
        return;
      }
    }
  }

  private chain(slot: number, page: Int32Array, at: number): void {
    const bucket = page[at + 4]! & (this.buckets.length - 1);
    page[at + 5] = this.buckets[bucket]!;
    this.buckets[bucket] = slot;
  }

  private growBuckets(): void {
    const { pages, buckets: old } = this;
    this.buckets = new Int32Array(old.length * 2).fill(NONE);
    for (let slot of old) {
      while (slot !== NONE) {
        const page = pages[slot >>> 11]!;
        const at = (slot & 2047) * 6;
        const after = page[at + 5]!;
        this.chain(slot, page, at);
        slot = after;
      }
    }
  }
}

/** Never 0. */
function hashOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ (a >>> 15), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ c;
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f) ^ d;
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return hash ^ (hash >>> 16) || 1;
}
