/** What a lost book has to recover. */
export interface RecoveryWork {
  readonly journaledCommands: number;
  /** Journaled since the last snapshot. */
  readonly commandsToReplay: number;
  readonly liveOrders: number;
  /** Of the snapshot and of the journal rows after it. */
  readonly bytes: number;
}
