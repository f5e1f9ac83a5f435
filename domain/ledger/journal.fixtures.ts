import { batchText } from './batch-text.ts';
import { CHAIN_START, chainHash, type StoredRow } from './journal-chain.ts';
import { replayRow } from './journal-replay.ts';
import { Ledger } from './ledger.ts';
import { LEDGER_CODE } from './ledger-rules.ts';
import { rowOf, rowText } from './row-text.ts';
import type { LedgerTransaction } from './transactions.ts';

/** A ledger with its journal as it is stored, a row a transaction. */
export class StoredJournal {
  readonly ledger: Ledger;
  readonly rows: StoredRow[] = [];
  /** Of the ledger after each row, from the empty one on. */
  readonly stateHashes: string[];

  constructor(known = LEDGER_CODE.known) {
    this.ledger = new Ledger({}, known);
    this.stateHashes = [this.ledger.stateHash()];
  }

  commit(time: number, transaction: LedgerTransaction): void {
    const rules = this.ledger.rules.version;
    const { changed, ...applied } = this.ledger.apply(transaction, { time, backlogged: false });
    if (!changed) throw new Error(`fixture: a ${transaction.kind} changes nothing`);
    const payload = transaction.kind === 'batch' ? batchText(transaction) : JSON.stringify(transaction);
    this.append(time, rowText(time, false, rules, [{ transaction, text: payload, ...applied }]));
    this.stateHashes.push(this.ledger.stateHash());
  }

  /** Replays what another has journaled, and goes on after it. */
  goOnWith({ rows, stateHashes }: StoredJournal): void {
    for (const { time, text } of rows) {
      this.append(time, text);
      replayRow(this.ledger, rowOf(this.rows.length, text));
      this.stateHashes.push(this.ledger.stateHash());
    }
    if (this.stateHashes.join() !== stateHashes.join()) throw new Error('fixture: the replay differs');
  }

  append(time: number, text: string): void {
    const { seq, hash } = this.rows.at(-1) ?? CHAIN_START;
    this.rows.push({ seq: seq + 1, time, text, hash: chainHash(hash, text) });
  }
}
