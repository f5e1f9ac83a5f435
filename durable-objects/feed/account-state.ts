import type { AccountEvent, AccountRow } from '../../domain/ledger/account-events.ts';
import { fillProgress } from '../../domain/ledger/fill-progress.ts';
import type { AccountBalance, Trade } from '../../domain/ledger/records.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import type { AccountOrder } from '../../domain/orders/account-order.ts';

/** What an account is told of one event, with its place among all that it is told. */
export type Told = {
  readonly sequence: number;
  /** Of the ledger's row. */
  readonly time: number;
} & (
  | { readonly type: 'order'; readonly order: AccountOrder }
  | { readonly type: 'fill'; readonly trade: Trade; readonly order: AccountOrder }
  | Adjusted
  | { readonly type: 'balance'; readonly balance: AccountBalance }
);

type Adjusted = Extract<AccountEvent, { type: 'adjusted' }>;

/** Places that each row of the journal has for events of one account. */
const PLACES_PER_ROW = 65_536;

/**
 * What an account has, kept from its opening by the rows of the ledger that follow. The sequence of what is told follows from the
 * journal alone: whoever reads it again numbers it the same.
 */
export class AccountState {
  readonly #orders = new Map<string, AccountOrder>();
  readonly #balances = new Map<string, AccountBalance>();
  /** The row that is being told, and the places that its parts have taken. */
  #row: { readonly seq: number; places: number };

  /** @param seq the row after which the account stood like this */
  constructor(seq: number, orders: readonly AccountOrder[], balances: readonly AccountBalance[]) {
    this.#row = { seq, places: PLACES_PER_ROW };
    for (const order of orders) this.#orders.set(order.id, order);
    for (const balance of balances) this.#balances.set(balance.asset, balance);
  }

  /** Sequence of the last thing that it includes, or could include. */
  get sequence(): number {
    return this.#row.seq * PLACES_PER_ROW + this.#row.places - 1;
  }

  /** Open ones, oldest first. */
  get openOrders(): AccountOrder[] {
    return [...this.#orders.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get balances(): AccountBalance[] {
    return [...this.#balances.values()];
  }

  /** No row up to this one says anything more. */
  reach(seq: number): void {
    if (seq > this.#row.seq) this.#row = { seq, places: PLACES_PER_ROW };
  }

  /** Takes the next row, or a part of it; null for one with more than a row has places for: the account has to be read anew. */
  apply({ seq, time, events }: AccountRow): Told[] | null {
    if (seq !== this.#row.seq) this.#row = { seq, places: 0 };
    if (this.#row.places + events.length > PLACES_PER_ROW) return null;
    const told: Told[] = [];
    for (const event of events) {
      const sequence = seq * PLACES_PER_ROW + this.#row.places;
      this.#row.places += 1;
      const what = this.#take(event);
      if (what !== null) told.push({ sequence, time, ...what });
    }
    return told;
  }

  #take(event: AccountEvent) {
    switch (event.type) {
      case 'entered': {
        const { order, book } = event;
        const entered: AccountOrder = { ...order, book, filled: 0, filledNotional: 0, remaining: null };
        if (!isFinal(order.status)) this.#orders.set(order.id, entered);
        return { type: 'order', order: entered } as const;
      }
      case 'traded': {
        const { trade, side } = event;
        const before = this.#orders.get(side === 'buy' ? trade.buyOrder : trade.sellOrder);
        if (before === undefined) return null;
        const filled = before.filled + trade.quantity;
        const left = fillProgress(trade, side)?.remaining ?? before.quantity - filled;
        const order: AccountOrder = {
          ...before,
          filled,
          filledNotional: before.filledNotional + trade.notional,
          status: left === 0 ? 'filled' : 'partially_filled',
          remaining: left,
        };
        this.#orders.set(order.id, order);
        return { type: 'fill', trade, order } as const;
      }
      case 'changed': {
        const { id, status, filled, filledNotional, quantity, price, code, remaining = null } = event.state;
        const before = this.#orders.get(id);
        if (before === undefined) return null;
        const { stopPrice = before.stopPrice } = event;
        const terms = { status, filled, filledNotional, quantity, price, stopPrice, code, remaining };
        const order: AccountOrder = { ...before, ...terms };
        if (isFinal(status)) this.#orders.delete(id);
        else this.#orders.set(id, order);
        return { type: 'order', order } as const;
      }
      case 'adjusted':
        return event;
      case 'balance':
        this.#balances.set(event.balance.asset, event.balance);
        return { type: 'balance', balance: event.balance } as const;
    }
  }
}
