/** An account that has live orders or had some lately. Orders of one account name the same object. */
export class Account {
  readonly id: string;
  /** Never given to another account, never 0. */
  readonly number: number;

  constructor(id: string, number: number) {
    this.id = id;
    this.number = number;
  }
}

/** Accounts by id. Those without live orders are forgotten now and then, not at once: most come back with their next order. */
export class Accounts {
  private readonly byId = new Map<string, Account>();
  private numbers = 0;

  get size(): number {
    return this.byId.size;
  }

  find(id: string): Account | undefined {
    return this.byId.get(id);
  }

  /** The account of this id, known or new. */
  of(id: string): Account {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const account = new Account(id, ++this.numbers);
    this.byId.set(id, account);
    return account;
  }

  /** Forgets all accounts but these. */
  keep(accounts: ReadonlySet<Account>): void {
    for (const [id, account] of this.byId) {
      if (!accounts.has(account)) this.byId.delete(id);
    }
  }
}
