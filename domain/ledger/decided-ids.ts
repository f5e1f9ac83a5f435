import type { CheckpointPiece } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';

export interface DecidedIdsRest {
  readonly current: 0 | 1;
  readonly tables: readonly [IdTableRest, IdTableRest];
  readonly latest: readonly [number, number];
  /** Null while nothing is forgotten. */
  readonly forgottenUntil: number | null;
}

/**
 * What was decided once and may not be decided again: trades that were adjusted, breaks that were resolved. The read model says it for good; the ledger
 * knows the latest by heart, in two generations, so that nobody who read the read model before the decision decides it again. Whoever read it before
 * anything was forgotten has to read it anew.
 */
export class DecidedIds {
  readonly #name: string;
  /** Ids of one generation; so many of the latest are known at least, and twice as many at most. */
  readonly #generationMax: number;
  #current: 0 | 1 = 0;
  readonly #tables: [IdTable, IdTable];
  /** Unix ms of the latest decision in each. */
  readonly #latest: [number, number] = [0, 0];
  /** Unix ms; nothing is forgotten that was decided later. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  constructor(name: string, generationMax: number) {
    this.#name = name;
    this.#generationMax = generationMax;
    this.#tables = [this.#table(0), this.#table(1)];
  }

  has(id: string): boolean {
    return this.#tables.some((table) => table.find(id) >= 0);
  }

  /** Whether the read model may have been read before something that the ledger has forgotten was decided. */
  isReadTooLongAgo(readAt_ms: number): boolean {
    return readAt_ms <= this.#forgottenUntil;
  }

  add(id: string, time_ms: number): void {
    if (this.has(id)) return;
    if (this.#tables[this.#current].size >= this.#generationMax) {
      this.#current = this.#current === 0 ? 1 : 0;
      this.#forgottenUntil = Math.max(this.#forgottenUntil, this.#latest[this.#current]);
      this.#tables[this.#current] = this.#table(this.#current);
      this.#latest[this.#current] = 0;
    }
    this.#tables[this.#current].intern(id);
    this.#latest[this.#current] = Math.max(this.#latest[this.#current], time_ms);
  }

  *all(): Generator<string> {
    for (const table of this.#tables)
      for (let number = 0; number < table.end; number++) if (table.has(number)) yield table.text(number);
  }

  *pieces(): Generator<CheckpointPiece> {
    for (const table of this.#tables) yield* table.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.#tables.some((table) => table.load(piece));
  }

  rest(): DecidedIdsRest {
    const [one, other] = this.#tables;
    const tables = [one.rest(), other.rest()] as const;
    const forgottenUntil = Number.isFinite(this.#forgottenUntil) ? this.#forgottenUntil : null;
    return { current: this.#current, tables, latest: [...this.#latest], forgottenUntil };
  }

  finish({ current, tables, latest, forgottenUntil }: DecidedIdsRest): void {
    this.#current = current;
    this.#forgottenUntil = forgottenUntil ?? Number.NEGATIVE_INFINITY;
    for (const at of [0, 1] as const) {
      this.#latest[at] = latest[at];
      this.#tables[at].finish(tables[at]);
    }
  }

  #table(at: 0 | 1): IdTable {
    return new IdTable(`${this.#name}${at}`);
  }
}
