import type { Units } from '../../transfer-terms.ts';

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
