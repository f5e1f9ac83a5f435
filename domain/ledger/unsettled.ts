import type { CalendarDate } from '../calendar/calendar-date.ts';
import { isBoundary } from './balances.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { Trade } from './records.ts';
import type { BookBatch, TradeTerms } from './transactions.ts';

/** `cash`: of sales, it waits in broker clearing. `shares`: of purchases, they stand in the account and may not leave it. */
export const UNSETTLED_KINDS = ['cash', 'shares'] as const;

export type UnsettledKind = (typeof UNSETTLED_KINDS)[number];

/** Sums that wait to settle: beyond, no order is admitted in books whose trades settle later; sales, which lead out, have room beyond. */
export const UNSETTLED_MAX = 100_000;
export const UNSETTLED_ROOM_FOR_SALES = 10_000;

/** What an account gets on a day, all trades together. */
export interface UnsettledPlace {
  readonly account: string;
  readonly asset: string;
  readonly kind: UnsettledKind;
  readonly settlesOn: CalendarDate;
}

export interface UnsettledSum extends UnsettledPlace {
  readonly amount: number;
}

type GrowingSum = { -readonly [Field in keyof UnsettledSum]: UnsettledSum[Field] };

export function unsettledKey({ account, asset, kind, settlesOn }: UnsettledPlace): string {
  return `${account} ${asset} ${kind} ${settlesOn}`;
}

/** What has traded and not settled, summed by account, asset and day (docs/design/broker.md#settlement). */
export class Unsettled {
  /** In the order in which they came, by day. */
  readonly #days = new Map<CalendarDate, Map<string, GrowingSum>>();
  readonly #places = new Map<string, GrowingSum>();
  /** Books of which trades have settled later than at once. */
  readonly books = new Set<string>();
  /** Of all days, by account, asset and kind; only what is above nothing. */
  readonly #sums = new Map<string, number>();
  /** Of all days and accounts, by asset and kind; only what is above nothing. */
  readonly #totals = new Map<string, number>();
  /** How many sums each account has. */
  readonly #ofAccount = new Map<string, number>();

  /** How many sums there are. */
  get count(): number {
    return this.#places.size;
  }

  /** How many of them are an account's. */
  countOf(account: string): number {
    return this.#ofAccount.get(account) ?? 0;
  }

  find(place: UnsettledPlace): UnsettledSum | null {
    return this.at(unsettledKey(place));
  }

  /** @param key of `unsettledKey` */
  at(key: string): UnsettledSum | null {
    return this.#places.get(key) ?? null;
  }

  /** A sum stays until it settles, also where nothing is left of it. */
  add(place: UnsettledPlace, change: number): void {
    const key = unsettledKey(place);
    let sum = this.#places.get(key);
    if (sum === undefined) {
      sum = { ...place, amount: 0 };
      this.#places.set(key, sum);
      this.#ofAccount.set(place.account, this.countOf(place.account) + 1);
      const day = this.#days.get(place.settlesOn) ?? new Map<string, GrowingSum>();
      this.#days.set(place.settlesOn, day.set(key, sum));
    }
    if (!Number.isSafeInteger(sum.amount + change) || sum.amount + change < 0)
      throw new LedgerViolation(`${place.account} would have ${sum.amount + change} of ${place.asset} unsettled`);
    sum.amount += change;
    this.#count(place, change);
  }

  remove(sum: UnsettledSum): void {
    const key = unsettledKey(sum);
    if (!this.#places.delete(key)) return;
    const left = this.countOf(sum.account) - 1;
    if (left === 0) this.#ofAccount.delete(sum.account);
    else this.#ofAccount.set(sum.account, left);
    const day = this.#days.get(sum.settlesOn);
    day?.delete(key);
    if (day?.size === 0) this.#days.delete(sum.settlesOn);
    this.#count(sum, -sum.amount);
  }

  /** The first sums of what settles on a day or before, the earliest day first; `max` at most. */
  due(through: CalendarDate, max: number): UnsettledSum[] {
    const found: UnsettledSum[] = [];
    const days = [...this.#days.keys()].filter((day) => day <= through).sort((one, other) => one - other);
    for (const day of days)
      for (const sum of this.#days.get(day)?.values() ?? []) {
        if (found.length >= max) return found;
        found.push({ ...sum });
      }
    return found;
  }

  /** What of an account has not settled, of all days. */
  sumOf(account: string, asset: string, kind: UnsettledKind): number {
    return this.#sums.get(`${account} ${asset} ${kind}`) ?? 0;
  }

  /** What has not settled of an asset, of all accounts and days. */
  totalOf(asset: string, kind: UnsettledKind): number {
    return this.#totals.get(`${asset} ${kind}`) ?? 0;
  }

  *all(): Generator<UnsettledSum> {
    for (const sum of this.#places.values()) yield { ...sum };
  }

  #count({ account, asset, kind }: UnsettledPlace, change: number): void {
    addTo(this.#sums, `${account} ${asset} ${kind}`, change);
    addTo(this.#totals, `${asset} ${kind}`, change);
  }
}

function addTo(sums: Map<string, number>, key: string, change: number): void {
  const sum = (sums.get(key) ?? 0) + change;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** What our side of a broker's execution waits for: its seller for cash after the fee, its buyer for shares; null where it has settled at once. */
export function waitingOf(
  { buyer, seller, settlesOn }: Pick<Trade, 'buyer' | 'seller' | 'settlesOn'>,
  { quantity, notional, sellerFee }: Pick<TradeTerms, 'quantity' | 'notional' | 'sellerFee'>,
  { baseAsset, quoteAsset }: Pick<BookBatch, 'baseAsset' | 'quoteAsset'>,
): UnsettledSum | null {
  if (settlesOn == null) return null;
  return isBoundary(buyer)
    ? { account: seller, asset: quoteAsset, kind: 'cash', settlesOn, amount: notional - sellerFee }
    : { account: buyer, asset: baseAsset, kind: 'shares', settlesOn, amount: quantity };
}
