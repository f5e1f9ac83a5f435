import { NONE } from './level.ts';

const BUCKETS_AT_FIRST = 1024;

/**
 * Texts by number, and numbers by text: what `Map<string, number>` and an array would be, in half the time. A text that has just come
 * off the wire has no hash yet, and a Map would read the whole of it first; this reads twelve characters, which suit a UUIDv7 and
 * whatever else differs at its end.
 */
export class TextIndex {
  private readonly texts: string[] = [];
  /** Per number, in pages of 2,048: the hash of its text, and the next number in the same bucket. */
  private readonly pages: Int32Array[] = [];
  private buckets = new Int32Array(BUCKETS_AT_FIRST).fill(NONE);
  private count = 0;
  /** The text last looked for: it is often numbered next. */
  private sought = '';
  private soughtHash = hashOf('');

  /** The number of a text, or NONE. */
  find(text: string): number {
    const { buckets, pages, texts } = this;
    const hash = hashOf(text);
    this.sought = text;
    this.soughtHash = hash;
    let number = buckets[hash & (buckets.length - 1)]!;
    while (number !== NONE) {
      const page = pages[number >>> 11]!;
      const at = (number & 2047) * 2;
      if (page[at] === hash && texts[number] === text) return number;
      number = page[at + 1]!;
    }
    return NONE;
  }

  at(number: number): string {
    return this.texts[number]!;
  }

  /** Numbers a text that has no number. The number is free, and at most one above the highest ever used. */
  set(number: number, text: string): void {
    if (number >>> 11 === this.pages.length) this.pages.push(new Int32Array(2048 * 2));
    if (++this.count > this.buckets.length) this.growBuckets();
    this.texts[number] = text;
    const page = this.pages[number >>> 11]!;
    const at = (number & 2047) * 2;
    page[at] = text === this.sought ? this.soughtHash : hashOf(text);
    this.chain(number, page, at);
  }

  delete(number: number): void {
    const { buckets, pages } = this;
    const page = pages[number >>> 11]!;
    const at = (number & 2047) * 2;
    const bucket = page[at]! & (buckets.length - 1);
    const after = page[at + 1]!;
    this.texts[number] = '';
    this.count--;
    let before = buckets[bucket]!;
    if (before === number) {
      buckets[bucket] = after;
      return;
    }
    for (;;) {
      const beforePage = pages[before >>> 11]!;
      const link = (before & 2047) * 2 + 1;
      before = beforePage[link]!;
      if (before === number) {
        beforePage[link] = after;
        return;
      }
    }
  }

  private chain(number: number, page: Int32Array, at: number): void {
    const { buckets } = this;
    const bucket = page[at]! & (buckets.length - 1);
    page[at + 1] = buckets[bucket]!;
    buckets[bucket] = number;
  }

  private growBuckets(): void {
    const { pages, buckets } = this;
    this.buckets = new Int32Array(buckets.length * 2).fill(NONE);
    for (let number of buckets) {
      while (number !== NONE) {
        const page = pages[number >>> 11]!;
        const at = (number & 2047) * 2;
        const after = page[at + 1]!;
        this.chain(number, page, at);
        number = after;
      }
    }
  }
}

function hashOf(text: string): number {
  const end = text.length;
  let hash = end;
  if (end < 12) {
    for (let i = 0; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  } else {
    hash =
      Math.imul(fourCodes(text, 4), 0x85ebca6b) ^
      Math.imul(fourCodes(text, end - 8), 0x9e3779b1) ^
      fourCodes(text, end - 4);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 12);
}

function fourCodes(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 7) |
    (text.charCodeAt(at + 2) << 14) |
    (text.charCodeAt(at + 3) << 21)
  );
}
