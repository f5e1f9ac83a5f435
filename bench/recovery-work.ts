/** What a lost book has to recover. */
export interface RecoveryWork {
  readonly journaledCommands: number;
  /** Journaled since the last snapshot. */
  readonly commandsToReplay: number;
  readonly liveOrders: number;
  /** Of the snapshot and of the journal rows after it. */
  readonly bytes: number;
}

/** What a lost ledger has to recover. */
export interface LedgerWork {
  readonly balances: number;
  /** Journaled since the last checkpoint, a batch each. */
  readonly rowsToReplay: number;
  /** Of the checkpoint and of the journal rows after it. */
  readonly bytes: number;
}
