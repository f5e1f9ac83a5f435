import { type Market, takesIndications } from '../../../domain/markets/market.ts';
import { isImmediate, isStop } from '../engine/rules.ts';
import {
  type BookRefusal,
  INDICATIONS_PER_ACCOUNT_MAX,
  INDICATIONS_PER_ASSET_MAX,
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

/** How many orders may be open in a book: of one account, and in all. */
type OpenOrdersMax = Readonly<Record<'account' | 'book', number>>;

const OPEN_ORDERS_MAX: OpenOrdersMax = { account: OPEN_ORDERS_PER_ACCOUNT_MAX, book: OPEN_ORDERS_PER_BOOK_MAX };
const INDICATIONS_MAX: OpenOrdersMax = { account: INDICATIONS_PER_ACCOUNT_MAX, book: INDICATIONS_PER_ASSET_MAX };

export function openOrdersMaxOf(market: Pick<Market, 'route'>): OpenOrdersMax {
  return takesIndications(market) ? INDICATIONS_MAX : OPEN_ORDERS_MAX;
}

/** The room that a book has for further orders, as a batch is composed: orders of the batch count before they are admitted. */
export class OpenOrderRoom {
  readonly #open: OpenOrders;
  readonly #max: OpenOrdersMax;
  readonly #batch = new OpenOrders();

  constructor(open: OpenOrders, max: OpenOrdersMax = OPEN_ORDERS_MAX) {
    this.#open = open;
    this.#max = max;
  }

  /** Takes the place of an order that may rest; the refusal of one for which there is none. What never rests needs no room. */
  take({ account, terms }: Pick<PlaceCommand, 'account' | 'terms'>): BookRefusal | null {
    if (isImmediate(terms.type, terms.timeInForce) && !isStop(terms.type)) return null;
    if (this.#open.of(account) + this.#batch.of(account) >= this.#max.account)
      return { reason: 'too_many_open_orders', of: 'account', openOrdersMax: this.#max.account };
    if (this.#open.total + this.#batch.total >= this.#max.book)
      return { reason: 'too_many_open_orders', of: 'book', openOrdersMax: this.#max.book };
    this.#batch.add(account);
    return null;
  }
}
