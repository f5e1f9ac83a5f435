/** Entries of one segment: columns grow by a segment, so that growing never holds two copies. */
const SEGMENT_BITS = 14;
const SEGMENT_ENTRIES = 1 << SEGMENT_BITS;
const SEGMENT_MASK = SEGMENT_ENTRIES - 1;

/** A growing column of numbers: entries never written read as 0. A column of nothing but zeros takes no memory. */
export class Int32Column {
  readonly #segments: Int32Array[] = [];

  get(index: number): number {
    const segment = this.#segments[index >> SEGMENT_BITS];
    return segment === undefined ? 0 : (segment[index & SEGMENT_MASK] as number);
  }

  set(index: number, value: number): void {
    let segment = this.#segments[index >> SEGMENT_BITS];
    if (segment === undefined && value === 0) return;
    while (segment === undefined) {
      this.#segments.push(new Int32Array(SEGMENT_ENTRIES));
      segment = this.#segments[index >> SEGMENT_BITS];
    }
    segment[index & SEGMENT_MASK] = value;
  }

  add(index: number, change: number): void {
    this.set(index, this.get(index) + change);
  }

  /** Its bytes, segment by segment. The arrays are the column's own: write them before anything changes. */
  *bytes(): Generator<Uint8Array> {
    for (const { buffer } of this.#segments) yield new Uint8Array(buffer);
  }

  /** Appends a segment of `bytes`. */
  load(bytes: Uint8Array): void {
    this.#segments.push(new Int32Array(bytes.slice().buffer));
  }
}

/** The same for amounts and times: safe integers. */
export class Float64Column {
  readonly #segments: Float64Array[] = [];

  get(index: number): number {
    const segment = this.#segments[index >> SEGMENT_BITS];
    return segment === undefined ? 0 : (segment[index & SEGMENT_MASK] as number);
  }

  set(index: number, value: number): void {
    let segment = this.#segments[index >> SEGMENT_BITS];
    if (segment === undefined && value === 0) return;
    while (segment === undefined) {
      this.#segments.push(new Float64Array(SEGMENT_ENTRIES));
      segment = this.#segments[index >> SEGMENT_BITS];
    }
    segment[index & SEGMENT_MASK] = value;
  }

  add(index: number, change: number): void {
    this.set(index, this.get(index) + change);
  }

  *bytes(): Generator<Uint8Array> {
    for (const { buffer } of this.#segments) yield new Uint8Array(buffer);
  }

  load(bytes: Uint8Array): void {
    this.#segments.push(new Float64Array(bytes.slice().buffer));
  }
}

type Column = Int32Column | Float64Column;

/** A piece of a checkpoint: at most 1 MiB. */
export interface CheckpointPiece {
  /** `<table>.<column>`; pieces of one name come in the order in which they were given. */
  readonly name: string;
  readonly data: Uint8Array;
}

/** The columns of one table by their names, as a checkpoint keeps them. */
export class ColumnSet {
  readonly #table: string;
  readonly #columns: Readonly<Record<string, Column>>;

  constructor(table: string, columns: Readonly<Record<string, Column>>) {
    this.#table = table;
    this.#columns = columns;
  }

  *pieces(): Generator<CheckpointPiece> {
    for (const [name, column] of Object.entries(this.#columns)) {
      for (const data of column.bytes()) yield { name: `${this.#table}.${name}`, data };
    }
  }

  /** Whether the piece is one of this table, taken in. */
  load({ name, data }: CheckpointPiece): boolean {
    if (!name.startsWith(`${this.#table}.`)) return false;
    const column = this.#columns[name.slice(this.#table.length + 1)];
    if (column === undefined) throw new Error(`a checkpoint has a piece ${name} that is not known`);
    column.load(data);
    return true;
  }
}
