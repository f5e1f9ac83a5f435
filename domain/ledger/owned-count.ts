import { Int32Column } from './columns.ts';
import type { Owner, Owners } from './owners.ts';

/** How many of something there are in all, of each account, of each investor over all accounts, and of each partner over all investors. */
export class OwnedCount {
  readonly #owners: Owners;
  readonly #ofAccount: Int32Column;
  readonly #ofInvestor = new Int32Column();
  readonly #ofPartner = new Int32Column();
  #total = 0;

  /** @param ofAccount where a checkpoint has the numbers of accounts: `recount` then counts the others again */
  constructor(owners: Owners, ofAccount = new Int32Column()) {
    this.#owners = owners;
    this.#ofAccount = ofAccount;
    owners.onLearned((account) => this.#addToOwner(account, this.#ofAccount.get(account)));
  }

  get total(): number {
    return this.#total;
  }

  /** @param account its number */
  add(account: number, change: number): void {
    this.#total += change;
    this.#ofAccount.add(account, change);
    this.#addToOwner(account, change);
  }

  /** @param accounts how many there are */
  recount(accounts: number): void {
    for (let account = 0; account < accounts; account++) {
      const count = this.#ofAccount.get(account);
      if (count === 0) continue;
      this.#total += count;
      this.#addToOwner(account, count);
    }
  }

  ofAccount(account: number): number {
    return this.#ofAccount.get(account);
  }

  /** Of the investor with all accounts, or of the account that stands for its owner; 0 of one that was never heard of. */
  ofOwner({ account, investor }: Owner): number {
    if (investor >= 0) return this.#ofInvestor.get(investor);
    return account < 0 ? 0 : this.#ofAccount.get(account);
  }

  ofPartner({ partner }: Owner): number {
    return partner < 0 ? 0 : this.#ofPartner.get(partner);
  }

  #addToOwner(account: number, change: number): void {
    const investor = this.#owners.investorOf(account);
    if (investor < 0) return;
    this.#ofInvestor.add(investor, change);
    this.#ofPartner.add(this.#owners.partnerOf(investor), change);
  }
}
