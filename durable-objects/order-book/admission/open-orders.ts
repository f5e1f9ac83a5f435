import { isImmediate, isStop } from '../engine/rules.ts';
import {
  type BookRefusal,
  OPEN_ORDERS_PER_ACCOUNT_MAX,
  OPEN_ORDERS_PER_BOOK_MAX,
  type PlaceCommand,
} from '../rpc/commands.ts';

/** How many orders are open in a book, in all and by account. */
export class OpenOrders {
  readonly #byAccount = new Map<string, number>();
  #total = 0;

  constructor(orders: Iterable<{ readonly account: string }> = []) {
    for (const { account } of orders) this.add(account);
  }

  get total(): number {
    return this.#total;
  }

  of(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }

  add(account: string): void {
    this.#byAccount.set(account, this.of(account) + 1);
    this.#total += 1;
  }

  remove(account: string): void {
    const left = this.of(account) - 1;
    if (left <= 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, left);
    this.#total -= 1;
  }
}

/** The room that a book has for further orders, as a batch is composed: orders of the batch count before they are admitted. */
export class OpenOrderRoom {
  readonly #open: OpenOrders;
  readonly #batch = new OpenOrders();

  constructor(open: OpenOrders) {
    this.#open = open;
  }

  /** Takes the place of an order that may rest; the refusal of one for which there is none. What never rests needs no room. */
  take({ account, terms }: Pick<PlaceCommand, 'account' | 'terms'>): BookRefusal | null {
    if (isImmediate(terms.type, terms.timeInForce) && !isStop(terms.type)) return null;
    if (this.#open.of(account) + this.#batch.of(account) >= OPEN_ORDERS_PER_ACCOUNT_MAX)
      return { reason: 'too_many_open_orders', of: 'account', openOrdersMax: OPEN_ORDERS_PER_ACCOUNT_MAX };
    if (this.#open.total + this.#batch.total >= OPEN_ORDERS_PER_BOOK_MAX)
      return { reason: 'too_many_open_orders', of: 'book', openOrdersMax: OPEN_ORDERS_PER_BOOK_MAX };
    this.#batch.add(account);
    return null;
  }
}
