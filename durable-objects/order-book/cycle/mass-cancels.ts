import type { MassCancel } from '../engine/engine.ts';
import type { PendingCommand } from './pending-command.ts';

/** Orders that mass cancels end in one cycle; other commands go on between two cycles. */
const MASS_CANCEL_ORDERS_PER_CYCLE_MAX = 5_000;

/** A mass cancel on its way. */
interface Running {
  readonly pending: PendingCommand;
  readonly reason: MassCancel['reason'];
  /** Those that were open when it began, in their order. */
  readonly orderIds: readonly string[];
  /** How many of them have been in a slice. */
  taken: number;
  readonly cancelled: string[];
}

/** A part of a mass cancel that runs in one cycle. */
export interface Slice {
  readonly command: MassCancel;
  readonly of: Running;
}

/** Mass cancels, cut into slices. Each means the orders that were open when it began: what is placed later stays. */
export class MassCancels {
  #running: Running[] = [];

  get isEmpty(): boolean {
    return this.#running.length === 0;
  }

  begin(pending: PendingCommand, reason: MassCancel['reason'], orderIds: readonly string[]): void {
    this.#running.push({ pending, reason, orderIds, taken: 0, cancelled: [] });
  }

  /** The slices of the next cycle, the oldest mass cancels first. */
  take(): Slice[] {
    const slices: Slice[] = [];
    let left = MASS_CANCEL_ORDERS_PER_CYCLE_MAX;
    for (const of of this.#running) {
      if (left === 0) break;
      const orderIds = of.orderIds.slice(of.taken, of.taken + left);
      of.taken += orderIds.length;
      left -= orderIds.length;
      slices.push({ command: { type: 'mass_cancel', orderIds, reason: of.reason }, of });
    }
    return slices;
  }

  /** A slice has been journaled. */
  journaled({ of }: Slice, orderIds: readonly string[]): void {
    for (const orderId of orderIds) of.cancelled.push(orderId);
  }

  /** Takes out all of them, whatever is left of each. */
  giveUp(): PendingCommand[] {
    return this.#running.splice(0).map(({ pending }) => pending);
  }

  /** Answers those of which every slice is journaled. */
  answer(): void {
    const done = this.#running.filter(({ taken, orderIds }) => taken === orderIds.length);
    this.#running = this.#running.filter(({ taken, orderIds }) => taken < orderIds.length);
    for (const { pending, cancelled } of done) pending.answer({ type: 'mass_cancelled', orderIds: cancelled });
  }
}
