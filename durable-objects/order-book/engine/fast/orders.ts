import { hashOf, IdTable } from './id-table.ts';
import { Order, type OrderTerms } from './order.ts';
import { Owner, Owners } from './owners.ts';

const POOL_MAX = 4_096;
const NOBODY = new Owner('', 0);

/** The live orders of a book, by id and by account; and used ones to make the next ones of. */
export class Orders {
  private readonly byId = new IdTable<Order>();
  private readonly accounts = new Owners();
  private readonly keys = new Owners();
  private readonly pool: Order[] = [];

  get size(): number {
    return this.byId.size;
  }

  find(orderId: string): Order | null {
    return this.byId.find(orderId, hashOf(orderId));
  }

  /** An order of these terms, which is not live yet; null when a live one has its id. */
  create(terms: OrderTerms): Order | null {
    const hash = hashOf(terms.orderId);
    if (this.byId.find(terms.orderId, hash) !== null) return null;
    const order = this.pool.pop() ?? new Order(NOBODY);
    const key = terms.keyId === null ? null : this.keys.of(terms.keyId);
    order.enter(terms, hash, this.accounts.of(terms.account), key);
    return order;
  }

  /** Takes back an order that is not live. */
  discard(order: Order): void {
    if (this.pool.length < POOL_MAX) this.pool.push(order);
  }

  /** Makes an order live. */
  insert(order: Order): void {
    const { account, key } = order;
    const first = account.orders;
    order.previousOfAccount = null;
    order.nextOfAccount = first;
    if (first !== null) first.previousOfAccount = order;
    account.orders = order;
    this.accounts.engage(account);
    if (key !== null) this.keys.engage(key);
    this.byId.insert(order);
  }

  /** Takes back a live order. */
  remove(order: Order): void {
    const { account, key, previousOfAccount, nextOfAccount } = order;
    if (previousOfAccount === null) account.orders = nextOfAccount;
    else previousOfAccount.nextOfAccount = nextOfAccount;
    if (nextOfAccount !== null) nextOfAccount.previousOfAccount = previousOfAccount;
    this.accounts.release(account);
    if (key !== null) this.keys.release(key);
    this.byId.remove(order);
    this.discard(order);
  }

  /** Live orders of an account (of a key) by arrival. */
  ofAccount(account: string, keyId: string | null): Order[] {
    const orders: Order[] = [];
    for (let order = this.accounts.find(account)?.orders ?? null; order !== null; order = order.nextOfAccount) {
      if (keyId === null || order.key?.id === keyId) orders.push(order);
    }
    return orders.sort(byArrival);
  }

  /** Live orders of all accounts (of a key) by arrival. */
  all(keyId: string | null): Order[] {
    const orders: Order[] = [];
    this.byId.forEach((order) => {
      if (keyId === null || order.key?.id === keyId) orders.push(order);
    });
    return orders.sort(byArrival);
  }
}

export function byArrival(a: Order, b: Order): number {
  return a.arrival - b.arrival;
}
