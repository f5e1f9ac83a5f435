import type { JournaledTransaction, JournalRow } from '../ledger/journal-row.ts';
import type { BookBatch, TradeAdjustment } from '../ledger/transactions.ts';
import {
  type AdjustmentRecord,
  adjustmentRecordHash,
  type SettledTrade,
  settlementRecord,
  settlementRecordHash,
} from './settlement-record.ts';

/** What is recorded of a trade: its settlement, or what an operator has made of it since. */
export interface RecordedEntry {
  /** Of the trade, or of the adjustment. */
  readonly id: string;
  readonly tradeId: string;
  /** Of its record. */
  readonly hash: string;
}

/** A batch of a book that settled something. */
export interface SettledBatch {
  readonly book: string;
  readonly batch: number;
  readonly settledTo: number;
}

/** What one row of the ledger's journal settles. */
export interface RowSettlements {
  /** In the order in which the ledger has applied them. */
  readonly entries: readonly RecordedEntry[];
  readonly batches: readonly SettledBatch[];
}

/** @param key secret SETTLEMENT_SALT_KEY */
export function settlementsOf(row: JournalRow, key: string): RowSettlements {
  const entries: RecordedEntry[] = [];
  const batches: SettledBatch[] = [];
  for (const { transaction, outcome } of row.entries) {
    if (transaction.kind === 'batch' && outcome.type === 'landed') {
      const { book, batch, settledTo } = transaction;
      const settled = settledTrades(transaction).map((trade) => settlementEntry(trade, key));
      if (settled.length === 0) continue;
      entries.push(...settled);
      batches.push({ book, batch, settledTo });
    } else if (isAdjustment(transaction) && outcome.type === 'done') entries.push(adjustmentEntry(transaction));
  }
  return { entries, batches };
}

function isAdjustment(transaction: JournaledTransaction['transaction']): transaction is TradeAdjustment {
  return transaction.kind === 'adjust_trade';
}

function settledTrades({ chunks, baseAsset, quoteAsset }: BookBatch): SettledTrade[] {
  return chunks.flatMap(({ trades }) =>
    trades.map(({ id, quantity, price, notional, buyer, seller, executedAt }) => ({
      tradeId: id,
      assetId: baseAsset,
      currency: quoteAsset,
      quantity,
      price,
      notional,
      buyer,
      seller,
      executedAt,
    })),
  );
}

function settlementEntry(trade: SettledTrade, key: string): RecordedEntry {
  const { tradeId } = trade;
  return { id: tradeId, tradeId, hash: settlementRecordHash(settlementRecord(key, trade)) };
}

function adjustmentEntry({ id, trade, to, createdAt }: TradeAdjustment): RecordedEntry {
  const record: AdjustmentRecord = {
    adjustmentId: id,
    tradeId: trade.id,
    price: to?.price ?? 0,
    notional: to?.notional ?? 0,
    adjustedAt: createdAt,
  };
  return { id, tradeId: trade.id, hash: adjustmentRecordHash(record) };
}
