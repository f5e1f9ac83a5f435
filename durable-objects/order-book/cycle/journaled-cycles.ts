import type { JournalCommand } from '../journal/journal-entry.ts';
import type { Outbox } from '../settlement/outbox.ts';
import type { BookState, CycleOutcome } from './book-state.ts';
import { eventLoopTurn } from './event-loop-turn.ts';
import type { FlowHost } from './flow-host.ts';

/** Cycles of a book: each runs and is journaled in one turn, and its effects go to the outbox. */
export class JournaledCycles {
  readonly #host: Pick<FlowHost, 'abort' | 'journal' | 'now' | 'scheduleAlarm'>;
  readonly #journaled: FlowHost['journaled'];
  readonly #state: BookState;
  readonly #outbox: Outbox;
  readonly #isSuspended: () => boolean;
  #expiring: Promise<void> | null = null;

  /**
   * @param isSuspended whether the book stands still, so that nothing happens by itself
   * @param journaled hears of each cycle once it is journaled
   */
  constructor(
    host: Pick<FlowHost, 'abort' | 'journal' | 'now' | 'scheduleAlarm'>,
    state: BookState,
    outbox: Outbox,
    isSuspended: () => boolean,
    journaled: FlowHost['journaled'],
  ) {
    this.#host = host;
    this.#journaled = journaled;
    this.#state = state;
    this.#outbox = outbox;
    this.#isSuspended = isSuspended;
  }

  /** Taken once a cycle; never goes back. */
  get time(): number {
    return Math.max(this.#state.time, this.#host.now());
  }

  /** Whether something happens by itself now: an order expires, or a halt ends. */
  get isTimeDue(): boolean {
    const due = this.#state.nextDue;
    return due !== null && due <= this.time;
  }

  /** Runs and journals one cycle; nothing is written when nothing happened. A throw here gives the object up. */
  run(
    batch: number | null,
    commands: readonly JournalCommand[],
    time: number = this.time,
  ): Pick<CycleOutcome, 'outcomes'> {
    if (commands.length === 0 && !this.isTimeDue) return { outcomes: [] };
    try {
      const entry = { time, batch, commands };
      const outcome = this.#state.run(entry);
      this.#outbox.push(this.#host.journal.append(entry, outcome.chunks, () => this.#host.scheduleAlarm()));
      this.#journaled(outcome);
      return outcome;
    } catch (error) {
      return this.#host.abort(`journal failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Expires all that is due, and ends a halt, in cycles of their own; one such run at a time. */
  expire(): Promise<void> {
    this.#expiring ??= this.#runExpiries().finally(() => {
      this.#expiring = null;
    });
    return this.#expiring;
  }

  async #runExpiries(): Promise<void> {
    while (this.isTimeDue && !this.#isSuspended()) {
      this.run(null, []);
      if (this.isTimeDue) await eventLoopTurn();
    }
  }

  writeSnapshotIfDue(): void {
    const { journal } = this.#host;
    if (journal.wantsSnapshot(this.#state.orders.size)) journal.writeSnapshot(this.#state.snapshot());
  }
}
