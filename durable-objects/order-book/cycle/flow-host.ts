import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import type { Journal, OutboxRow } from '../journal/journal.ts';
import type { Timer } from '../settlement/answer-watch.ts';
import type { BookLedger } from '../settlement/book-ledger.ts';
import type { CycleOutcome } from './book-state.ts';

/** Where a cycle can be killed; tests kill it at each. */
export type CyclePoint = 'before_commit' | 'after_commit' | 'after_journal' | 'before_answer';

/** What the cycle needs of the journal. */
type FlowJournal = Pick<
  Journal,
  'append' | 'settled' | 'halt' | 'haltReason' | 'outboxEnd' | 'wantsSnapshot' | 'writeSnapshot'
>;

/** What the cycle needs of the object it runs in. */
export interface FlowHost {
  readonly ledger: Pick<BookLedger, 'commit' | 'order'>;
  readonly journal: FlowJournal;
  /** This instance, as the fence names it. */
  readonly owner: string;
  now(): number;
  readonly timer: Timer;
  /** Makes sure that an alarm drains the outbox and expires orders, even after a crash. */
  scheduleAlarm(): void;
  /** Gives this instance up: another one owns the book, or memory and journal may differ. */
  abort(reason: string): never;
  /** An alarm for people: the book stands still until someone has looked. */
  alert(reason: string): void;
  /** Something to look into that the book gets over by itself. */
  warn(reason: string): void;
  /** A cycle has been journaled. */
  journaled(outcome: CycleOutcome): void;
  /** A command was checked under other rules of the market than this book has, or it takes none: one of the two may be behind. */
  rulesDiffer(): void;
  /** The ledger has these effects. */
  settled(chunks: readonly SettlementChunk[]): void;
  /** Waits in tests only, at the points where they kill. */
  step(point: CyclePoint): Promise<void> | undefined;
}

/** What the journal alone says. */
export interface FlowStart {
  /** The last outbox row that the ledger was known to have. */
  readonly confirmed: number;
  readonly outbox: readonly OutboxRow[];
  /** False when the journal could not be replayed: not even cancels may run. */
  readonly isStateRight: boolean;
}
