import type { AuditRow } from '../../../data/audit/audit-check.ts';
import type { Fill } from '../../../data/orders/settled-trades.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import type { JournalEntry } from '../../../durable-objects/order-book/journal/journal-entry.ts';
import type { BookRow } from '../lobster/book-file.ts';
import type { RowDifference } from '../lobster/row-difference.ts';
import type { ReplayCommand } from '../plan.ts';

/**
 * What the replay says to the Worker that runs the order book, one POST with a JSON body per call: the path is the call's name, the
 * body its `ask`, the response its `answer`.
 */
export interface ReplayCalls {
  /** Creates market, accounts and what they own. */
  open: { ask: OpenMarket; answer: Record<string, never> };
  /** Commands without comparing, at most as many as a book takes in one call. */
  submit: { ask: { commands: readonly ReplayCommand[] }; answer: Record<string, never> };
  /** Steps one by one, each compared with its row before the next begins. */
  steps: { ask: ComparedSteps; answer: { differences: StepDifference[] } };
  /** Waits until everything has settled in D1, then audits the ledger. */
  close: { ask: Record<string, never>; answer: ClosedMarket };
  /** Settled trades after a sequence; none when there are no more. */
  fills: { ask: { after: number }; answer: { fills: Fill[] } };
  /** Rows of the book's journal after a sequence; none when there are no more. */
  journal: { ask: { after: number }; answer: { market: BookMarket; rows: JournalRow[] } };
}

export interface OpenMarket {
  /** Scaled by 10,000, as all prices of the replay. */
  readonly tickSize: number;
  /** What each account gets, in quote units and shares. */
  readonly cash: number;
  readonly shares: number;
}

export interface ComparedSteps {
  /** Index of the first step. */
  readonly from: number;
  /** Levels a side to compare. */
  readonly levels: number;
  readonly steps: readonly { readonly commands: readonly ReplayCommand[]; readonly row: BookRow }[];
}

interface StepDifference {
  readonly step: number;
  readonly difference: RowDifference;
}

interface ClosedMarket {
  readonly audit: readonly AuditRow[];
  readonly stateHash: string;
  /** Why the book stands still; null when it does not. */
  readonly halted: string | null;
}

export interface JournalRow {
  readonly seq: number;
  readonly entry: JournalEntry;
}
