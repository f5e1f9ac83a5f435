/** Orders that are remembered after their end; reports on older ones are breaks. */
const ENDED_ORDERS_MAX = 10_000;

/** The executions of orders that ended lately, so that what the broker says twice is known again. */
export class EndedOrders {
  readonly #executions: Map<string, readonly string[]>;

  constructor(ended: readonly (readonly [orderId: string, executions: readonly string[]])[] = []) {
    this.#executions = new Map(ended);
  }

  add(orderId: string, executions: readonly string[]): void {
    if (this.#executions.size >= ENDED_ORDERS_MAX) this.#executions.delete(this.#executions.keys().next().value ?? '');
    this.#executions.set(orderId, executions);
  }

  /** Ids of its executions; undefined for an order that is not remembered. */
  executionsOf(orderId: string): readonly string[] | undefined {
    return this.#executions.get(orderId);
  }

  toArray(): (readonly [orderId: string, executions: readonly string[]])[] {
    return [...this.#executions];
  }
}
