import type { LedgerOutcome } from './outcomes.ts';
import type { LedgerTransaction } from './transactions.ts';

/** What the shares of a trade had cost their seller; null where its batch does not say which shares left. */
export type SaleCost = number | null;

/** A transaction that changed the ledger, with what it came to. */
export interface JournaledTransaction {
  readonly transaction: LedgerTransaction;
  readonly outcome: LedgerOutcome;
  /**
   * Of a batch: what the shares of each trade had cost their seller, in the order of its chunks and their trades. Left out without trades, and
   * in rows of before it was told.
   */
  readonly saleCosts?: readonly SaleCost[];
}

/** One group commit, as the ledger's journal keeps it and the projection reads it. */
export interface JournalRow {
  /** Gapless from 1. */
  readonly seq: number;
  /** Unix ms, max(last, now), taken once a row. */
  readonly time: number;
  readonly entries: readonly JournaledTransaction[];
}
