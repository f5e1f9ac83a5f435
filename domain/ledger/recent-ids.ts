import type { CheckpointPiece } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';

/** Clocks of those who give ids out may differ by this much. */
const CLOCK_SKEW_MS = 250;

interface Generation {
  readonly ids: IdTable;
  /** Unix ms of the journal row that began it; 0 of the first one. */
  readonly startedAt: number;
  /** The UUIDv7 that was given out last of those in it. */
  latest: string;
}

interface GenerationRest extends Omit<Generation, 'ids'> {
  readonly ids: IdTableRest;
}

export interface RecentIdsRest {
  readonly current: GenerationRest;
  readonly previous: GenerationRest;
  readonly turns: number;
  readonly forgottenBefore: string;
}

/** UUIDv7s given out before this time sort before this text (RFC 9562, 5.7: they begin with their Unix ms). */
function firstTextAt(time_ms: number): string {
  const hex = time_ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

function isUuidV7(id: string): boolean {
  return id.length === 36 && id[14] === '7';
}

/**
 * Ids of the latest orders and amendments, so that none enters twice. Kept in two generations, because forgetting ids one by one is slow. An id
 * as old as those that were forgotten counts as known: whoever repeats it must look up what became of it.
 */
export class RecentIds {
  /** Ids of one generation; with fewer than there are, the next id begins another. */
  generationMax: number;
  #turns = 0;
  #current: Generation = { ids: new IdTable('recent0'), startedAt: 0, latest: '' };
  #previous: Generation = { ids: new IdTable('recent1'), startedAt: 0, latest: '' };
  /** UUIDv7s that sort before this are too old to be told from a repetition. */
  #forgottenBefore = '';

  constructor(generationMax: number) {
    this.generationMax = generationMax;
  }

  /** Whether the id has entered before, or may have. */
  has(id: string): boolean {
    return this.#current.ids.find(id) >= 0 || this.#previous.ids.find(id) >= 0 || this.isForgotten(id);
  }

  /** Whether the id is so old that it will never enter any more. */
  isForgotten(id: string): boolean {
    return id < this.#forgottenBefore && isUuidV7(id);
  }

  add(id: string, time_ms: number): void {
    if (this.#current.ids.size >= this.generationMax) {
      this.#turns += 1;
      const horizon = horizonAfter(this.#previous, this.#current);
      if (horizon > this.#forgottenBefore) this.#forgottenBefore = horizon;
      this.#previous = this.#current;
      // The two never share a name: a checkpoint tells their pieces apart by it.
      this.#current = { ids: new IdTable(`recent${this.#turns % 2}`), startedAt: time_ms, latest: '' };
    }
    this.#current.ids.intern(id);
    if (id > this.#current.latest && isUuidV7(id)) this.#current.latest = id;
  }

  /** Of every id that it knows; with when its generation began. */
  *hashes(): Generator<{ readonly startedAt: number; readonly hash: number }> {
    for (const { ids, startedAt } of [this.#current, this.#previous])
      for (let number = 0; number < ids.end; number++) yield { startedAt, hash: ids.hash(number) };
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.#current.ids.pieces();
    yield* this.#previous.ids.pieces();
  }

  /** Call it after `begin`. */
  load(piece: CheckpointPiece): boolean {
    return this.#current.ids.load(piece) || this.#previous.ids.load(piece);
  }

  rest(): RecentIdsRest {
    const restOf = ({ ids, ...rest }: Generation): GenerationRest => ({ ids: ids.rest(), ...rest });
    return {
      current: restOf(this.#current),
      previous: restOf(this.#previous),
      turns: this.#turns,
      forgottenBefore: this.#forgottenBefore,
    };
  }

  begin({ current, previous, turns, forgottenBefore }: RecentIdsRest): void {
    const generationOf = ({ ids, ...rest }: GenerationRest): Generation => ({ ids: new IdTable(ids.name), ...rest });
    this.#current = generationOf(current);
    this.#previous = generationOf(previous);
    this.#forgottenBefore = forgottenBefore;
    this.#turns = turns;
  }

  finish({ current, previous }: RecentIdsRest): void {
    this.#current.ids.finish(current.ids);
    this.#previous.ids.finish(previous.ids);
  }
}

/**
 * Where the ids that go with a generation end: no later than its last id, however far a clock of ours jumped ahead, and no later than the
 * beginning of the generation after it, however far the clock of one who gave ids out was ahead. Either alone would lock new orders out.
 */
function horizonAfter({ latest }: Generation, { startedAt }: Generation): string {
  const lastGone = `${latest}~`;
  const nextBegan = firstTextAt(startedAt + CLOCK_SKEW_MS + 1);
  return latest === '' ? '' : lastGone < nextBegan ? lastGone : nextBegan;
}
