import { JournalBroken } from '../../domain/ledger/journal-chain.ts';
import { replayRow } from '../../domain/ledger/journal-replay.ts';
import { Ledger } from '../../domain/ledger/ledger.ts';
import type { LedgerCode } from '../../domain/ledger/ledger-rules.ts';
import type { JournalHead, LedgerJournal } from './ledger-journal.ts';

/**
 * The ledger as its checkpoint and journal say: every row must continue the chain, and give the outcomes that were answered.
 *
 * @param read told the head after each row
 * @throws JournalBroken at the first row or piece that does not fit, or is of rules that this code does not have
 */
export function replay(journal: LedgerJournal, { known }: LedgerCode, read?: (head: JournalHead) => void): Ledger {
  const ledger = journal.checkpoint.seq > 0 ? restored(journal, known) : new Ledger({}, known);
  for (const row of journal.replayRows(read)) replayRow(ledger, row);
  return ledger;
}

function restored(journal: LedgerJournal, known: LedgerCode['known']): Ledger {
  try {
    return Ledger.restore(journal.pieces(), known);
  } catch (error) {
    if (error instanceof JournalBroken) throw error;
    throw new JournalBroken(`the checkpoint cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
