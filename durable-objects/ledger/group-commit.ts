import { sha256 } from '../../domain/ledger/journal-chain.ts';
import type { JournaledTransaction, JournalRow } from '../../domain/ledger/journal-row.ts';
import type { Ledger } from '../../domain/ledger/ledger.ts';
import type { LedgerOutcome, OutcomeOf } from '../../domain/ledger/outcomes.ts';
import { rowText, type TransactionText } from '../../domain/ledger/row-text.ts';
import type { LedgerTransaction } from '../../domain/ledger/transactions.ts';
import type { FailedTransaction, LedgerJournal } from './ledger-journal.ts';
import type { LedgerSettings } from './ledger-settings.ts';
import { contentHash, idOf, nameOf } from './repeated.ts';

/** Where a group commit can be killed; tests kill it at each. */
export type CommitPoint = 'before_apply' | 'after_journal' | 'before_answer' | 'before_abort';

/** What group commits need of the object that they run in. */
export interface CommitHost {
  readonly storage: DurableObjectStorage;
  readonly journal: LedgerJournal;
  readonly ledger: Ledger;
  readonly settings: LedgerSettings;
  now(): number;
  /** Whether D1 is too far behind for anything new to be admitted. */
  isBacklogged(): boolean;
  /** A row has been written; called in the same turn, so that an alarm set by it is as durable as the row. */
  journaled(row: JournalRow): void;
  /** Its callers have been answered, and the next group has not begun. */
  answered(): void;
  /** Memory has what the journal lacks: nothing of it may reach D1. */
  unusable(): void;
  /** Gives this instance up: memory and journal may differ. */
  abort(reason: string): never;
  /** Waits in tests only. */
  step(point: CommitPoint): Promise<void> | undefined;
}

/** The transaction could not be applied; nothing of it is in. */
export class TransactionFailed extends Error {
  override readonly name = 'TransactionFailed';
}

