import { type CheckpointPiece, ColumnSet, Float64Column, Int32Column } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';
import { OwnedCount } from './owned-count.ts';
import { Owners } from './owners.ts';
import type { RuleSet } from './rule-set.ts';

const BOUNDARY_PREFIX = 'boundary:';

/** Whether money and assets enter and leave here: these accounts alone may be negative. */
export function isBoundary(account: string): boolean {
  return account.startsWith(BOUNDARY_PREFIX);
}

/**
 * No deposit, grant or limit goes beyond this: what a limit gives back and what all that was deposited comes to stay exact together.
 */
export const AMOUNT_MAX = 2 ** 51;

/**
 * What a holding, or one lot, has cost at most, dollars. A statement of more is refused where it comes in. Where costs are added (trades by a rate, splits,
 * conversions) they stay at this end: a cost enters reports and daily losses, and no balance.
 */
export const COST_MAX = 2 ** 51;

/** A cost within its bounds. */
export function boundedCost(cost: number): number {
  return Math.min(COST_MAX, Math.max(0, cost));
}

/** What an account has of one asset. */
export interface Balance {
  readonly available: number;
  readonly held: number;
  /** Dollars paid for what is held now. */
  readonly cost: number;
}

export const NO_BALANCE: Balance = { available: 0, held: 0, cost: 0 };

/** What must be kept of the balances beside their columns. */
export interface BalancesRest {
  readonly accounts: IdTableRest;
  readonly assets: readonly string[];
  readonly count: number;
}

/**
 * Every balance of the ledger by its number, and the compliance version of every account. A balance is opened once and never goes away;
 * an account's balances are chained, newest first.
 */
