import { compare, type Decimal, decimalsOf, floorTo, sign, subtract, trim } from '../numbers/decimal.ts';
import { readInput } from '../numbers/read-input.ts';

/** What may be asked of an asset: how many decimals an amount has, and how much may leave. */
interface Payable {
  /** A whole number as text. */
  readonly decimals: string;
  readonly available: Decimal;
}

export type AmountFlaw = 'not_positive' | 'too_many_decimals' | 'too_much';

/** What was typed, as an amount that may be asked for, or what is wrong with it; nothing is wrong yet with what was not typed. */
export function readAmount(
  text: string,
  { decimals, available }: Payable,
  type: 'deposit' | 'withdrawal',
  locale: string,
): { readonly amount: Decimal | null; readonly flaw: AmountFlaw | null } {
  if (text.trim() === '') return { amount: null, flaw: null };
  const amount = readInput(text, locale);
  if (amount === null || sign(amount) <= 0) return { amount: null, flaw: 'not_positive' };
  if (decimalsOf(trim(amount)) > Number(decimals)) return { amount: null, flaw: 'too_many_decimals' };
  if (type === 'withdrawal' && compare(amount, available) > 0) return { amount: null, flaw: 'too_much' };
  return { amount, flaw: null };
}

/** All that can be paid out: what a currency does not count stays. */
export function payableMax({ decimals, available }: Payable): Decimal {
  const places = Number(decimals);
  return floorTo(available, places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`);
}

export function leftAfter({ available }: Payable, amount: Decimal): Decimal {
  return subtract(available, amount);
}
