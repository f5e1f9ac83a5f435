import { batchText } from './batch-text.ts';
import { CHAIN_START, chainHash, type StoredRow } from './journal-chain.ts';
import { Ledger } from './ledger.ts';
import { rowText } from './row-text.ts';
import type { LedgerTransaction } from './transactions.ts';

/** A ledger with its journal as it is stored, a row a transaction. */
export class StoredJournal {
  readonly ledger = new Ledger();
  readonly rows: StoredRow[] = [];
  /** Of the ledger after each row, from the empty one on. */
  readonly stateHashes: string[] = [this.ledger.stateHash()];

  commit(time: number, transaction: LedgerTransaction): void {
    const { outcome, changed } = this.ledger.apply(transaction, { time, backlogged: false });
    if (!changed) throw new Error(`fixture: a ${transaction.kind} changes nothing`);
    const payload = transaction.kind === 'batch' ? batchText(transaction) : JSON.stringify(transaction);
    this.append(time, rowText(time, false, [{ transaction, text: payload, outcome }]));
    this.stateHashes.push(this.ledger.stateHash());
  }

  append(time: number, text: string): void {
    const { seq, hash } = this.rows.at(-1) ?? CHAIN_START;
    this.rows.push({ seq: seq + 1, time, text, hash: chainHash(hash, text) });
  }
}
