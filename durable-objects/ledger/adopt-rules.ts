import type { Ledger } from '../../domain/ledger/ledger.ts';
import { rulesChange } from '../../domain/ledger/ledger-rules.ts';
import { rowText } from '../../domain/ledger/row-text.ts';
import type { LedgerRules } from '../../domain/ledger/rule-set.ts';
import type { LedgerJournal } from './ledger-journal.ts';

interface Adoption {
  readonly storage: DurableObjectStorage;
  readonly journal: LedgerJournal;
  /** As its journal says. */
  readonly ledger: Ledger;
  /** Of the code that runs. */
  readonly rules: LedgerRules;
  /** Unix ms. */
  readonly now: number;
}

/**
 * Brings a ledger that has recovered under the rules of this code, by a journal row of its own. Called before anybody is answered, so that
 * nothing is judged by rules that the journal does not name. False when they were in force already.
 */
export function adoptRules({ storage, journal, ledger, rules, now }: Adoption): boolean {
  const transaction = rulesChange(ledger.rules, rules);
  if (transaction === null) return false;
  const context = { time: Math.max(journal.head.time, now), backlogged: false };
  storage.transactionSync(() => {
    const { version } = ledger.rules;
    const { outcome } = ledger.apply(transaction, context);
    const entry = { transaction, text: JSON.stringify(transaction), outcome };
    journal.append(context.time, rowText(context.time, context.backlogged, version, [entry]));
  });
  return true;
}
