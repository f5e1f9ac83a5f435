const BUCKETS_AT_FIRST = 1024;

/** What stands in an IdTable, which owns `hash` and `chain`. */
export interface Identified<T> {
  id: string;
  hash: number;
  /** The next in the same bucket. */
  chain: T | null;
}

/**
 * Things by id, chained through the things themselves. In place of a Map, because the ids of a command that has just come off the wire
 * have no hash yet: a Map reads the whole text for one, `hashOf` twelve characters.
 */
export class IdTable<T extends Identified<T>> {
  size = 0;
  private buckets: (T | null)[] = new Array(BUCKETS_AT_FIRST).fill(null);

  /** `hash` is `hashOf(id)`. */
  find(id: string, hash: number): T | null {
    const { buckets } = this;
    let entry = buckets[hash & (buckets.length - 1)] ?? null;
    while (entry !== null && (entry.hash !== hash || entry.id !== id)) entry = entry.chain;
    return entry;
  }

  /** Adds an entry whose id no other has. */
  insert(entry: T): void {
    if (this.size === this.buckets.length) this.grow();
    const { buckets } = this;
    const bucket = entry.hash & (buckets.length - 1);
    entry.chain = buckets[bucket]!;
    buckets[bucket] = entry;
    this.size++;
  }

  remove(entry: T): void {
    const { buckets } = this;
    const bucket = entry.hash & (buckets.length - 1);
    let before = buckets[bucket] ?? null;
    if (before === entry) {
      buckets[bucket] = entry.chain;
    } else {
      while (before!.chain !== entry) before = before!.chain;
      before!.chain = entry.chain;
    }
    entry.chain = null;
    this.size--;
  }

  /** In no order. */
  forEach(visit: (entry: T) => void): void {
    for (const first of this.buckets) {
      for (let entry = first; entry !== null; ) {
        const after: T | null = entry.chain;
        visit(entry);
        entry = after;
      }
    }
  }

  private grow(): void {
    const entries: T[] = [];
    this.forEach((entry) => {
      entries.push(entry);
    });
    this.buckets = new Array(this.buckets.length * 2).fill(null);
    this.size = 0;
    for (const entry of entries) this.insert(entry);
  }
}

/** Reads the end and a little of the rest: enough for a UUIDv7 and for whatever else counts up at its end. */
export function hashOf(id: string): number {
  const end = id.length;
  let hash = end;
  if (end < 12) {
    for (let i = 0; i < end; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  } else {
    hash =
      Math.imul(fourCodes(id, 4), 0x85ebca6b) ^ Math.imul(fourCodes(id, end - 8), 0x9e3779b1) ^ fourCodes(id, end - 4);
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
