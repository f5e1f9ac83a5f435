import { ByteWriter, type Hash, isHash, sha256, toHex } from './bytes.ts';
import { merkleRoot } from './merkle-tree.ts';

/** The parent of the first block. */
export const GENESIS: Hash = '0'.repeat(64);

/** What a block says; its hash is over exactly this. */
export interface BlockHeader {
  /** Of the committee that votes on it. */
  readonly committee: Hash;
  /** Gapless from 1. */
  readonly height: number;
  readonly parent: Hash;
  /** Unix ms: one slot a millisecond, later than its parent's. A slot without settlements has no block. */
  readonly slot: number;
  /** Rows of the ledger's journal, gapless from block to block. A row is never parted. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** Of the journal's own chain, up to and with `lastRow`. */
  readonly journalHash: Hash;
  /** Leaves of `settlementsRoot`, at least one. */
  readonly settlements: number;
  readonly settlementsRoot: Hash;
  readonly booksRoot: Hash;
}

/** What a block's roots are over. */
export interface BlockBody {
  /** Hashes of settlement records, in the order of the journal. */
  readonly settlements: readonly Hash[];
  /** Each book that settled something in it, by name in the order of UTF-16 code units. */
  readonly books: readonly BookState[];
}

/** How far a book has settled. */
export interface BookState {
  readonly book: string;
  /** Its last batch that the ledger took. */
  readonly batch: number;
  /** Of its outbox, up to there. */
  readonly settledTo: number;
}

export interface Block {
  readonly header: BlockHeader;
  readonly body: BlockBody;
}

/** Of headers that were hashed before: twenty members look at the same ones. */
const hashes = new WeakMap<BlockHeader, Hash>();

/** The hash of a header, which is never changed. */
export function blockHash(header: BlockHeader): Hash {
  const known = hashes.get(header) ?? computedHash(header);
  hashes.set(header, known);
  return known;
}

function computedHash(header: BlockHeader): Hash {
  const { committee, height, parent, slot, firstRow, lastRow, journalHash, settlements } = header;
  const bytes = new ByteWriter()
    .tag('edge.block.v1')
    .hash(committee)
    .u64(height)
    .hash(parent)
    .u64(slot)
    .u64(firstRow)
    .u64(lastRow)
    .hash(journalHash)
    .u32(settlements)
    .hash(header.settlementsRoot)
    .hash(header.booksRoot)
    .end();
  return toHex(sha256(bytes));
}

export function booksRoot(books: readonly BookState[]): Hash {
  return merkleRoot(
    books.map(({ book, batch, settledTo }) => {
      const bytes = new ByteWriter()
        .tag('edge.book.v1')
        .bytes(new TextEncoder().encode(book))
        .u64(batch)
        .u64(settledTo);
      return toHex(sha256(bytes.end()));
    }),
  );
}

/** Null where the header is one that can follow its parent (null: where it is the first); else what is wrong. */
export function headerFault(header: BlockHeader, parent: BlockHeader | null): string | null {
  const numbers = [header.height, header.slot, header.firstRow, header.lastRow, header.settlements];
  if (!numbers.every((value) => Number.isSafeInteger(value) && value >= 0)) return 'a number of it is none';
  const hashes = [header.committee, header.parent, header.journalHash, header.settlementsRoot, header.booksRoot];
  if (!hashes.every(isHash)) return 'a hash of it is none';
  if (header.height !== (parent?.height ?? 0) + 1) return 'its height does not follow';
  if (header.parent !== (parent === null ? GENESIS : blockHash(parent))) return 'its parent is another block';
  if (header.slot <= (parent?.slot ?? 0)) return 'its slot is not later than its parent’s';
  if (header.firstRow !== (parent?.lastRow ?? 0) + 1) return 'its first row does not follow';
  if (header.lastRow < header.firstRow) return 'it has no row';
  if (header.settlements < 1) return 'it has no settlement';
  return null;
}

/** Null where the body is the one that the header speaks of; else what is wrong. */
export function bodyFault({ header, body }: Block): string | null {
  if (body.settlements.length !== header.settlements) return 'it has another number of settlements';
  if (merkleRoot(body.settlements) !== header.settlementsRoot) return 'its settlements have another root';
  if (body.books.some(({ book }, at) => at > 0 && book <= (body.books[at - 1]?.book ?? '')))
    return 'its books have no order';
  if (booksRoot(body.books) !== header.booksRoot) return 'its books have another root';
  return null;
}
