import { Account, Accounts } from './accounts.ts';
import { hashOf, IdTable } from './id-table.ts';
import { Order, type OrderTerms } from './order.ts';

const SLOTS_AT_FIRST = 1_024;
const IDLE_ACCOUNTS_MAX = 4_096;
const KEYS_MAX = 4_096;
const NOBODY = new Account('', 0);

/**
 * The live orders of a book by id. What is taken back makes the next order, so that a book allocates up to its deepest moment and no
 * further, and what it holds is old to the garbage collector.
 */
export class Orders {
  private readonly byId = new IdTable<Order>();
  private readonly accounts = new Accounts();
  /** Accounts that were left when idle ones were last forgotten. */
  private accountsKept = 0;
  /** One string for each key id lately seen, that orders share. */
  private readonly keys = new Map<string, string>();
  /** Every order ever made, live or free, by its slot. */
  private readonly slots: Order[] = [];
  private readonly free: Order[] = [];
  /** By slot, the number of the account while the order is live, else 0: a short way through all orders to those of an account. */
  private accountNumbers = new Int32Array(SLOTS_AT_FIRST);

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
    if (this.accounts.size > 2 * this.accountsKept + IDLE_ACCOUNTS_MAX) this.forgetIdleAccounts();
    const order = this.free.pop() ?? this.addSlot();
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
    this.free.push(order);
  }

  /** Makes an order live. */
  insert(order: Order): void {
    this.accountNumbers[order.slot] = order.account.number;
    this.byId.insert(order);
  }

  /** Takes back a live order. */
  remove(order: Order): void {
    this.accountNumbers[order.slot] = 0;
    this.byId.remove(order);
    this.free.push(order);
  }

  /** Live orders, of an account if not null, of a key if not null, by arrival. */
  select(accountId: string | null, keyId: string | null): Order[] {
    const orders = accountId === null ? this.byId.all() : this.ofAccount(accountId);
    return orders.filter((order) => keyId === null || order.keyId === keyId).sort(byArrival);
  }

  private ofAccount(accountId: string): Order[] {
    const orders: Order[] = [];
    const account = this.accounts.find(accountId);
    if (account === undefined) return orders;
    const { slots, accountNumbers } = this;
    for (let slot = 0; slot < slots.length; slot++) {
      if (accountNumbers[slot] === account.number) orders.push(slots[slot]!);
    }
    return orders;
  }

  private addSlot(): Order {
    const slot = this.slots.length;
    if (slot === this.accountNumbers.length) {
      const grown = new Int32Array(2 * slot);
      grown.set(this.accountNumbers);
      this.accountNumbers = grown;
    }
    const order = new Order(slot, NOBODY);
    this.slots.push(order);
    return order;
  }

  private forgetIdleAccounts(): void {
    this.accounts.keep(new Set(this.byId.all().map((order) => order.account)));
    this.accountsKept = this.accounts.size;
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
