import { uuidv7 } from 'uuidv7';
import type { JournaledTransaction, JournalRow } from '../../../domain/ledger/journal-row.ts';
import { Ledger } from '../../../domain/ledger/ledger.ts';
import type { OutcomeOf } from '../../../domain/ledger/outcomes.ts';
import type { DomainEvent, ReceivedLot } from '../../../domain/ledger/records.ts';
import type { LedgerTransaction, Transfer } from '../../../domain/ledger/transactions.ts';

/** A ledger with its journal, as a ledger object keeps them: what changed of each commit is one row. */
export class JournaledLedger {
  readonly ledger = new Ledger();
  readonly rows: JournalRow[] = [];
  /** Unix ms; each commit takes one more. */
  time = Date.UTC(2026, 10, 20, 12);

  /** One group commit; the outcome of each transaction. */
  commit<const T extends readonly LedgerTransaction[]>(
    ...transactions: T
  ): { -readonly [At in keyof T]: OutcomeOf[T[At]['kind']] } {
    this.time += 1;
    const entries: JournaledTransaction[] = [];
    const outcomes = transactions.map((transaction) => {
      const { outcome, changed } = this.ledger.apply(transaction, { time: this.time, backlogged: false });
      if (changed) entries.push({ transaction, outcome });
      return outcome;
    });
    if (entries.length > 0) this.rows.push({ seq: this.rows.length + 1, time: this.time, entries });
    return outcomes as { -readonly [At in keyof T]: OutcomeOf[T[At]['kind']] };
  }

  deposit(account: string, asset: string, amount: number, terms: Partial<Transfer> = {}): Transfer {
    const transfer = this.transfer('deposit', account, asset, amount, terms);
    this.commit(transfer);
    return transfer;
  }

  /** Shares, in a lot of each of these quantities, one day after another. */
  depositLots(
    account: string,
    asset: string,
    quantities: readonly number[],
    terms: Partial<ReceivedLot> = {},
  ): Transfer {
    const id = uuidv7();
    const lots = quantities.map((quantity, index) => ({
      id: `${id}.${index}`,
      account,
      quantity,
      cost: quantity * 50,
      acquiredAt: index * 86_400_000,
      restrictionEndsAt: null,
      offeringType: null,
      ...terms,
    }));
    const amount = quantities.reduce((sum, quantity) => sum + quantity, 0);
    return this.deposit(account, asset, amount, { id, tracksLots: true, lots, cost: amount * 50 });
  }

  transfer(
    type: Transfer['type'],
    account: string,
    asset: string,
    amount: number,
    terms: Partial<Transfer> = {},
  ): Transfer {
    return {
      kind: 'transfer',
      id: uuidv7(),
      type,
      account,
      asset,
      amount,
      cost: 0,
      tracksLots: false,
      lots: [],
      reference: null,
      createdAt: this.time,
      event: null,
      ...terms,
    };
  }

  grant(account: string, asset: string, amount: number): OutcomeOf['grant'] {
    const createdAt = this.time;
    return this.commit({ kind: 'grant', id: uuidv7(), account, asset, amount, createdAt, expect: [] })[0];
  }
}

export function operatorEvent(type: string, subject: string, createdAt: number): DomainEvent {
  return { id: uuidv7(), type, subject, payload: { actor: 'op', request_id: 'r', details: {} }, createdAt };
}
