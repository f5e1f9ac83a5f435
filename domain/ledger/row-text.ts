import { batchOfPacked } from './batch-text.ts';
import type { JournaledTransaction, JournalRow, SaleCost } from './journal-row.ts';
import { FIRST_RULES } from './ledger-rules.ts';
import type { LedgerOutcome } from './outcomes.ts';
import type { PackedRecord } from './record-codec.ts';
import type { LedgerTransaction } from './transactions.ts';

/** A transaction as it was handed in: `text` is a batch's `batchText`, and the JSON of any other. */
export interface TransactionText {
  readonly transaction: LedgerTransaction;
  readonly text: string;
}

/** A journaled row with what its replay needs beside it. */
export interface ReplayRow {
  readonly row: JournalRow;
  /** What its transactions were applied under. */
  readonly backlogged: boolean;
  /** Version of the rules that were in force when its first transaction was applied. */
  readonly rules: number;
}

/** The text of one journal row. Texts of transactions go in as they came: nothing is packed a second time. */
export function rowText(
  time: number,
  backlogged: boolean,
  rules: number,
  entries: readonly (TransactionText & Omit<JournaledTransaction, 'transaction'>)[],
): string {
  const texts = entries.map(({ transaction, text, outcome, saleCosts }) => {
    const told = saleCosts === undefined ? '' : `,${JSON.stringify(saleCosts)}`;
    return `["${transaction.kind}",${text},${JSON.stringify(outcome)}${told}]`;
  });
  return `{"time":${time},"backlogged":${backlogged},"rules":${rules},"entries":[${texts.join()}]}`;
}

type EntryFields = [
  kind: LedgerTransaction['kind'],
  payload: unknown,
  outcome: LedgerOutcome,
  saleCosts?: readonly SaleCost[],
];

/** The row of a `rowText`. */
export function rowOf(seq: number, text: string): ReplayRow {
  const { time, backlogged, rules, entries } = JSON.parse(text) as {
    time: number;
    backlogged: boolean;
    rules?: number;
    entries: EntryFields[];
  };
  return { row: { seq, time, entries: entries.map(entryOf) }, backlogged, rules: rules ?? FIRST_RULES.version };
}

function entryOf([kind, payload, outcome, saleCosts]: EntryFields): JournaledTransaction {
  const transaction = kind === 'batch' ? batchOfPacked(payload as PackedRecord) : (payload as LedgerTransaction);
  return { transaction, outcome, ...(saleCosts === undefined ? {} : { saleCosts }) };
}
