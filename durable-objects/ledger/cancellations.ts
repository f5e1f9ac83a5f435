import type { PendingCancellation } from '../../domain/ledger/outcomes.ts';

/** Books that are asked at the same time. */
const BOOKS_MAX = 4;
/** Whoever asked for it cancels at once and tells people which orders that were; what is still pending after this is left to the ledger. */
const LEFT_AFTER_MS = 1_000;
const RETRY_DELAY_MS_MIN = 20;
const RETRY_DELAY_MS_MAX = 5_000;

export interface CancellationHost {
  pending(): readonly PendingCancellation[];
  /** Cancels what the account (of this key alone, if there is one) has open in the book. False when the book cannot do it yet. */
  cancelIn(book: string, account: string, keyId: string | null): Promise<boolean>;
  /** The book has cancelled all that it was asked to. */
  confirm(id: string, book: string): Promise<void>;
  warn(reason: string): void;
}

interface Task {
  readonly pending: PendingCancellation;
  readonly book: string;
}

/**
 * Sees to it that every book cancels what a change of facts or a revocation asked of it, however often that takes. Cancelling twice
 * does no harm.
 */
export class Cancellations {
  readonly #host: CancellationHost;
  #running = false;

  constructor(host: CancellationHost) {
    this.#host = host;
  }

  /** Sees to what is pending, once whoever asked for it has had the time to. */
  kick(): void {
    this.#runAfter(LEFT_AFTER_MS);
  }

  /** Sees to what nobody else does. */
  kickAtOnce(): void {
    this.#runAfter(0);
  }

  #runAfter(delay_ms: number): void {
    if (!this.#running && this.#host.pending().length > 0) void this.#run(delay_ms);
  }

  async #run(delayBefore_ms: number): Promise<void> {
    this.#running = true;
    await new Promise((resolve) => setTimeout(resolve, delayBefore_ms));
    let delay_ms = RETRY_DELAY_MS_MIN;
    for (;;) {
      const tasks = this.#host.pending().flatMap((pending) => pending.books.map((book): Task => ({ pending, book })));
      if (tasks.length === 0) break;
      if (await this.#runAll(tasks)) continue;
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
    }
    this.#running = false;
  }

  /** Whether every one of them is done. */
  async #runAll(tasks: Task[]): Promise<boolean> {
    let allDone = true;
    const work = async (): Promise<void> => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
        if (!(await this.#isDone(task))) allDone = false;
    };
    await Promise.all(Array.from({ length: BOOKS_MAX }, work));
    return allDone;
  }

  async #isDone({ pending: { id, account, keyIds }, book }: Task): Promise<boolean> {
    try {
      for (const keyId of keyIds ?? [null]) if (!(await this.#host.cancelIn(book, account, keyId))) return false;
      await this.#host.confirm(id, book);
      return true;
    } catch (error) {
      this.#host.warn(`book ${book}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}
