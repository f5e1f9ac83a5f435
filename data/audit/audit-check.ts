/** One claim about the ledger, in two queries of the `exchange` database. */
export interface AuditCheck {
  /**
   * The invariant that it belongs to: docs/design/money.md#invariants; `lots` for what lots sum to; `broker` for what a broker says of its orders;
   * `unsettled` for what waits to settle; `register` for what issuers' registers say.
   */
  readonly invariant: 'L1' | 'L2' | 'L3' | 'L4' | 'lots' | 'broker' | 'unsettled' | 'register';
  /** What must hold, as a sentence. */
  readonly claim: string;
  /** One row with `examined`: how many rows the claim is about. */
  readonly examined: string;
  /** A row with `violation` (text) for each thing that breaks the claim; none when it holds. */
  readonly violations: string;
}

/** How a check came out. */
export interface AuditRow {
  /** L5: the journal gives the ledger again; `projection`: D1 shows what the ledger has. */
  readonly invariant: AuditCheck['invariant'] | 'L5' | 'projection';
  readonly claim: string;
  readonly holds: boolean;
  readonly examined: number;
  /** The first violation, null when it holds. */
  readonly violation: string | null;
}
