/** Accounts whose last trades decide together: with more of them the price follows the market later, with fewer it takes fewer accounts to move it. */
const ACCOUNTS_MAX = 9;

/** Whoever trades with themselves has two accounts: nothing moves before a third one agrees. */
const ACCOUNTS_MIN = 3;

/** The first price: the accounts that make it have traded no further apart. */
const APART_BPS_MAX = 500;
const BPS = 10_000;

/** The last trade of an account. */
export interface AccountTrade {
  readonly account: string;
  readonly price: number;
}

export interface GoingPriceSnapshot {
  /** Those who traded last stand last. */
  readonly trades: readonly AccountTrade[];
  readonly price: number | null;
}

/**
 * The price that a market goes by: of the last trades of the accounts that traded last, each counted once, what most of them agree on,
 * however often and however much one trades. So a price that two accounts print among themselves does not move it (docs/design/matching.md#going-price).
 */
export class GoingPrice {
  #trades: AccountTrade[];
  #price: number | null;
  #isCurrent = true;

  constructor({ trades, price }: GoingPriceSnapshot = { trades: [], price: null }) {
    this.#trades = [...trades];
    this.#price = price;
  }

  /** Null before there is any. */
  get price(): number | null {
    return this.#price;
  }

  snapshot(): GoingPriceSnapshot {
    return { trades: [...this.#trades], price: this.#price };
  }

  /** Two accounts have traded. */
  note(maker: string, taker: string, price: number): void {
    this.#put(maker, price);
    this.#put(taker, price);
    this.#isCurrent = false;
  }

  /** The trades that were noted count from here on: once a cycle, so that fills cost no sorting. */
  settle(): void {
    if (this.#isCurrent) return;
    this.#price = priceOf(this.#trades, this.#price);
    this.#isCurrent = true;
  }

  /** What has traded says nothing of the price any more: an operator has stated one. */
  clear(): void {
    this.#trades = [];
    this.#price = null;
    this.#isCurrent = true;
  }

  /** Shares of the market were split. */
  reprice(priceOf: (price: number) => number): void {
    this.#trades = this.#trades.map(({ account, price }) => ({ account, price: priceOf(price) }));
    this.#price = this.#price === null ? null : priceOf(this.#price);
  }

  #put(account: string, price: number): void {
    const trades = this.#trades;
    const at = trades.findIndex((trade) => trade.account === account);
    if (at >= 0) trades.splice(at, 1);
    else if (trades.length === ACCOUNTS_MAX) trades.shift();
    trades.push({ account, price });
  }
}

/**
 * The nearest to `before` that as many accounts have traded at or above as at or below: most of them, and never fewer than three. Before there
 * was any: only where they have traded close to each other.
 */
function priceOf(trades: readonly AccountTrade[], before: number | null): number | null {
  if (trades.length < ACCOUNTS_MIN) return before;
  const prices = trades.map(({ price }) => price).sort((a, b) => a - b);
  const agreeing = Math.max(ACCOUNTS_MIN, (prices.length >> 1) + 1);
  const low = prices[prices.length - agreeing]!;
  const high = prices[agreeing - 1]!;
  if (before !== null) return Math.min(Math.max(before, low), high);
  return high - low <= Math.floor((low * APART_BPS_MAX) / BPS) ? low : null;
}
