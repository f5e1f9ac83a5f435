import type { Engine, MassCancel } from '../engine/engine.ts';
import type { MassCancelCommand } from '../rpc/commands.ts';
import { eventLoopTurn } from './event-loop-turn.ts';
import type { JournaledCycles } from './journaled-cycles.ts';
import { idOf, type PendingCommand } from './pending-command.ts';

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
  /** Those that a broker is to end. */
  readonly pendingEnd: string[];
}

/** A part of a mass cancel that runs in one cycle. */
interface Slice {
  readonly command: MassCancel;
  readonly of: Running;
}

/** The open orders that a mass cancel means. */
export function ordersMeant({ account, keyId, side, relative }: MassCancelCommand, engine: Engine): string[] {
  if (relative === undefined || account === null) return engine.ordersOf(account, keyId, side);
  const naming = (owner: string, other: string) =>
    engine.ordersOf(owner).filter((orderId) => engine.order(orderId)?.family?.includes(other));
  return [...naming(account, relative), ...naming(relative, account)];
}

/** Mass cancels, run in slices. Each means the orders that were open when it began: what is placed later stays. */
export class MassCancels {
  readonly #cycles: JournaledCycles;
  #waiting: Running[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(cycles: JournaledCycles) {
    this.#cycles = cycles;
  }

  /** Whether slices run: what is begun now runs with them. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  begin(pending: PendingCommand, reason: MassCancel['reason'], orderIds: readonly string[]): void {
    this.#waiting.push({ pending, reason, orderIds, taken: 0, cancelled: [], pendingEnd: [] });
  }

  /** Runs slice by slice, the first at once, until every mass cancel is answered. */
  async run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#isStopped) {
      this.#runSlices(this.#takeSlices());
      this.#answer();
      if (this.#waiting.length === 0) break;
      await eventLoopTurn();
    }
    this.#isRunning = false;
  }

  /** Runs nothing any more: what is left of each is answered `unavailable`. */
  stop(): void {
    this.#isStopped = true;
    for (const { pending } of this.#waiting.splice(0))
      pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
  }

  #runSlices(slices: readonly Slice[]): void {
    const filled = slices.filter(({ command }) => command.orderIds.length > 0);
    const { outcomes } = this.#cycles.run(
      null,
      filled.map(({ command }) => command),
    );
    for (const [at, { of }] of filled.entries()) {
      const outcome = outcomes[at];
      if (outcome?.type !== 'mass_cancelled') continue;
      for (const orderId of outcome.orderIds) of.cancelled.push(orderId);
      for (const orderId of outcome.pendingOrderIds) of.pendingEnd.push(orderId);
    }
  }

  /** The slices of the next cycle, the oldest mass cancels first. */
  #takeSlices(): Slice[] {
    const slices: Slice[] = [];
    let left = MASS_CANCEL_ORDERS_PER_CYCLE_MAX;
    for (const of of this.#waiting) {
      if (left === 0) break;
      const orderIds = of.orderIds.slice(of.taken, of.taken + left);
      of.taken += orderIds.length;
      left -= orderIds.length;
      slices.push({ command: { type: 'mass_cancel', orderIds, reason: of.reason }, of });
    }
    return slices;
  }

  /** Answers those of which every slice is journaled. */
  #answer(): void {
    const done = this.#waiting.filter(({ taken, orderIds }) => taken === orderIds.length);
    this.#waiting = this.#waiting.filter(({ taken, orderIds }) => taken < orderIds.length);
    for (const { pending, cancelled, pendingEnd } of done)
      pending.answer({ type: 'mass_cancelled', orderIds: cancelled, pendingOrderIds: pendingEnd });
  }
}
