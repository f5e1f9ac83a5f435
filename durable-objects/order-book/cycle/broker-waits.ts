import { isFinal } from '../../../domain/order-state/order-state.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import { existingOrderOf, reportOfExisting, resultOfExisting } from '../admission/refusal.ts';
import type { BookResult, OrderReport } from '../rpc/commands.ts';
import type { Timer } from '../settlement/answer-watch.ts';
import type { CycleOutcome } from './book-state.ts';
import type { PendingCommand } from './pending-command.ts';

/** How long a command waits for the broker to say what came of it. */
const CONFIRMED_WITHIN_MS = 2_000;

interface Wait {
  readonly pending: PendingCommand;
  readonly callOff: () => void;
}

/** Cancels and amendments of orders that a broker has: each is answered when the broker has said what came of it, or after a time as the order stands. */
export class BrokerWaits {
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
        this.#keep(orderId, (other) => other !== wait);
        const standing = report();
        pending.answer(standing === null ? { type: 'unavailable', orderId } : { type: 'done', report: standing });
      }),
    };
    const others = this.#waits.get(orderId);
    if (others === undefined) this.#waits.set(orderId, [wait]);
    else others.push(wait);
  }

  /**
   * A cycle may have what is waited for: orders have other terms, or keep theirs, or have ended, as was wanted or otherwise.
   *
   * @param report a live order as it stands
   */
  heard(
    { events, ended }: Pick<CycleOutcome, 'events' | 'ended'>,
    report: (orderId: string) => OrderReport | null,
  ): void {
    if (this.#waits.size === 0) return;
    const endedById = new Map(ended.map((order) => [order.orderId, order]));
    for (const event of events) {
      if (event.type !== 'replaced' && event.type !== 'replace_rejected') continue;
      const { orderId } = event;
      const last = endedById.get(orderId);
      const standing = last === undefined ? report(orderId) : reportOfExisting(existingOrderOf(last));
      if (standing !== null) this.#answerAmendments(orderId, amended(event.type === 'replaced', standing));
    }
    for (const order of ended) this.#answer(order.orderId, (pending) => resultOfEnd(pending, order));
  }

  #answerAmendments(orderId: string, result: BookResult): void {
    this.#answer(orderId, ({ command }) => (command.type === 'amend' ? result : null));
  }

  /** Those for which there is an answer wait no longer. */
  #answer(orderId: string, resultOf: (pending: PendingCommand) => BookResult | null): void {
    for (const wait of this.#waits.get(orderId) ?? []) {
      const result = resultOf(wait.pending);
      if (result === null) continue;
      this.#keep(orderId, (other) => other !== wait);
      wait.callOff();
      wait.pending.answer(result);
    }
  }

  #keep(orderId: string, isKept: (wait: Wait) => boolean): void {
    const left = (this.#waits.get(orderId) ?? []).filter(isKept);
    if (left.length === 0) this.#waits.delete(orderId);
    else this.#waits.set(orderId, left);
  }
}

function amended(isReplaced: boolean, report: OrderReport): BookResult {
  if (isReplaced) return { type: 'done', report };
  const { orderId, status } = report;
  const cause = isFinal(status) ? 'final' : 'refused_by_broker';
  return { type: 'refused', orderId, refusal: { reason: 'order_not_modifiable', status, cause } };
}

function resultOfEnd({ command }: PendingCommand, order: LedgerOrder): BookResult {
  const ended = existingOrderOf(order);
  return command.type === 'cancel' && order.status === 'cancelled'
    ? { type: 'done', report: reportOfExisting(ended) }
    : resultOfExisting(command, order.orderId, ended, true);
}
