import { Account, Accounts } from './accounts.ts';
import { hashOf, IdTable } from './id-table.ts';
import { Order, type OrderTerms } from './order.ts';

const POOL_MAX = 4_096;
const KEYS_MAX = 4_096;
const NOBODY = new Account('', 0);

/** The live orders of a book, by id and by account; and used ones to make the next ones of. */
export class Orders {
  private readonly byId = new IdTable<Order>();
  private readonly accounts = new Accounts();
  /** One string for each key id lately seen, that orders share. */
  private readonly keys = new Map<string, string>();
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
    order.enter(
      terms,
      hash,
      this.accounts.of(terms.account),
      terms.keyId === null ? null : this.sharedKey(terms.keyId),
    );
    return order;
  }

  /** Takes back an order that is not live. */
  discard(order: Order): void {
    if (this.pool.length < POOL_MAX) this.pool.push(order);
  }

  /** Makes an order live. */
  insert(order: Order): void {
    order.account.add(order);
    this.byId.insert(order);
  }

  /** Takes back a live order. */
  remove(order: Order): void {
    order.account.remove(order);
    this.byId.remove(order);
    this.discard(order);
  }

  /** Live orders, of an account if not null, of a key if not null, by arrival. */
  select(account: string | null, keyId: string | null): Order[] {
    const orders = account === null ? this.byId.all() : (this.accounts.find(account)?.orders ?? []);
    return orders.filter((order) => keyId === null || order.keyId === keyId).sort(byArrival);
  }

  private sharedKey(keyId: string): string {
    const shared = this.keys.get(keyId);
    if (shared !== undefined) return shared;
    if (this.keys.size === KEYS_MAX) this.keys.clear();
    this.keys.set(keyId, keyId);
    return keyId;
  }
}

export function byArrival(a: Order, b: Order): number {
  return a.arrival - b.arrival;
}
