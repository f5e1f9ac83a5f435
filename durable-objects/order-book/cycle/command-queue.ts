import { idOf, type PendingCommand } from './pending-command.ts';

/**
 * Commands of one account keep their order. What needs no admission (cancels) may overtake only when nothing of its account is
 * queued or in flight (docs/design/order-path.md#command-order).
 */
export class CommandQueue {
  readonly #queued: PendingCommand[] = [];
  readonly #pending = new Map<string | null, number>();
  #pendingTotal = 0;

  get length(): number {
    return this.#queued.length;
  }

  isBusy(account: string | null): boolean {
    return account === null ? this.#pendingTotal > 0 : this.#pending.has(account) || this.#pending.has(null);
  }

  push(pending: PendingCommand): void {
    const account = pending.command.account;
    this.#queued.push(pending);
    this.#pending.set(account, (this.#pending.get(account) ?? 0) + 1);
    this.#pendingTotal += 1;
  }

  /**
   * The next commands of one cycle, oldest first, at most `count`. An amendment never shares the batch of a command on its order: its
   * extra hold is worked out from the order as it stands before the batch. A mass cancel is the last of its batch: it runs after it, in
   * slices.
   */
  take(count: number): PendingCommand[] {
    /** Orders that amendments of the batch name, or that were named before the first of them. */
    let named: Set<string> | null = null;
    let end = 0;
    while (end < this.#queued.length && end < count) {
      const command = this.#queued[end]?.command;
      if (command === undefined) break;
      if (command.type === 'amend') {
        named ??= new Set(this.#queued.slice(0, end).map((pending) => idOf(pending.command)));
        if (named.has(command.orderId)) break;
      }
      end += 1;
      if (command.type === 'mass_cancel') break;
      named?.add(command.orderId);
    }
    return this.#queued.splice(0, end);
  }

  /** A command that was taken is done, however it ended. */
  done(pending: PendingCommand): void {
    const account = pending.command.account;
    const left = (this.#pending.get(account) ?? 1) - 1;
    if (left === 0) this.#pending.delete(account);
    else this.#pending.set(account, left);
    this.#pendingTotal -= 1;
  }

  /** Takes out the commands that have waited since before `time_ms`. */
  takeOlderThan(time_ms: number): PendingCommand[] {
    let end = 0;
    while (end < this.#queued.length && (this.#queued[end]?.since_ms ?? time_ms) < time_ms) end += 1;
    const old = this.#queued.splice(0, end);
    for (const pending of old) this.done(pending);
    return old;
  }
}
