import type { ExistingOrder } from '../../../data/orders/existing-order.ts';
import { existingOrderOf, resultOfExisting } from '../admission/refusal.ts';
import type { BookCommand, BookResult } from '../rpc/commands.ts';
import type { BookState } from './book-state.ts';
import type { FlowHost } from './flow-host.ts';
import { idOf, UNAVAILABLE_AFTER_MS } from './pending-command.ts';

/** Readings of what became of an order, the first included, and the wait before the second; it doubles each time. */
const READ_TRIES_MAX = 6;
const READ_RETRY_MS_MIN = 20;

/** What answering from history needs of the flow. */
interface Settled {
  /** Whether everything journaled by now has settled within `timeout_ms`. */
  within(timeout_ms: number): Promise<boolean>;
  /** Nothing settles for now. */
  isSuspended(): boolean;
}

/** Answers of commands that do not run: what they would do is done, or their order has ended. */
export class KnownAnswers {
  readonly #ledger: FlowHost['ledger'];
  readonly #state: BookState;
  readonly #settled: Settled;

  constructor(ledger: FlowHost['ledger'], state: BookState, settled: Settled) {
    this.#ledger = ledger;
    this.#state = state;
    this.#settled = settled;
  }

  /** What the book itself knows of a command that it has run before; null when it knows nothing. */
  ofRepeated(command: BookCommand): BookResult | null {
    if (command.type === 'cancel' || command.type === 'mass_cancel' || command.type === 'convert') return null;
    const live = this.#state.orders.get(command.orderId);
    if (live === undefined) return null;
    if (command.type === 'place' || command.type === 'reject')
      return { type: 'done', report: this.#state.report(live) };
    if (!this.#state.amendments.has(command.amendmentId)) return null;
    if (this.#state.isReplacing(command.orderId)) return { type: 'done', report: this.#state.report(live) };
    return resultOfExisting(command, command.orderId, existingOrderOf(live), true);
  }

  /** The order has ended, or was refused: what became of it stands in D1, once this book's effects are there. */
  async ofEnded(command: BookCommand): Promise<BookResult> {
    const orderId = idOf(command);
    const isRepeated = command.type === 'amend' && this.#state.amendments.has(command.amendmentId);
    const live = this.#state.orders.get(orderId);
    if (live !== undefined) return resultOfExisting(command, orderId, existingOrderOf(live), isRepeated);
    const isPlacement = command.type === 'place' || command.type === 'reject';
    while (!(await this.#settled.within(UNAVAILABLE_AFTER_MS)))
      if (!isPlacement || this.#settled.isSuspended()) return { type: 'unavailable', orderId };
    return this.#ended(orderId, command.account).then(
      (order) => resultOfExisting(command, orderId, order, isRepeated),
      () => ({ type: 'unavailable', orderId }),
    );
  }

  /** A placement under rules of before may repeat one that was run under them, its answer lost: that is not judged again. */
  async ofStale(command: BookCommand): Promise<BookResult> {
    const orderId = idOf(command);
    const isSettled = await this.#settled.within(UNAVAILABLE_AFTER_MS);
    const order = isSettled ? await this.#ended(orderId, command.account).catch(() => null) : null;
    return order === null
      ? { type: 'refused', orderId, refusal: { reason: 'stale' } }
      : resultOfExisting(command, orderId, order, false);
  }

  /** What the read model has of an order. A ledger that is restarted is there again soon. */
  async #ended(orderId: string, account: string | null): Promise<ExistingOrder | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#ledger.order(orderId, account);
      } catch (error) {
        if (tries === READ_TRIES_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, READ_RETRY_MS_MIN * 2 ** (tries - 1)));
      }
    }
  }
}
