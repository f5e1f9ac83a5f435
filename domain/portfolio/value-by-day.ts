import { DAY_MS } from '../calendar/durations.ts';
import type { Standing } from './statement.ts';

/** What has moved on a day of UTC, of one asset. Scaled units. */
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
}

/** What an account was worth at the end of a day. Units of cash, rounded down for each asset. */
export interface DayValue {
  readonly day: number;
  readonly value: bigint;
  /** Of that, cash in dollars. */
  readonly cash: bigint;
  /** What came in on the day less what left, at the prices of its end. */
  readonly netDeposits: bigint;
  /** Assets that the account had, or that came or left, of which no close is known up to the day: they count at what was stated, or nothing. */
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
 * exact. A price is the last close up to the day. After a split the closes of before count no more.
 */
export function valueByDay(history: History): DayValue[] {
  const { now, changes, first, last, cash } = history;
  const byDay = Map.groupBy(changes, ({ day }) => day);
  const amounts = new Map(now.map(({ asset, amount }) => [asset, amount]));
  for (const change of changes) if (change.day > last) take(amounts, change);
  const days: DayValue[] = [];
  const splits = changes.filter(({ isSplit }) => isSplit);
  for (let day = last; day >= first; day -= DAY_MS) {
    const moved = byDay.get(day) ?? [];
    const flows = moved.filter(({ isFlow }) => isFlow);
    const priceOf = (asset: string) => priceAt(history, splits, asset, day);
    const worth = (held: Iterable<readonly [string, number]>) =>
      Array.from(held).reduce(
        (all, [asset, amount]) => all + worthOf(history, asset, amount, priceOf(asset)?.price),
        0n,
      );
    const seen = new Set([...held(amounts).map(([asset]) => asset), ...flows.map(({ asset }) => asset)]);
    days.push({
      day,
      value: worth(held(amounts)),
      cash: BigInt(amounts.get(cash) ?? 0),
      netDeposits: worth(flows.map(({ asset, amount }) => [asset, amount] as const)),
      withoutClose: [...seen].filter((asset) => asset !== cash && priceOf(asset)?.isClose !== true).toSorted(),
    });
    for (const change of moved) take(amounts, change);
  }
  return days.reverse();
}

function held(amounts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...amounts].filter(([, amount]) => amount !== 0);
}

function take(amounts: Map<string, number>, { asset, amount }: DayChange): void {
  amounts.set(asset, (amounts.get(asset) ?? 0) - amount);
}

function priceAt({ prices }: History, splits: readonly DayChange[], asset: string, day: number) {
  const history = prices.get(asset);
  if (history === undefined) return null;
  const close = history.closes.findLast((each) => each.day <= day);
  const isOfBefore = splits.some(
    (split) => split.asset === asset && split.day <= day && split.day >= (close?.day ?? day),
  );
  if (close !== undefined && !isOfBefore) return { price: close.price, isClose: true };
  return history.reference === null ? null : { price: history.reference, isClose: false };
}

function worthOf(
  { cash, cashScale, prices }: History,
  asset: string,
  amount: number,
  price: bigint | undefined,
): bigint {
  if (asset === cash) return BigInt(amount);
  const history = prices.get(asset);
  if (price === undefined || history === undefined) return 0n;
  const product = BigInt(amount) * price * 10n ** BigInt(cashScale);
  const divisor = 10n ** BigInt(history.quantityScale + history.priceScale);
  const rest = product % divisor;
  return (product - rest) / divisor - (rest < 0n ? 1n : 0n);
}
