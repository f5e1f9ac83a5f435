/** Effects that break an invariant. What they had changed by then cannot be used: the ledger must be restored from its journal. */
export class LedgerViolation extends Error {
  override readonly name = 'LedgerViolation';
}
