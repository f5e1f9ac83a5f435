const CAPACITY_AT_FIRST = 1024;

/** What stands in an IdTable. `hash` is `hashOf(id)`. */
interface Identified {
  readonly id: string;
  readonly hash: number;
}

/**
 * Things by id: a hash table with open addressing, at most half full. Measured against a Map on ids as they come off the wire: a seventh
 * less for a whole command. A text that is new has no hash yet; a Map reads all of it for one, `hashOf` twelve characters. And the
 * hashes stand in an array of their own, so that a search looks at no thing but the one it finds.
 */
export class IdTable<T extends Identified> {
  size = 0;
  /** Where nothing stands, the hash is 0. */
  private hashes = new Int32Array(CAPACITY_AT_FIRST);
  private entries: (T | null)[] = new Array(CAPACITY_AT_FIRST).fill(null);

  find(id: string, hash: number): T | null {
    const { hashes, entries } = this;
    const mask = hashes.length - 1;
    for (let at = hash & mask; hashes[at] !== 0; at = (at + 1) & mask) {
      if (hashes[at] === hash && entries[at]!.id === id) return entries[at]!;
    }
    return null;
  }

  /** Adds an entry whose id no other has. */
  insert(entry: T): void {
    if (2 * this.size >= this.hashes.length) this.grow();
    this.size++;
    this.put(entry.hash, entry);
  }

  /** Removes an entry that stands here. */
  remove(entry: T): void {
    const { hashes, entries } = this;
    const mask = hashes.length - 1;
    let hole = entry.hash & mask;
    while (entries[hole] !== entry) hole = (hole + 1) & mask;
    // What stands behind moves up, unless it would come before the place that its hash names.
    for (let at = (hole + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
      if (((at - hashes[at]!) & mask) < ((at - hole) & mask)) continue;
      hashes[hole] = hashes[at]!;
      entries[hole] = entries[at]!;
      hole = at;
    }
    hashes[hole] = 0;
    entries[hole] = null;
    this.size--;
  }

  /** In no order. */
  all(): T[] {
    return this.entries.filter((entry) => entry !== null);
  }

  private grow(): void {
    const { hashes, entries } = this;
    this.hashes = new Int32Array(2 * hashes.length);
    this.entries = new Array(2 * hashes.length).fill(null);
    for (let at = 0; at < hashes.length; at++) {
      if (hashes[at] !== 0) this.put(hashes[at]!, entries[at]!);
    }
  }

  private put(hash: number, entry: T): void {
    const { hashes, entries } = this;
    const mask = hashes.length - 1;
    let at = hash & mask;
    while (hashes[at] !== 0) at = (at + 1) & mask;
    hashes[at] = hash;
    entries[at] = entry;
  }
}

/** Reads the end and a little of the rest: enough for a UUIDv7 and for whatever else counts up at its end. Never 0. */
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
  return hash ^ (hash >>> 12) || 1;
}

function fourCodes(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 7) |
    (text.charCodeAt(at + 2) << 14) |
    (text.charCodeAt(at + 3) << 21)
  );
}
