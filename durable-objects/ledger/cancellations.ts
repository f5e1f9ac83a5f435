import type { PendingCancellation } from '../../domain/ledger/outcomes.ts';

/** Books that are asked at the same time. */
const BOOKS_MAX = 4;
/** Whoever asked for it cancels at once and tells people which orders that were; what is still pending after this is left to the ledger. */
const LEFT_AFTER_MS = 1_000;
/** A book that does not answer has failed; what it does of it later does no harm. */
const BOOK_WAIT_MS = 5_000;
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

/** Who waits to ask a book, and how often it has asked before. */
interface Waiting {
  readonly tries: number;
  readonly go: () => void;
}

/**
 * Sees to it that every book cancels what a change of facts or a revocation asked of it, however often that takes. Cancelling twice
 * does no harm. Each book is seen to by itself, and who asks for the first time goes first: a book that fails holds up no other.
 */
export class Cancellations {
  readonly #host: CancellationHost;
  /** What is seen to, by id and book. */
  readonly #seenTo = new Set<string>();
  #free = BOOKS_MAX;
  readonly #waiting: Waiting[] = [];
  /** What is left to whoever asked for it, by id and book. */
  readonly #left = new Set<string>();

  constructor(host: CancellationHost) {
    this.#host = host;
  }

  /** Sees to what has become pending, once whoever asked for it has had the time to. */
  kick(): void {
    const tasks = this.#newTasks();
    if (tasks.length === 0) return;
    for (const task of tasks) this.#left.add(keyOf(task));
    setTimeout(() => {
      for (const task of tasks) this.#left.delete(keyOf(task));
      const pending = new Set(this.#newTasks().map(keyOf));
      for (const task of tasks) if (pending.has(keyOf(task))) void this.#seeTo(task);
    }, LEFT_AFTER_MS);
  }

  /** Sees to what nobody else does. */
  kickAtOnce(): void {
    for (const task of this.#newTasks()) void this.#seeTo(task);
  }

  /** What is pending, and neither seen to nor left to whoever asked for it. */
  #newTasks(): Task[] {
    return this.#host
      .pending()
      .flatMap((pending) => pending.books.map((book): Task => ({ pending, book })))
      .filter((task) => !this.#seenTo.has(keyOf(task)) && !this.#left.has(keyOf(task)));
  }

  async #seeTo(task: Task): Promise<void> {
    this.#seenTo.add(keyOf(task));
    let delay_ms = RETRY_DELAY_MS_MIN;
    for (let tries = 0; ; tries++) {
      await this.#turn(tries);
      const isDone = await this.#isDone(task);
      this.#next();
      // Nothing is pending in a ledger that has stopped.
      if (isDone || this.#host.pending().length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
    }
    this.#seenTo.delete(keyOf(task));
  }

  /** Resolves when one more book may be asked. */
  #turn(tries: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((go) => {
      const behind = this.#waiting.findIndex((other) => other.tries > tries);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { tries, go });
    });
  }

  #next(): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#free += 1;
    else waiting.go();
  }

  async #isDone({ pending: { id, account, keyIds }, book }: Task): Promise<boolean> {
    try {
      for (const keyId of keyIds ?? [null])
        if (!(await within(BOOK_WAIT_MS, this.#host.cancelIn(book, account, keyId)))) return false;
      await this.#host.confirm(id, book);
      return true;
    } catch (error) {
      this.#host.warn(`book ${book}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}

function keyOf({ pending, book }: Task): string {
  return `${pending.id} ${book}`;
}

/** @throws Error after `ms`; what the call comes to then is told to nobody */
function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
