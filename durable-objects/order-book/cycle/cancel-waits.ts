import type { LedgerOrder } from '../admission/ledger-order.ts';
import { existingOrderOf, reportOfExisting, resultOfExisting } from '../admission/refusal.ts';
import type { OrderReport } from '../rpc/commands.ts';
import type { Timer } from '../settlement/answer-watch.ts';
import type { PendingCommand } from './pending-command.ts';

/** How long a cancel waits for the broker to say that the order has ended. */
const CONFIRMED_WITHIN_MS = 2_000;

interface Wait {
  readonly pending: PendingCommand;
  readonly callOff: () => void;
}

/** Cancels of orders that a broker is to end: each is answered when its order has ended, or after a time as the order stands. */
export class CancelWaits {
  readonly #timer: Timer;
  readonly #waits = new Map<string, Wait[]>();

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /** @param report the order as it stands when it is asked for */
  add(pending: PendingCommand, orderId: string, report: () => OrderReport | null): void {
    const wait: Wait = {
      pending,
      callOff: this.#timer(CONFIRMED_WITHIN_MS, () => {
        this.#forget(orderId, wait);
        const standing = report();
        pending.answer(standing === null ? { type: 'unavailable', orderId } : { type: 'done', report: standing });
      }),
    };
    const others = this.#waits.get(orderId);
    if (others === undefined) this.#waits.set(orderId, [wait]);
    else others.push(wait);
  }

  /** These orders have ended: cancelled as was wanted, or otherwise before that. */
  ended(orders: readonly LedgerOrder[]): void {
    if (this.#waits.size === 0) return;
    for (const order of orders) {
      for (const { pending, callOff } of this.#waits.get(order.orderId) ?? []) {
        callOff();
        const ended = existingOrderOf(order);
        pending.answer(
          order.status === 'cancelled'
            ? { type: 'done', report: reportOfExisting(ended) }
            : resultOfExisting(pending.command, order.orderId, ended, false),
        );
      }
      this.#waits.delete(order.orderId);
    }
  }

  #forget(orderId: string, wait: Wait): void {
    const left = (this.#waits.get(orderId) ?? []).filter((other) => other !== wait);
    if (left.length === 0) this.#waits.delete(orderId);
    else this.#waits.set(orderId, left);
  }
}