interface Queued extends TransactionText {
  readonly resolve: (outcome: LedgerOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** A shortage of memory passes and is not the fault of the transaction, which may be sent again. */
const IS_SHORTAGE = /allocation|out of memory/i;

/** A caller with its answer. */
type Answered = readonly [caller: Queued, answer: LedgerOutcome | TransactionFailed];

/**
 * The one way into the ledger. Transactions that wait are applied in their order and journaled as one row, in one turn, so that nobody
 * sees what is not journaled; their callers are answered once the row is on disk, and what has come meanwhile is the next group. One
 * that comes alone waits for nobody.
 */
export class GroupCommit {
  readonly #host: CommitHost;
  readonly #queue: Queued[] = [];
  readonly #failures: Map<string, FailedTransaction>;
  #queueBytes = 0;
  #running = false;
  /** Memory has what the journal lacks: nothing may be read or written any more. */
  #isUnusable = false;

  constructor(host: CommitHost) {
    this.#host = host;
    this.#failures = new Map(host.journal.failures().map((failure) => [failure.key, failure]));
  }

  /** What waits now. */
  get queued(): { readonly transactions: number; readonly bytes: number } {
    return { transactions: this.#queue.length, bytes: this.#queueBytes };
  }

  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /**
   * Resolves to the outcome once it is durable.
   *
   * @throws TransactionFailed when it could not be applied, now or when it was sent before; any other error leaves the outcome unknown
   */
  submit<T extends LedgerTransaction>(transaction: T, text: string): Promise<OutcomeOf[T['kind']]> {
    const { queueTransactionsMax, queueBytesMax } = this.#host.settings;
    if (this.#isUnusable) return Promise.reject(new Error('the ledger starts again'));
    const isFull = this.#queue.length >= queueTransactionsMax || this.#queueBytes + text.length > queueBytesMax;
    if (isFull && this.#queue.length > 0) return Promise.reject(new Error('the ledger is busy: nothing was done'));
    const answered = new Promise<LedgerOutcome>((resolve, reject) => {
      this.#queue.push({ transaction, text, resolve, reject });
      this.#queueBytes += text.length;
    });
    if (!this.#running) void this.#run();
    return answered as Promise<OutcomeOf[T['kind']]>;
  }

  async #run(): Promise<void> {
    this.#running = true;
    const { storage, step, answered } = this.#host;
    try {
      while (this.#queue.length > 0) {
        await step('before_apply');
        const answers = await this.#commit(this.#take());
        await step('after_journal');
        await storage.sync();
        await step('before_answer');
        for (const [caller, answer] of answers) {
          if (answer instanceof TransactionFailed) caller.reject(answer);
          else caller.resolve(answer);
        }
        // Answers leave before the next row is written: the output gate would hold them until that one is on disk, too.
        if (this.#queue.length > 0 || this.#host.journal.wantsCheckpoint(this.#host.settings)) await eventLoopTurn();
        answered();
      }
    } catch (error) {
      this.#isUnusable = true;
      this.#host.abort(`group commit failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#running = false;
  }

  #take(): Queued[] {
    const { groupTransactionsMax, groupBytesMax } = this.#host.settings;
    let count = 0;
    let bytes = 0;
    for (const { text } of this.#queue) {
      if (count === groupTransactionsMax || (count > 0 && bytes + text.length > groupBytesMax)) break;
      count += 1;
      bytes += text.length;
    }
    this.#queueBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  /** Applies and journals a group in one turn. What cannot be applied takes the whole group and this instance with it. */
  #commit(group: readonly Queued[]): Answered[] | Promise<never> {
    const { storage, journal } = this.#host;
    const applying: { queued: Queued | null } = { queued: null };
    try {
      const time = Math.max(journal.head.time, this.#host.now());
      const context = { time, backlogged: this.#host.isBacklogged() };
      const entries: (TransactionText & JournaledTransaction)[] = [];
      const answers = storage.transactionSync(() => {
        const answered = group.map((queued): Answered => {
          const known = this.#knownAnswer(queued);
          if (known !== null) return [queued, known];
          applying.queued = queued;
          const { changed, ...applied } = this.#host.ledger.apply(queued.transaction, context);
          const { outcome } = applied;
          applying.queued = null;
          if (changed) {
            entries.push({ transaction: queued.transaction, text: queued.text, ...applied });
            this.#keepAnswer(queued.transaction, outcome, time);
          }
          return [queued, outcome];
        });
        if (entries.length > 0)
          journal.append(time, rowText(time, context.backlogged, this.#host.ledger.rules.version, entries));
        return answered;
      });
      if (entries.length > 0) {
        const kept = entries.map(({ text: _, ...entry }) => entry);
        this.#host.journaled({ seq: journal.head.seq, time, entries: kept });
      }
      return answers;
    } catch (error) {
      this.#isUnusable = true;
      this.#host.unusable();
      return this.#giveUp(applying.queued, error instanceof Error ? error.message : String(error));
    }
  }

  /** The answer of one that was applied, or failed, before. */
  #knownAnswer({ transaction, text }: Queued): LedgerOutcome | TransactionFailed | null {
    const id = idOf(transaction);
    const kept = id === null ? null : this.#host.journal.answer(id);
    if (kept !== null) return kept.hash === contentHash(transaction) ? kept.outcome : { type: 'id_conflict' };
    const failure = this.#failures.get(nameOf(transaction));
    return failure !== undefined && failure.hash === sha256(text) ? new TransactionFailed(failure.message) : null;
  }

  #keepAnswer(transaction: LedgerTransaction, outcome: LedgerOutcome, time: number): void {
    const id = idOf(transaction);
    if (id !== null)
      this.#host.journal.keepAnswer(id, transaction.kind, { hash: contentHash(transaction), outcome }, time);
  }

  /**
   * Memory is half changed, and nothing of the group is journaled. The one at fault is remembered; the others will be sent again. An event of a register waits
   * for its answer before the next one begins, so an entry that failed is refused for good under its id.
   */
  async #giveUp(failing: Queued | null, message: string): Promise<never> {
    if (failing !== null && !IS_SHORTAGE.test(message)) {
      const { transaction, text } = failing;
      this.#host.journal.rememberFailure({ key: nameOf(transaction), hash: sha256(text), message });
      if (transaction.kind === 'register_entry')
        this.#keepAnswer(transaction, { type: 'failed' }, Math.max(this.#host.journal.head.time, this.#host.now()));
      await this.#host.storage.sync();
    }
    await this.#host.step('before_abort');
    return this.#host.abort(message);
  }
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
