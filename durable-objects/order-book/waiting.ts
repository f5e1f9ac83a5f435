import type { BookCommand, BookResult } from './api.ts';

/** A command that waits for its answer. */
export interface Waiting {
  readonly command: BookCommand;
  readonly since_ms: number;
  /** Whether it went through the queue; a cancel that overtakes does not. */
  readonly queued: boolean;
  /** Answered `unavailable` while its admission was still unknown: must be released, never matched. */
  abandoned: boolean;
  readonly answer: (result: BookResult) => void;
}

/** The id that an answer to this command carries. */
export function idOf(command: BookCommand): string {
  switch (command.type) {
    case 'place':
    case 'cancel':
    case 'amend':
      return command.orderId;
    case 'mass_cancel':
      return command.account ?? '';
  }
}

/**
 * Commands of one account keep their order. What needs no admission (cancels) may overtake only when nothing of its account is
 * queued or in flight (DESIGN 8).
 */
export class CommandQueue {
  readonly #queued: Waiting[] = [];
  readonly #pending = new Map<string | null, number>();
  #pendingTotal = 0;

  get length(): number {
    return this.#queued.length;
  }

  isBusy(account: string | null): boolean {
    return account === null ? this.#pendingTotal > 0 : this.#pending.has(account) || this.#pending.has(null);
  }

  push(waiting: Waiting): void {
    const account = waiting.command.account;
    this.#queued.push(waiting);
    this.#pending.set(account, (this.#pending.get(account) ?? 0) + 1);
    this.#pendingTotal += 1;
  }

  /**
   * The next commands of one cycle, oldest first, at most `count`. An amendment never shares the batch of a command on its order: its
   * extra hold is worked out from the order as it stands before the batch.
   */
  take(count: number): Waiting[] {
    const named = new Set<string>();
    let end = 0;
    for (; end < this.#queued.length && end < count; end++) {
      const command = this.#queued[end]?.command;
      if (command === undefined || (command.type === 'amend' && named.has(command.orderId))) break;
      if (command.type !== 'mass_cancel') named.add(command.orderId);
    }
    return this.#queued.splice(0, end);
  }

  /** A command that was taken is done, however it ended. */
  done(waiting: Waiting): void {
    const account = waiting.command.account;
    const left = (this.#pending.get(account) ?? 1) - 1;
    if (left === 0) this.#pending.delete(account);
    else this.#pending.set(account, left);
    this.#pendingTotal -= 1;
  }

  /** Takes out the commands that have waited since before `time_ms`. */
  takeOlderThan(time_ms: number): Waiting[] {
    let end = 0;
    while (end < this.#queued.length && (this.#queued[end]?.since_ms ?? time_ms) < time_ms) end += 1;
    const old = this.#queued.splice(0, end);
    for (const waiting of old) this.done(waiting);
    return old;
  }
}
