import type { Units } from '../../transfer-terms.ts';

/** The most that an indexer's JSON number says with all its digits: where amounts come back so, no place to pay in is shown for more, as nobody would see it. */
export const JSON_UNITS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * @returns the units as a number
 * @throws RangeError where they are no whole number from `min` to `max`
 */
export function wholeUnits(units: Units, max: bigint, min = 1n): bigint {
  if (!/^(0|[1-9][0-9]{0,77})$/.test(units)) throw new RangeError('an amount is no whole number');
  const amount = BigInt(units);
  if (amount < min || amount > max) throw new RangeError(`an amount is not from ${min} to ${max}`);
  return amount;
}