export class Balances {
  readonly accounts = new IdTable('accounts');
  readonly owners = new Owners(this.accounts);
  readonly #assets: string[] = [];
  readonly #assetNumbers = new Map<string, number>();
  readonly #account = new Int32Column();
  readonly #asset = new Int32Column();
  readonly #available = new Float64Column();
  readonly #held = new Float64Column();
  readonly #cost = new Float64Column();
  /** Next balance of the same account, plus 1. */
  readonly #next = new Int32Column();
  readonly #columns = new ColumnSet('balances', {
    account: this.#account,
    asset: this.#asset,
    available: this.#available,
    held: this.#held,
    cost: this.#cost,
    next: this.#next,
  });
  /** By account: its newest balance, plus 1; and twice its facts version, plus 1 if it is frozen (0 before any change). */
  readonly #newest = new Int32Column();
  /** By account: how many balances it has. */
  readonly #balances = new Int32Column();
  /** Who has how many. */
  readonly owned = new OwnedCount(this.owners, this.#balances);
  readonly #facts = new Int32Column();
  readonly #accountColumns = new ColumnSet('account', {
    newest: this.#newest,
    balances: this.#balances,
    facts: this.#facts,
  });
  /** Boundary accounts have a balance of every asset: found by name instead of along their chain. */
  readonly #ofBoundary = new Map<string, number>();
  /** Their numbers as accounts. */
  readonly #boundaries = new Set<number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The balance's number, −1 for one that was never opened. */
  find(account: string, asset: string): number {
    if (isBoundary(account)) return this.#ofBoundary.get(`${account} ${asset}`) ?? -1;
    const assetNumber = this.#assetNumbers.get(asset);
    const holder = this.accounts.find(account);
    return assetNumber === undefined || holder < 0 ? -1 : this.#along(holder, assetNumber);
  }

  /** The same, opened if need be. */
  open(account: string, asset: string): number {
    const found = this.find(account, asset);
    if (found >= 0) return found;
    const balance = this.#count;
    this.#count += 1;
    const holder = this.accounts.intern(account);
    this.#account.set(balance, holder);
    this.#asset.set(balance, this.#internAsset(asset));
    this.#next.set(balance, this.#newest.get(holder));
    this.#newest.set(holder, balance + 1);
    this.owned.add(holder, 1);
    if (isBoundary(account)) {
      this.#ofBoundary.set(`${account} ${asset}`, balance);
      this.#boundaries.add(holder);
    }
    return balance;
  }

  available(balance: number): number {
    return this.#available.get(balance);
  }

  /** 0 for a balance that was never opened. */
  availableOf(account: string, asset: string): number {
    const balance = this.find(account, asset);
    return balance < 0 ? 0 : this.#available.get(balance);
  }

  held(balance: number): number {
    return this.#held.get(balance);
  }

  /** What all accounts have of an asset, as long as all balances of it sum to zero: what the boundary accounts lack. */
  heldByAccounts(asset: string): number {
    let sum = 0;
    for (const holder of this.#boundaries) sum -= this.availableOf(this.accounts.text(holder), asset);
    return sum;
  }

  cost(balance: number): number {
    return this.#cost.get(balance);
  }

  account(balance: number): number {
    return this.#account.get(balance);
  }

  /** A number of the asset that two balances share exactly when their asset is the same. */
  assetNumber(balance: number): number {
    return this.#asset.get(balance);
  }

  /** That number by the asset's name, −1 where nobody has had a balance of it. */
  numberOfAsset(asset: string): number {
    return this.#assetNumbers.get(asset) ?? -1;
  }

  asset(balance: number): string {
    return this.#assets[this.#asset.get(balance)] as string;
  }

  /** Whether it is a boundary account's. */
  isBoundary(balance: number): boolean {
    return this.#boundaries.has(this.#account.get(balance));
  }

  accountId(balance: number): string {
    return this.accounts.text(this.#account.get(balance));
  }

  addAvailable(balance: number, change: number): void {
    this.#available.add(balance, change);
  }

  addHeld(balance: number, change: number): void {
    this.#held.add(balance, change);
  }

  addCost(balance: number, change: number): void {
    this.#cost.set(balance, boundedCost(this.#cost.get(balance) + change));
  }

  /** From available to held, or back where negative. */
  hold(balance: number, amount: number): void {
    this.#available.add(balance, -amount);
    this.#held.add(balance, amount);
  }

  /** The share of the cost that goes with `quantity` of what is there, by the rule in force. */
  costOf(balance: number, quantity: number, { costShare }: Pick<RuleSet, 'costShare'>): number {
    const total = this.#available.get(balance) + this.#held.get(balance);
    if (total <= 0) return 0;
    return costShare(this.#cost.get(balance), Math.min(quantity, total), total);
  }

  at(balance: number): Balance {
    return {
      available: this.#available.get(balance),
      held: this.#held.get(balance),
      cost: this.#cost.get(balance),
    };
  }

  /** Balances of an account in the order in which they were opened. */
  of(account: string): number[] {
    const holder = this.accounts.find(account);
    const balances: number[] = [];
    if (holder < 0) return balances;
    for (let at = this.#newest.get(holder); at !== 0; at = this.#next.get(at - 1)) balances.push(at - 1);
    return balances.reverse();
  }

  factsVersion(account: string): number {
    const holder = this.accounts.find(account);
    const facts = holder < 0 ? 0 : this.#facts.get(holder);
    return facts === 0 ? 1 : facts >> 1;
  }

  isFrozen(account: string): boolean {
    const holder = this.accounts.find(account);
    return holder >= 0 && (this.#facts.get(holder) & 1) === 1;
  }

  setFacts(account: string, version: number, frozen: boolean): void {
    this.#facts.set(this.accounts.intern(account), version * 2 + (frozen ? 1 : 0));
  }

  /** Facts of an account by its number: 0 while they never changed. */
  factsOf(holder: number): number {
    return this.#facts.get(holder);
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.accounts.pieces();
    yield* this.#columns.pieces();
    yield* this.#accountColumns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.accounts.load(piece) || this.#columns.load(piece) || this.#accountColumns.load(piece);
  }

  rest(): BalancesRest {
    return { accounts: this.accounts.rest(), assets: this.#assets, count: this.#count };
  }

  /** Call it once their owners are known. */
  finish({ accounts, assets, count }: BalancesRest): void {
    this.accounts.finish(accounts);
    this.owned.recount(this.accounts.end);
    for (const asset of assets) this.#internAsset(asset);
    this.#count = count;
    for (const [holder, account] of accounts.other) {
      if (!isBoundary(account)) continue;
      this.#boundaries.add(holder);
      for (let at = this.#newest.get(holder); at !== 0; at = this.#next.get(at - 1)) {
        this.#ofBoundary.set(`${account} ${this.asset(at - 1)}`, at - 1);
      }
    }
  }

  #along(holder: number, assetNumber: number): number {
    let at = this.#newest.get(holder);
    while (at !== 0 && this.#asset.get(at - 1) !== assetNumber) at = this.#next.get(at - 1);
    return at - 1;
  }

  #internAsset(asset: string): number {
    const known = this.#assetNumbers.get(asset);
    if (known !== undefined) return known;
    this.#assetNumbers.set(asset, this.#assets.length);
    return this.#assets.push(asset) - 1;
  }
}
