import { hashOf, type Identified, IdTable } from './id-table.ts';
import type { Order } from './order.ts';

const IDLE_MAX = 4_096;

/** An account and its live orders. Orders of one account name the same object. */
export class Account implements Identified {
  readonly id: string;
  readonly hash: number;
  /** In no order. Each live order knows its place here. */
  readonly orders: Order[] = [];

  constructor(id: string, hash: number) {
    this.id = id;
    this.hash = hash;
  }

  add(order: Order): void {
    order.placeInAccount = this.orders.length;
    this.orders.push(order);
  }

  remove(order: Order): void {
    const last = this.orders.pop()!;
    if (last === order) return;
    this.orders[order.placeInAccount] = last;
    last.placeInAccount = order.placeInAccount;
  }
}

/** Accounts by id. One without live orders stays for a while, for it mostly comes back: as many as have some, and IDLE_MAX. */
export class Accounts {
  private readonly table = new IdTable<Account>();
  /** Accounts that were left by the last clearing out. */
  private kept = 0;

  find(id: string): Account | null {
    return this.table.find(id, hashOf(id));
  }

  /** The account of this id, known or new. */
  of(id: string): Account {
    const { table } = this;
    const hash = hashOf(id);
    const known = table.find(id, hash);
    if (known !== null) return known;
    if (table.size > 2 * this.kept + IDLE_MAX) this.forgetIdle();
    const account = new Account(id, hash);
    table.insert(account);
    return account;
  }

  private forgetIdle(): void {
    const { table } = this;
    for (const account of table.all()) {
      if (account.orders.length === 0) table.remove(account);
    }
    this.kept = table.size;
  }
}
