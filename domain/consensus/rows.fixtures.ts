import { batchText } from '../ledger/batch-text.ts';
import { ALICE, BOB, BOOK, chunk, SHARES, USD } from '../ledger/ledger.fixtures.ts';
import type { Trade } from '../ledger/records.ts';
import { rowText } from '../ledger/row-text.ts';
import type { BookBatch } from '../ledger/transactions.ts';

/** A trade with a number, from 1. */
export function tradeOf(number: number): Trade {
  return {
    id: `019ff000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    sequence: number,
    price: 1_000,
    quantity: number,
    notional: 1_000 * number,
    takerSide: 'buy',
    buyOrder: `019ff000-0000-7000-9000-${String(2 * number).padStart(12, '0')}`,
    sellOrder: `019ff000-0000-7000-9000-${String(2 * number + 1).padStart(12, '0')}`,
    buyer: ALICE,
    seller: BOB,
    buyerFee: 0,
    sellerFee: 0,
    executedAt: 1_800_000_000_000 + number,
  };
}

/** The text of a journal row whose one batch has settled these trades. */
export function landedBatch(time: number, trades: readonly Trade[], book = BOOK): string {
  const transaction: BookBatch = {
    kind: 'batch',
    book,
    owner: 'owner',
    batch: time,
    settledFrom: 0,
    settledTo: trades.length,
    baseAsset: SHARES,
    quoteAsset: USD,
    tracksLots: true,
    emitsEvents: false,
    chunks: trades.length === 0 ? [] : [chunk({ trades })],
    orders: [],
    amendments: [],
  };
  const outcome = { type: 'landed', refused: [], lots: [] } as const;
  return rowText(time, false, 1, [{ transaction, text: batchText(transaction), outcome }]);
}
