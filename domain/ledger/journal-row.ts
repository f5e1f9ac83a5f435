import type { LedgerOutcome } from './outcomes.ts';
import type { LedgerTransaction } from './transactions.ts';

/** A transaction that changed the ledger, with what it came to. */
export interface JournaledTransaction {
  readonly transaction: LedgerTransaction;
  readonly outcome: LedgerOutcome;
}

/** One group commit, as the ledger's journal keeps it and the projection reads it. */
export interface JournalRow {
  /** Gapless from 1. */
  readonly seq: number;
  /** Unix ms, max(last, now), taken once a row. */
  readonly time: number;
  readonly entries: readonly JournaledTransaction[];
}
