/** What open orders may bring from outside: by asset and account, and by asset. */
export class IncomingSums {
  /** By asset; within it by the account's number. Only what is above nothing. */
  readonly #ofAccounts = new Map<string, Map<number, number>>();
  readonly #totals = new Map<string, number>();

  /** @param account its number */
  of(account: number, asset: string): number {
    return this.#ofAccounts.get(asset)?.get(account) ?? 0;
  }

  /** Of all accounts. */
  total(asset: string): number {
    return this.#totals.get(asset) ?? 0;
  }

  add(account: number, asset: string, change: number): void {
    const ofAccounts = this.#ofAccounts.get(asset) ?? new Map<number, number>();
    const sum = (ofAccounts.get(account) ?? 0) + change;
    if (sum === 0) ofAccounts.delete(account);
    else ofAccounts.set(account, sum);
    if (ofAccounts.size === 0) this.#ofAccounts.delete(asset);
    else this.#ofAccounts.set(asset, ofAccounts);
    const total = this.total(asset) + change;
    if (total === 0) this.#totals.delete(asset);
    else this.#totals.set(asset, total);
  }
}
