import { type CheckpointPiece, ColumnSet, Int32Column } from './columns.ts';

const TABLE_SIZE_MIN = 1 << 10;
const NOT_HEX = 255;
const HEX_DIGITS = '0123456789abcdef';

const VALUE_OF_DIGIT = new Uint8Array(128).fill(NOT_HEX);
for (const [value, digit] of [...HEX_DIGITS].entries()) VALUE_OF_DIGIT[digit.charCodeAt(0)] = value;

/** What an id is packed into: four words of a UUID, and one that says how it ends. */
const ID_WORDS = 5;
const ENDING = 4;
/** Endings: no id at all; nothing; `.n`, to which n is added. */
const [FREE, PLAIN, NUMBERED] = [0, 1, 2];

/** The id that `isCompact` read last, and its words. One id is often looked for in several tables, one after the other. */
const read = new Int32Array(ID_WORDS);
let lastId = '';
let isLastCompact = false;

/** Positions of the digits of a UUID's words. */
const WORD_STARTS = [0, 9, 19, 28] as const;

/** Reads `<UUID>` or `<UUID>.<n>`, in the one spelling that is written back the same. */
function isCompact(id: string): boolean {
  if (id !== lastId) {
    isLastCompact = readWords(id);
    lastId = id;
  }
  return isLastCompact;
}

function readWords(id: string): boolean {
  if (id.length < 36 || id.length > 45) return false;
  if (id.charCodeAt(8) !== 45 || id.charCodeAt(13) !== 45 || id.charCodeAt(18) !== 45 || id.charCodeAt(23) !== 45) {
    return false;
  }
  let bad = 0;
  for (let word = 0; word < 4; word++) {
    let at = WORD_STARTS[word] as number;
    let value = 0;
    for (let digit = 0; digit < 8; digit++, at++) {
      if (at === 13 || at === 23) at++;
      const code = VALUE_OF_DIGIT[id.charCodeAt(at)] ?? NOT_HEX;
      bad |= code;
      value = (value << 4) | code;
    }
    read[word] = value;
  }
  if (bad > 15) return false;
  read[ENDING] = PLAIN;
  return id.length === 36 || hasSuffix(id);
}

function hasSuffix(id: string): boolean {
  if (id.charCodeAt(36) !== 46 || id.length === 37) return false;
  const number = Number(id.slice(37));
  if (!Number.isInteger(number) || number < 0 || String(number) !== id.slice(37)) return false;
  read[ENDING] = NUMBERED + number;
  return true;
}

