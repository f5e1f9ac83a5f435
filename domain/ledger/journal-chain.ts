import { createHash } from 'node:crypto';

/** What stands in storage is not what was written: nothing must be built upon it. */
export class JournalBroken extends Error {
  override readonly name = 'JournalBroken';
}

/** A row as the journal keeps it. */
export interface StoredRow {
  readonly seq: number;
  readonly time: number;
  /** A `rowText` (row-text.ts). */
  readonly text: string;
  /** Of the chain up to and with this row. */
  readonly hash: string;
}

/** A place in the chain. */
export type ChainLink = Pick<StoredRow, 'seq' | 'hash'>;

/** Before the first row. */
export const CHAIN_START: ChainLink = { seq: 0, hash: '' };

export function sha256(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/** The hash of a row that follows the one of `previousHash`. */
export function chainHash(previousHash: string, text: string): string {
  return sha256(previousHash, text);
}

/** @throws JournalBroken when the row is not the one that follows */
export function assertFollows({ seq, text, hash }: StoredRow, previous: ChainLink): void {
  if (seq !== previous.seq + 1) throw new JournalBroken(`journal row ${previous.seq + 1} is missing`);
  if (chainHash(previous.hash, text) !== hash)
    throw new JournalBroken(`journal row ${seq} does not continue the chain`);
}
