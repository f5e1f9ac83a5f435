import { batchText } from '../../domain/ledger/batch-text.ts';
import { CHAIN_START, type ChainLink, chainHash, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import type { Trade } from '../../domain/ledger/records.ts';
import { rowText } from '../../domain/ledger/row-text.ts';
import type { BookBatch } from '../../domain/ledger/transactions.ts';

const BUYER = '019ff000-0000-7000-a000-000000000001';
const SELLER = '019ff000-0000-7000-a000-000000000002';
const START_MS = 1_800_000_000_000;

/** The journal of a ledger that settles one trade a row, and a row a millisecond: every row makes a block. */
export class JournalOfTrades {
  #end: ChainLink = CHAIN_START;
  #rows: StoredRow[] = [];

  /** So many rows more. */
  grow(rows: number): void {
    for (let count = 0; count < rows; count++) {
      const seq = this.#end.seq + 1;
      const text = settledRow(seq);
      this.#end = { seq, hash: chainHash(this.#end.hash, text) };
      this.#rows.push({ seq, time: START_MS + seq, text, hash: this.#end.hash });
    }
  }

  /** Forgets what was read. */
  after(seq: number, count: number): readonly StoredRow[] {
    this.#rows = this.#rows.filter((row) => row.seq > seq);
    return this.#rows.slice(0, count);
  }
}

function settledRow(seq: number): string {
  const trade: Trade = {
    id: `019ff000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
    sequence: seq,
    price: 1_000,
    quantity: 10,
    notional: 10_000,
    takerSide: 'buy',
    buyOrder: `019ff000-0000-7000-9000-${String(2 * seq).padStart(12, '0')}`,
    sellOrder: `019ff000-0000-7000-9000-${String(2 * seq + 1).padStart(12, '0')}`,
    buyer: BUYER,
    seller: SELLER,
    buyerFee: 0,
    sellerFee: 0,
    executedAt: START_MS + seq,
  };
  const chunk = { trades: [trade], orders: [], balances: [], lots: [], lotMoves: [], amendments: [], bars: [] };
  const transaction: BookBatch = {
    kind: 'batch',
    book: 'BENCH-USD',
    owner: 'bench',
    batch: seq,
    settledFrom: seq - 1,
    settledTo: seq,
    baseAsset: 'bench',
    quoteAsset: 'usd',
    tracksLots: false,
    emitsEvents: false,
    chunks: [chunk],
    orders: [],
    amendments: [],
  };
  const outcome = { type: 'landed', refused: [], lots: [] } as const;
  return rowText(START_MS + seq, false, 1, [{ transaction, text: batchText(transaction), outcome }]);
}
