/** Where the ledger says that it stands with a book. */
interface LedgerPoint {
  readonly batch: number;
  readonly settled: number;
}

/** What the book itself has on record. */
interface BookPoint {
  /** Last batch that a journal row belongs to. */
  readonly lastBatch: number;
  /** Last outbox row that the ledger confirmed. */
  readonly confirmed: number;
  /** First outbox row that is left after what the ledger has settled; null for none. */
  readonly nextOutbox: number | null;
  readonly outboxEnd: number;
}

/**
 * Why book and ledger do not belong together: one of the two was restored to an earlier time, or lost something. Null when the outbox goes
 * on where the ledger has settled.
 */
export function continuityFailure(ledger: LedgerPoint, book: BookPoint): string | null {
  if (ledger.batch < book.lastBatch)
    return `the ledger stands at batch ${ledger.batch}, and batch ${book.lastBatch} was journaled: it is older than this book`;
  if (ledger.settled < book.confirmed)
    return `the ledger has settled ${ledger.settled}, and had confirmed ${book.confirmed}: it is older than this book`;
  const next = book.nextOutbox ?? Math.max(book.outboxEnd, book.confirmed) + 1;
  return next === ledger.settled + 1
    ? null
    : `the ledger has settled ${ledger.settled}, and the outbox goes on with ${next}`;
}
