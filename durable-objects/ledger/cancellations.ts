import type { PendingCancellation } from '../../domain/ledger/outcomes.ts';
import type { MassCancelCommand } from '../order-book/api.ts';

/** Books that are asked at the same time. */
const BOOKS_MAX = 4;
/** The caller cancels at once by itself, to answer which orders that were. After this the ledger takes over what is still pending. */
const LEFT_AFTER_MS = 1_000;
/** A book that has not answered by then counts as failed. What it still does later does no harm. */
const BOOK_WAIT_MS = 5_000;
const RETRY_DELAY_MS_MIN = 20;
const RETRY_DELAY_MS_MAX = 5_000;

/** Which open orders a book cancels. */
export type CancelledOrders = Omit<MassCancelCommand, 'type' | 'reason'>;

export interface CancellationHost {
  pending(): readonly PendingCancellation[];
  /** Cancels these open orders in the book. False when the book cannot do it yet. */
  cancelIn(book: string, orders: CancelledOrders): Promise<boolean>;
  /** The book has cancelled all that it was asked to. */
  confirm(id: string, book: string): Promise<void>;
  warn(reason: string): void;
}

interface Task {
  readonly pending: PendingCancellation;
  readonly book: string;
}

/** A request to a book that waits for its turn, and how often it was made before. */
interface Waiting {
  readonly tries: number;
  readonly go: () => void;
}

/**
 * Asks each book to cancel what a change of facts or a revocation requires, until it has (docs/design/ledger.md#cancellations).
 * Cancelling twice does no harm. Each book is asked by itself, and first requests go first: a book that fails holds up no other.
 */
export class Cancellations {
  readonly #host: CancellationHost;
  /** Books that this object is asking, by id and book. */
  readonly #seenTo = new Set<string>();
  #free = BOOKS_MAX;
  readonly #waiting: Waiting[] = [];
  /** Books that are still left to the caller, by id and book. */
  readonly #left = new Set<string>();

  constructor(host: CancellationHost) {
    this.#host = host;
  }

  /** Takes over what has become pending, once its caller has had the time to cancel. */
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

  /** Takes over at once what no caller cancels. */
  kickAtOnce(): void {
    for (const task of this.#newTasks()) void this.#seeTo(task);
  }

  /** What is pending, is not being asked for, and is not left to a caller. */
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

  async #isDone({ pending: { id, account, keyIds, side, relative }, book }: Task): Promise<boolean> {
    try {
      for (const keyId of keyIds ?? [null]) {
        const orders = { account, keyId, side: side ?? null, ...(relative === undefined ? {} : { relative }) };
        if (!(await within(BOOK_WAIT_MS, this.#host.cancelIn(book, orders)))) return false;
      }
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

/** @throws Error after `ms`; the later result of the call is dropped */
function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
