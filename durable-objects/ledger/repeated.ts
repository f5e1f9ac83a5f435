import { sha256 } from '../../domain/ledger/journal-chain.ts';
import type { LedgerTransaction } from '../../domain/ledger/transactions.ts';

/**
 * Id under which the answer of a transaction is kept. Null for those that the ledger itself knows again: batches and ownership by their
 * fence, rejected orders by their id, confirmed cancellations by what is still pending, rules by what is in force.
 */
export function idOf(transaction: LedgerTransaction): string | null {
  switch (transaction.kind) {
    case 'batch':
    case 'own':
    case 'rejected_order':
    case 'cancelled':
    case 'ledger_rules':
      return null;
    default:
      return transaction.id;
  }
}

/** A name that the same transaction has whenever it is sent. */
export function nameOf(transaction: LedgerTransaction): string {
  switch (transaction.kind) {
    case 'batch':
      return `batch ${transaction.batch} of ${transaction.owner} of ${transaction.book}`;
    case 'own':
      return `own ${transaction.book} by ${transaction.owner}`;
    case 'rejected_order':
      return `rejected_order ${transaction.order.id}`;
    case 'cancelled':
      return `cancelled ${transaction.id} by ${transaction.book}`;
    case 'ledger_rules':
      return `ledger_rules ${transaction.version}`;
    default:
      return `${transaction.kind} ${transaction.id}`;
  }
}

/** Hash of what a transaction asks for: when it was asked for and by whom may differ when it is repeated. */
export function contentHash(transaction: LedgerTransaction): string {
  return sha256(JSON.stringify({ ...transaction, createdAt: undefined, event: undefined }));
}
