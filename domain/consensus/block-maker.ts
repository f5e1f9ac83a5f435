import { assertFollows, type ChainLink, type StoredRow } from '../ledger/journal-chain.ts';
import { rowOf } from '../ledger/row-text.ts';
import { type RecordedEntry, type SettledBatch, settlementsOf } from '../settlement/row-settlements.ts';
import { type Block, type BlockHeader, type BookState, blockHash, booksRoot, GENESIS } from './block.ts';
import type { Hash } from './bytes.ts';
import { merkleRoot } from './merkle-tree.ts';

/** Settlements after which a block takes no further row. One row may bring more. */
export const BLOCK_SETTLEMENTS_MAX = 4_096;

/** A block with what its leaves are of, in their order. */
export interface MadeBlock {
  readonly block: Block;
  readonly entries: readonly RecordedEntry[];
}

/** What has been read of a journal since the last block. */
interface Open {
  readonly firstRow: number;
  time: number;
  readonly entries: RecordedEntry[];
  readonly books: Map<string, BookState>;
}

/**
 * Makes blocks of the rows of a ledger's journal: rows of one millisecond go together, and rows that settle nothing with those that follow or are of
 * the same one. The same rows, read in the same parts, make the same blocks.
 */
export class BlockMaker {
  readonly #committee: Hash;
  readonly #key: string;
  #parent: BlockHeader | null;
  #read: ChainLink;
  #open: Open;

  /**
   * @param parent the last block; null before the first
   * @param read the last row of which a block was made, or that was read after it and settles nothing
   * @param key secret SETTLEMENT_SALT_KEY
   */
  constructor(committee: Hash, parent: BlockHeader | null, read: ChainLink, key: string) {
    this.#committee = committee;
    this.#key = key;
    this.#parent = parent;
    this.#read = read;
    this.#open = opened((parent?.lastRow ?? 0) + 1);
  }

  /** The last row that was read. */
  get read(): ChainLink {
    return this.#read;
  }

  /**
   * Reads the next row.
   *
   * @returns the block that ends before it, if one does
   * @throws JournalBroken when the row is not the one that follows
   */
  add(stored: StoredRow): MadeBlock | null {
    assertFollows(stored, this.#read);
    const { row } = rowOf(stored.seq, stored.text);
    const { entries, batches } = settlementsOf(row, this.#key);
    const { entries: waiting, time } = this.#open;
    const isFull = waiting.length + entries.length > BLOCK_SETTLEMENTS_MAX;
    const made = waiting.length > 0 && (row.time !== time || isFull) ? this.end() : null;
    this.#read = { seq: stored.seq, hash: stored.hash };
    this.#open.time = row.time;
    this.#open.entries.push(...entries);
    for (const batch of batches) this.#open.books.set(batch.book, stateOf(batch));
    return made;
  }

  /** The block of what was read since the last one; null where that settles nothing. */
  end(): MadeBlock | null {
    const { firstRow, time, entries, books } = this.#open;
    if (entries.length === 0) return null;
    const body = {
      settlements: entries.map(({ hash }) => hash),
      books: [...books.values()].sort((one, other) => (one.book < other.book ? -1 : 1)),
    };
    const header: BlockHeader = {
      committee: this.#committee,
      height: (this.#parent?.height ?? 0) + 1,
      parent: this.#parent === null ? GENESIS : blockHash(this.#parent),
      slot: Math.max((this.#parent?.slot ?? 0) + 1, time),
      firstRow,
      lastRow: this.#read.seq,
      journalHash: this.#read.hash,
      settlements: entries.length,
      settlementsRoot: merkleRoot(body.settlements),
      booksRoot: booksRoot(body.books),
    };
    this.#parent = header;
    this.#open = opened(header.lastRow + 1);
    return { block: { header, body }, entries };
  }
}

function opened(firstRow: number): Open {
  return { firstRow, time: 0, entries: [], books: new Map() };
}

function stateOf({ book, batch, settledTo }: SettledBatch): BookState {
  return { book, batch, settledTo };
}
