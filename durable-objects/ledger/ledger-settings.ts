import { PROJECTED_WAIT_MS } from './api.ts';

/** Bounds and rhythms of a ledger object; tests have smaller ones. */
export interface LedgerSettings {
  /** A checkpoint is written after so many journal rows or bytes, which bounds replay. */
  readonly checkpointRows: number;
  readonly checkpointBytes: number;
  /** Rows or bytes that D1 may lack before nothing new is admitted. */
  readonly backlogRowsMax: number;
  readonly backlogBytesMax: number;
  /** Transactions and text of one journal row; the first transaction of a group goes in whatever its size. */
  readonly groupTransactionsMax: number;
  readonly groupBytesMax: number;
  /** Transactions and text that wait; what comes beyond is turned away before anything is done. */
  readonly queueTransactionsMax: number;
  readonly queueBytesMax: number;
  /** Rows and text of one D1 batch; at least one row. */
  readonly projectRowsMax: number;
  readonly projectBytesMax: number;
  /** Text of rows that the projector keeps in memory; it reads the others again. */
  readonly windowBytesMax: number;
  /** How long rows rest before they go to D1 while nobody waits for them, so that more of them share a batch. */
  readonly projectRest_ms: number;
  /** The same for rows with events that somebody is told of by webhooks. */
  readonly toldRest_ms: number;
  /** Rows of each table that one step of emptying D1 deletes: a D1 query ends after 30 s, and nobody else is served meanwhile. */
  readonly emptyRowsMax: number;
  /** How long a reader waits for D1 to show what was journaled. */
  readonly projectedWait_ms: number;
  /** So many rows or bytes make a segment of the journal in R2; fewer do once the oldest of them is so old. */
  readonly segmentRows: number;
  readonly segmentBytes: number;
  readonly sealAfter_ms: number;
  /** Until a failed upload is tried again: twice as long each time. */
  readonly sealRetry_ms_min: number;
  readonly sealRetry_ms_max: number;
  /** Text of rows that wait for R2, and cannot be pruned, before nothing new is admitted. An object's SQLite may have 10 GB. */
  readonly unsealedBytesMax: number;
  /** Text of rows in one answer to a reader of the journal; at least one row. */
  readonly partBytesMax: number;
  /** How often the log tells where the ledger stands, while rows are journaled or D1 is behind. */
  readonly reportEvery_ms: number;
  /** An alarm this long after a journal row finishes what a crash left. */
  readonly alarmAfter_ms: number;
}

const MB = 1_000_000;

export const LEDGER_SETTINGS: LedgerSettings = {
  checkpointRows: 10_000,
  checkpointBytes: 64 * MB,
  backlogRowsMax: 100_000,
  backlogBytesMax: 512 * MB,
  groupTransactionsMax: 256,
  groupBytesMax: MB,
  queueTransactionsMax: 10_000,
  queueBytesMax: 16 * MB,
  projectRowsMax: 256,
  projectBytesMax: MB,
  windowBytesMax: 4 * MB,
  projectRest_ms: 250,
  toldRest_ms: 10,
  emptyRowsMax: 1_000,
  projectedWait_ms: PROJECTED_WAIT_MS,
  segmentRows: 2_000,
  segmentBytes: 4 * MB,
  sealAfter_ms: 60_000,
  sealRetry_ms_min: 1_000,
  sealRetry_ms_max: 60_000,
  unsealedBytesMax: 4_000 * MB,
  partBytesMax: 4 * MB,
  reportEvery_ms: 10_000,
  alarmAfter_ms: 1_000,
};
