export interface ClientOrderIdsRest {
  readonly current: readonly (readonly [key: string, orderId: string])[];
  readonly previous: readonly (readonly [key: string, orderId: string])[];
  readonly open: readonly (readonly [orderId: string, key: string])[];
  readonly added: number;
}

/**
 * Which order of an account carries a client order id: those of open orders, and of the latest others. Kept in two generations; what is
 * still open moves on when the older one goes.
 */
export class ClientOrderIds {
  readonly #generationMax: number;
  #current = new Map<string, string>();
  #previous = new Map<string, string>();
  /** Keys by the orders that carry them and are open. */
  #open = new Map<string, string>();
  /** Since the generation began. What moved into it because it is open does not count: it would make every order begin another. */
  #added = 0;

  constructor(generationMax: number) {
    this.#generationMax = generationMax;
  }

  /** The order of this account that carries the id, or null. */
  orderOf(account: string, clientOrderId: string): string | null {
    const key = keyOf(account, clientOrderId);
    return this.#current.get(key) ?? this.#previous.get(key) ?? null;
  }

  add(account: string, clientOrderId: string, orderId: string, isOpen: boolean): void {
    if (this.#added >= this.#generationMax) this.#turn();
    this.#added += 1;
    const key = keyOf(account, clientOrderId);
    this.#current.set(key, orderId);
    if (isOpen) this.#open.set(orderId, key);
  }

  /** The order is final. One that was never matched (`wasReleased`) leaves its client order id to the attempt that follows. */
  ended(orderId: string, wasReleased: boolean): void {
    const key = this.#open.get(orderId);
    if (key === undefined) return;
    this.#open.delete(orderId);
    if (!wasReleased) return;
    this.#current.delete(key);
    this.#previous.delete(key);
  }

  /** Every client order id, with its account, and the order that carries it. */
  *entries(): Generator<readonly [key: string, orderId: string]> {
    yield* this.#current;
    yield* this.#previous;
  }

  rest(): ClientOrderIdsRest {
    return { current: [...this.#current], previous: [...this.#previous], open: [...this.#open], added: this.#added };
  }

  finish({ current, previous, open, added }: ClientOrderIdsRest): void {
    this.#current = new Map(current);
    this.#previous = new Map(previous);
    this.#open = new Map(open);
    this.#added = added;
  }

  #turn(): void {
    const open = [...this.#previous].filter(([, orderId]) => this.#open.has(orderId));
    this.#previous = this.#current;
    this.#current = new Map(open);
    this.#added = 0;
  }
}

function keyOf(account: string, clientOrderId: string): string {
  return `${account} ${clientOrderId}`;
}
