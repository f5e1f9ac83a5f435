import { add, type Decimal, subtract, sum } from '../numbers/decimal.ts';

interface Lot {
  readonly quantity: Decimal;
  readonly restrictionEndDate: string | null;
  readonly isRestricted: boolean;
}

interface Held {
  readonly quantity: Decimal;
  readonly lots: readonly Lot[];
}

/** Whether it may be resold: its hold period is over, or it has none. */
export function isFree({ isRestricted, restrictionEndDate }: Lot, now: number): boolean {
  return !isRestricted || (restrictionEndDate !== null && new Date(restrictionEndDate).getTime() <= now);
}

/** What is not held by a lot within its hold period. */
export function freeQuantity({ quantity, lots }: Held, now: number): Decimal {
  return subtract(quantity, sum(lots.filter((lot) => !isFree(lot, now)).map((lot) => lot.quantity)));
}

/** What becomes free next, and when; null where everything is free, or nobody knows a day. */
export function nextFree({ lots }: Held, now: number): { readonly date: string; readonly quantity: Decimal } | null {
  const waiting = lots
    .filter((lot) => !isFree(lot, now) && lot.restrictionEndDate !== null)
    .sort((a, b) => String(a.restrictionEndDate).localeCompare(String(b.restrictionEndDate)));
  const date = waiting[0]?.restrictionEndDate ?? null;
  if (date === null) return null;
  const day = date.slice(0, 10);
  const quantity = waiting
    .filter((lot) => lot.restrictionEndDate?.startsWith(day))
    .reduce<Decimal>((all, lot) => add(all, lot.quantity), '0');
  return { date, quantity };
}