function hashOf(a: number, b: number, c: number, d: number, ending: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f);
  hash ^= Math.imul(ending, 0x165667b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Ids by number: a UUID takes 28 bytes instead of the 150 of a string in a Map. Numbers are small, start at 0, and are used again once
 * released. Ids of another shape work too and cost what strings cost.
 */
export class IdTable {
  /** Words of an id side by side: it is read whole or not at all. */
  readonly #words = new Int32Column();
  readonly #columns: ColumnSet;
  readonly #name: string;
  /** Open addressing, linear probing: number + 1, 0 where free. */
  #table = new Int32Array(TABLE_SIZE_MIN);
  readonly #free: number[] = [];
  readonly #otherNumbers = new Map<string, number>();
  readonly #otherIds = new Map<number, string>();
  /** Numbers ever given. */
  #end = 0;
  #size = 0;

  constructor(name: string) {
    this.#name = name;
    this.#columns = new ColumnSet(name, { words: this.#words });
  }

  get size(): number {
    return this.#size;
  }

  /** One more than the largest number in use. */
  get end(): number {
    return this.#end;
  }

  has(number: number): boolean {
    return this.#word(number, ENDING) !== FREE;
  }

  /** The id's number, −1 for one that is not here. */
  find(id: string): number {
    if (!isCompact(id)) return this.#otherNumbers.get(id) ?? -1;
    return (this.#table[this.#place()] as number) - 1;
  }

  /** The id's number, a new one if it is not here. */
  intern(id: string): number {
    if (!isCompact(id)) return this.#internOther(id);
    let place = this.#place();
    const known = (this.#table[place] as number) - 1;
    if (known >= 0) return known;
    if ((this.#size + 1) * 2 > this.#table.length) {
      this.#grow();
      isCompact(id);
      place = this.#place();
    }
    const number = this.#take();
    for (let word = 0; word < ID_WORDS; word++) this.#words.set(number * ID_WORDS + word, read[word] as number);
    this.#table[place] = number + 1;
    return number;
  }

  /** Gives the number back: another id may get it. */
  release(number: number): void {
    const other = this.#otherIds.get(number);
    if (other === undefined) this.#remove(number);
    else {
      this.#otherIds.delete(number);
      this.#otherNumbers.delete(other);
    }
    this.#words.set(number * ID_WORDS + ENDING, FREE);
    this.#free.push(number);
    this.#size -= 1;
  }

  /** The id of a number in use. */
  text(number: number): string {
    const other = this.#otherIds.get(number);
    if (other !== undefined) return other;
    let hex = '';
    for (let word = 0; word < ENDING; word++) hex += (this.#word(number, word) >>> 0).toString(16).padStart(8, '0');
    const ending = this.#word(number, ENDING);
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    return ending === PLAIN ? uuid : `${uuid}.${ending - NUMBERED}`;
  }

  /** A hash of the id, the same whatever its number. */
  hash(number: number): number {
    const other = this.#otherIds.get(number);
    if (other === undefined) return this.#hashAt(number);
    let hash = 0;
    for (let at = 0; at < other.length; at++) hash = Math.imul(hash ^ other.charCodeAt(at), 0x9e3779b1);
    return hash >>> 0;
  }

  /** −1, 0 or 1 as the first id sorts before, with or after the second: by their words, then their suffixes. */
  compare(first: number, second: number): number {
    if (this.#otherIds.has(first) || this.#otherIds.has(second)) {
      const [a, b] = [this.text(first), this.text(second)];
      return a < b ? -1 : a > b ? 1 : 0;
    }
    for (let word = 0; word < ID_WORDS; word++) {
      const [a, b] = [this.#word(first, word) >>> 0, this.#word(second, word) >>> 0];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.#columns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.#columns.load(piece);
  }

  /** What its columns do not say. */
  rest(): IdTableRest {
    return { name: this.#name, end: this.#end, other: [...this.#otherIds] };
  }

  /** Call it once every piece is loaded. */
  finish({ end, other }: IdTableRest): void {
    this.#end = end;
    for (const [number, id] of other) {
      this.#otherIds.set(number, id);
      this.#otherNumbers.set(id, number);
    }
    for (let number = end - 1; number >= 0; number--) {
      if (this.has(number)) this.#size += 1;
      else this.#free.push(number);
    }
    let length = TABLE_SIZE_MIN;
    while (length < this.#size * 2) length *= 2;
    this.#fill(length);
  }

  #internOther(id: string): number {
    const known = this.#otherNumbers.get(id);
    if (known !== undefined) return known;
    const number = this.#take();
    this.#words.set(number * ID_WORDS + ENDING, PLAIN);
    this.#otherNumbers.set(id, number);
    this.#otherIds.set(number, id);
    return number;
  }

  #take(): number {
    const number = this.#free.pop() ?? this.#end++;
    this.#size += 1;
    return number;
  }

  /** Where the id that was read stands in the table, or the free place where it would. */
  #place(): number {
    const [a, b, c, d, ending] = [read[0], read[1], read[2], read[3], read[4]] as [
      number,
      number,
      number,
      number,
      number,
    ];
    const mask = this.#table.length - 1;
    let place = hashOf(a, b, c, d, ending) & mask;
    for (;;) {
      const number = (this.#table[place] as number) - 1;
      if (number < 0) return place;
      if (
        this.#word(number, 3) === d &&
        this.#word(number, 2) === c &&
        this.#word(number, 1) === b &&
        this.#word(number, 0) === a &&
        this.#word(number, ENDING) === ending
      ) {
        return place;
      }
      place = (place + 1) & mask;
    }
  }

  #hashAt(number: number): number {
    return hashOf(
      this.#word(number, 0),
      this.#word(number, 1),
      this.#word(number, 2),
      this.#word(number, 3),
      this.#word(number, ENDING),
    );
  }

  #word(number: number, word: number): number {
    return this.#words.get(number * ID_WORDS + word);
  }

  #grow(): void {
    this.#fill(this.#table.length * 2);
  }

  #fill(length: number): void {
    this.#table = new Int32Array(length);
    for (let number = 0; number < this.#end; number++) {
      if (!this.has(number) || this.#otherIds.has(number)) continue;
      let place = this.#hashAt(number) & (length - 1);
      while (this.#table[place] !== 0) place = (place + 1) & (length - 1);
      this.#table[place] = number + 1;
    }
  }

  /** Takes the number out and closes the gap, so that nothing behind it becomes unreachable. */
  #remove(number: number): void {
    const mask = this.#table.length - 1;
    let gap = this.#hashAt(number) & mask;
    while (this.#table[gap] !== number + 1) gap = (gap + 1) & mask;
    for (let place = (gap + 1) & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const home = this.#hashAt((this.#table[place] as number) - 1) & mask;
      if (((place - home) & mask) >= ((place - gap) & mask)) {
        this.#table[gap] = this.#table[place] as number;
        gap = place;
      }
    }
    this.#table[gap] = 0;
  }
}

export interface IdTableRest {
  readonly name: string;
  readonly end: number;
  readonly other: readonly (readonly [number: number, id: string])[];
}
