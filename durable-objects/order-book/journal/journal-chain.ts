import { digest } from './digest.ts';

/** Where a journal stands: its last row and the hash of everything up to it. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainPoint = { seq: 0, hash: '' };

/** A journal row as its hashes cover it. */
export interface ChainedRow {
  readonly seq: number;
  readonly engine: number;
  /** The entry as it is kept, letter by letter. */
  readonly text: string;
  /** Hash of the effects that the entry had. */
  readonly effects: string;
}

/** Hash of a cycle's effects, given as the texts of their chunks. */
export function effectsHash(texts: readonly string[]): string {
  return texts.reduce((hash, text) => digest(text, hash), digest(''));
}

/** The hash of a row: it covers the row's number, version, entry and effects, and all rows before it. */
export function rowHash({ seq, engine, text, effects }: ChainedRow, after: ChainPoint): string {
  return digest(text, digest(`${seq} ${engine} ${effects}`, after.hash || digest('')));
}

/** Why this row is not the one that was journaled after that point; null when it is. */
export function rowFailure(row: ChainedRow & { readonly hash: string }, after: ChainPoint): string | null {
  if (row.seq !== after.seq + 1) return `the journal goes on with row ${row.seq} after row ${after.seq}`;
  if (row.hash !== rowHash(row, after)) return `row ${row.seq} of the journal is not what was journaled`;
  return null;
}

/** Why a journal whose last row is this one is not whole; null when it is. */
export function endFailure(last: ChainPoint, journaled: ChainPoint): string | null {
  if (last.seq !== journaled.seq)
    return `the journal ends with row ${last.seq}, and row ${journaled.seq} was journaled`;
  return last.hash === journaled.hash ? null : `row ${last.seq} of the journal is not what was journaled`;
}
