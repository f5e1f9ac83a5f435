import { NONE } from './level.ts';

const CAPACITY_AT_FIRST = 1_024;

/**
 * Ids of live orders by slot, and slots by id: a hash table with open addressing, at most half full. A Map took longer by a seventh of a
 * whole command: ids that have just come off the wire have no hash yet, for which a Map reads the whole text and `hashOf` twelve
 * characters; and a search here looks at no text but the one it finds.
 */
export class OrderIds {
  size = 0;
  private readonly texts: string[] = [];
  /** Hash and slot by turns; the hash is 0 where nothing stands. */
  private table = new Int32Array(2 * CAPACITY_AT_FIRST);

  /** The slot of an id whose hash is `hashOf(id)`, or NONE. */
  find(id: string, hash: number): number {
    const { table, texts } = this;
    const mask = table.length - 2;
    for (let at = (hash << 1) & mask; table[at] !== 0; at = (at + 2) & mask) {
      if (table[at] === hash && texts[table[at + 1]!] === id) return table[at + 1]!;
    }
    return NONE;
  }

  /** What stands where the search for a hash begins. */
  startOf(hash: number): number {
    const { table } = this;
    return table[(hash << 1) & (table.length - 2)]!;
  }

  /** The slot of an id that has the hash, whatever its text, or NONE. */
  candidate(hash: number): number {
    const { table } = this;
    const mask = table.length - 2;
    for (let at = (hash << 1) & mask; table[at] !== 0; at = (at + 2) & mask) {
      if (table[at] === hash) return table[at + 1]!;
    }
    return NONE;
  }

  at(slot: number): string {
    return this.texts[slot]!;
  }

  /** Gives an id that no other slot has to a slot without one, at most one above the highest used before. */
  set(slot: number, id: string, hash: number): void {
    if (4 * this.size >= this.table.length) this.grow();
    this.size++;
    this.texts[slot] = id;
    this.put(hash, slot);
  }

  /** Takes its id from a slot; `hash` is the id's. */
  delete(slot: number, hash: number): void {
    const { table } = this;
    const mask = table.length - 2;
    this.texts[slot] = '';
    let hole = (hash << 1) & mask;
    while (table[hole + 1] !== slot || table[hole] !== hash) hole = (hole + 2) & mask;
    // What stands behind moves up, unless it would come before the place that its hash names.
    for (let at = (hole + 2) & mask; table[at] !== 0; at = (at + 2) & mask) {
      if (((at - (table[at]! << 1)) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at]!;
      table[hole + 1] = table[at + 1]!;
      hole = at;
    }
    table[hole] = 0;
    this.size--;
  }

  private grow(): void {
    const { table } = this;
    this.table = new Int32Array(2 * table.length);
    for (let at = 0; at < table.length; at += 2) {
      if (table[at] !== 0) this.put(table[at]!, table[at + 1]!);
    }
  }

  private put(hash: number, slot: number): void {
    const { table } = this;
    const mask = table.length - 2;
    let at = (hash << 1) & mask;
    while (table[at] !== 0) at = (at + 2) & mask;
    table[at] = hash;
    table[at + 1] = slot;
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
