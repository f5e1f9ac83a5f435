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
  /** How long new rows rest before they go to D1, so that more of them share a batch. */
  readonly projectRest_ms: number;
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
  windowBytesMax: 8 * MB,
  projectRest_ms: 50,
  alarmAfter_ms: 1_000,
};
