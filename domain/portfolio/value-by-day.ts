import { DAY_MS } from '../calendar/durations.ts';
import type { Standing } from './statement.ts';

/** What has moved on a day of UTC, of one asset. Scaled units. @internal */
export interface DayChange {
  /** Midnight of the day, Unix milliseconds. */
  readonly day: number;
  readonly asset: string;
  readonly amount: number;
  /** Came from outside, or left: it is no profit and no loss. */
  readonly isFlow: boolean;
  /** Changed how many units there are of the asset, for everybody: prices of before say nothing of those of after. */
  readonly isSplit: boolean;
}

/** What one unit of an asset closed at on a day, as `price` ÷ 10^`scale` dollars. */
export interface Close {
  readonly day: number;
  readonly price: bigint;
}

export interface PricedHistory {
  /** Decimals of a quantity. */
  readonly quantityScale: number;
  readonly priceScale: number;
  /** Oldest first. */
  readonly closes: readonly Close[];
  /** What counts where nothing has closed yet, by `priceScale`; null where nobody has stated anything. */
  readonly reference: bigint | null;
  /** Whether closes of before a split are in units of after it, as sources tell them. */
  readonly isAdjusted: boolean;
}

/** What an account was worth at the end of a day. Units of cash, rounded down for each asset. */
export interface DayValue {
  readonly day: number;
  /** Null where no price is known of something that the account had: a guess would be a profit that nobody made. */
  readonly value: bigint | null;
  /** Of that, cash in dollars. */
  readonly cash: bigint;
  /** What came in on the day less what left, at the prices of its end; null where one is not known. */
  readonly netDeposits: bigint | null;
  /** Assets that the account had, or that came or left, of which no close is known up to the day: they count at what was stated, if anything was. */
  readonly withoutClose: readonly string[];
}

interface History {
  readonly now: readonly Standing[];
  readonly changes: readonly DayChange[];
  /** Midnights of UTC, the first and the last day. */
  readonly first: number;
  readonly last: number;
  /** Id of the dollar, and its decimals. */
  readonly cash: string;
  readonly cashScale: number;
  /** By asset; the dollar needs none. */
  readonly prices: ReadonlyMap<string, PricedHistory>;
}

/**
 * What an account was worth at the end of each day, the first one first. Quantities are taken back from what it has now, change by change, so they are
 * exact. A price is the last close up to the day. After a split the closes of before count no more; those of a source count for as many units as there
 * are since.
 */
export function valueByDay({ now, changes, first, last, cash, cashScale, prices }: History): DayValue[] {
  const byDay = Map.groupBy(changes, ({ day }) => day);
  const amounts = new Map(now.map(({ asset, amount }) => [asset, amount]));
  const walks = new Map(Array.from(prices, ([asset, priced]) => [asset, new PriceWalk(priced, cashScale)]));
  for (const { asset, day } of changes.filter(({ isSplit }) => isSplit)) walks.get(asset)?.splits.push(day);
  for (const walk of walks.values()) walk.splits.sort((a, b) => a - b);
  // Of a day the split comes first: nothing is traded while it runs.
  const takeBack = (moved: readonly DayChange[]) => {
    for (const { asset, amount, isSplit } of moved.toSorted((a, b) => Number(a.isSplit) - Number(b.isSplit))) {
      const after = amounts.get(asset) ?? 0;
      if (isSplit) walks.get(asset)?.passSplit(after - amount, after);
      if (after === amount) amounts.delete(asset);
      else amounts.set(asset, after - amount);
    }
  };
  const later = [...byDay.keys()].filter((day) => day > last).toSorted((a, b) => b - a);
  for (const day of later) takeBack(byDay.get(day) ?? []);
  const days: DayValue[] = [];
  for (let day = last; day >= first; day -= DAY_MS) {
    const moved = byDay.get(day) ?? [];
    const flows = moved.filter(({ isFlow }) => isFlow).map(({ asset, amount }) => [asset, amount] as const);
    const seen = new Set([...amounts.keys(), ...flows.map(([asset]) => asset)].filter((asset) => asset !== cash));
    for (const asset of seen) walks.get(asset)?.backTo(day);
    const worth = (of: Iterable<readonly [string, number]>): bigint | null => {
      let sum = 0n;
      for (const [asset, amount] of of) {
        const value = asset === cash ? BigInt(amount) : (walks.get(asset)?.worthOf(amount) ?? null);
        if (value === null) return null;
        sum += value;
      }
      return sum;
    };
    days.push({
      day,
      value: worth(amounts),
      cash: BigInt(amounts.get(cash) ?? 0),
      netDeposits: worth(flows),
      withoutClose: [...seen].filter((asset) => walks.get(asset)?.hasClose !== true).toSorted(),
    });
    takeBack(moved);
  }
  return days.reverse();
}

/** The price of one asset, day by day backwards: no close is looked at twice. */
class PriceWalk {
  /** Days of its splits, the first one first. */
  readonly splits: number[] = [];
  readonly #priced: PricedHistory;
  readonly #units: bigint;
  readonly #divisor: bigint;
  /** Closes and splits up to the day. */
  #closes: number;
  #splits = Number.POSITIVE_INFINITY;
  /** How many units of today one of the day is. */
  #ratio = { today: 1n, before: 1n };

  constructor(priced: PricedHistory, cashScale: number) {
    this.#priced = priced;
    this.#units = 10n ** BigInt(cashScale);
    this.#divisor = 10n ** BigInt(priced.quantityScale + priced.priceScale);
    this.#closes = priced.closes.length;
  }

  backTo(day: number): void {
    const { closes } = this.#priced;
    while (this.#closes > 0 && (closes[this.#closes - 1]?.day ?? 0) > day) this.#closes -= 1;
    this.#splits = Math.min(this.#splits, this.splits.length);
    while (this.#splits > 0 && (this.splits[this.#splits - 1] ?? 0) > day) this.#splits -= 1;
  }

  /** The days that follow are those of before it. */
  passSplit(before: number, after: number): void {
    if (before <= 0 || after <= 0) return;
    this.#ratio = { today: this.#ratio.today * BigInt(after), before: this.#ratio.before * BigInt(before) };
  }

  get hasClose(): boolean {
    return this.#close() !== null;
  }

  /** Units of cash, rounded down; null where no price is known. */
  worthOf(amount: number): bigint | null {
    const close = this.#close();
    const price = close ?? this.#priced.reference;
    if (price === null) return null;
    const { today, before } = close !== null && this.#priced.isAdjusted ? this.#ratio : { today: 1n, before: 1n };
    const product = BigInt(amount) * price * this.#units * today;
    const divisor = this.#divisor * before;
    const rest = product % divisor;
    return (product - rest) / divisor - (rest < 0n ? 1n : 0n);
  }

  #close(): bigint | null {
    const close = this.#priced.closes[this.#closes - 1];
    if (close === undefined) return null;
    const split = this.splits[this.#splits - 1];
    const isOfBefore = !this.#priced.isAdjusted && split !== undefined && split >= close.day;
    return isOfBefore ? null : close.price;
  }
}
