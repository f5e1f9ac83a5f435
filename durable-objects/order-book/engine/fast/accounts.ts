import { hashOf, type Identified, IdTable } from './id-table.ts';

/** An account that has live orders or had some lately. Orders of one account name the same object. */
export class Account implements Identified {
  readonly id: string;
  readonly hash: number;

  constructor(id: string, hash: number) {
    this.id = id;
    this.hash = hash;
  }
}

/** Accounts by id. Those without live orders are forgotten now and then, not at once: most come back with their next order. */
export class Accounts {
  private readonly table = new IdTable<Account>();

  get size(): number {
    return this.table.size;
  }

  find(id: string): Account | null {
    return this.table.find(id, hashOf(id));
  }

  /** The account of this id, known or new. */
  of(id: string): Account {
    const hash = hashOf(id);
    const known = this.table.find(id, hash);
    if (known !== null) return known;
    const account = new Account(id, hash);
    this.table.insert(account);
    return account;
  }

  /** Forgets all accounts but these. */
  keep(accounts: ReadonlySet<Account>): void {
    for (const account of this.table.all()) {
      if (!accounts.has(account)) this.table.remove(account);
    }
  }
}
