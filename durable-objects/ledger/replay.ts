import { Ledger } from '../../domain/ledger/ledger.ts';
import type { JournalHead, LedgerJournal } from './ledger-journal.ts';
import { JournalBroken } from './ledger-journal.ts';

/**
 * The ledger as its checkpoint and journal say: every row must continue the chain, and give the outcomes that were answered.
 *
 * @param read told the head after each row
 * @throws JournalBroken at the first row or piece that does not fit
 */
export function replay(journal: LedgerJournal, read?: (head: JournalHead) => void): Ledger {
  const ledger = journal.checkpoint.seq > 0 ? restored(journal) : new Ledger();
  for (const { row, backlogged } of journal.replayRows(read)) {
    for (const { transaction, outcome } of row.entries) {
      const applied = applyAgain(row.seq, () => ledger.apply(transaction, { time: row.time, backlogged }));
      if (!applied.changed || JSON.stringify(applied.outcome) !== JSON.stringify(outcome))
        throw new JournalBroken(`replay of journal row ${row.seq} gave another outcome of a ${transaction.kind}`);
    }
  }
  return ledger;
}

function restored(journal: LedgerJournal): Ledger {
  try {
    return Ledger.restore(journal.pieces());
  } catch (error) {
    if (error instanceof JournalBroken) throw error;
    throw new JournalBroken(`the checkpoint cannot be read: ${messageOf(error)}`);
  }
}

function applyAgain<A>(seq: number, apply: () => A): A {
  try {
    return apply();
  } catch (error) {
    throw new JournalBroken(`journal row ${seq} cannot be replayed: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
