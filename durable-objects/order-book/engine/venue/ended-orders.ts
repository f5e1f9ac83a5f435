import type { KnownExecution } from './venue-engine.ts';

/** Orders that are remembered after their end, and their executions; reports on older ones are breaks. */
const ENDED_ORDERS_MAX = 10_000;
const EXECUTIONS_MAX = 100_000;

/** The executions of orders that ended lately, so that what the broker says twice is known again. */
export class EndedOrders {
  readonly #executions: Map<string, readonly KnownExecution[]>;
  #count = 0;

  constructor(ended: readonly (readonly [orderId: string, executions: readonly KnownExecution[]])[] = []) {
    this.#executions = new Map(ended);
    for (const executions of this.#executions.values()) this.#count += executions.length;
  }

  /** The latest is remembered whole, whatever it has. */
  add(orderId: string, executions: readonly KnownExecution[]): void {
    for (const [oldest, { length }] of this.#executions) {
      if (this.#executions.size < ENDED_ORDERS_MAX && this.#count + executions.length <= EXECUTIONS_MAX) break;
      this.#executions.delete(oldest);
      this.#count -= length;
    }
    this.#executions.set(orderId, executions);
    this.#count += executions.length;
  }

  /** Its executions; undefined for an order that is not remembered. */
  executionsOf(orderId: string): readonly KnownExecution[] | undefined {
    return this.#executions.get(orderId);
  }

  toArray(): (readonly [orderId: string, executions: readonly KnownExecution[]])[] {
    return [...this.#executions];
  }
}
