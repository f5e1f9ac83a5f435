import type { Units } from '../../transfer-terms.ts';
import { wholeUnits } from '../accounts/whole-units.ts';

/** No asset has more than a number of 256 bits. */
const AMOUNT_MAX = 2n ** 255n;
const DECIMAL = /^(0|[1-9][0-9]{0,77})(?:\.([0-9]{1,77}))?$/;

/**
 * Units as providers write amounts: a decimal number in its shortest form.
 *
 * @throws RangeError where they are no whole number above zero
 */
export function decimalOf(units: Units, decimals: number): string {
  const digits = String(wholeUnits(units, AMOUNT_MAX)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** A provider's decimal number in units. @throws RangeError where it is none, or finer than a unit */
export function unitsOf(text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(decimals))) throw new RangeError(`${text} is no amount`);
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** The whole units of a provider's decimal number, whatever it has below. @throws RangeError where it is none */
export function unitsBelow(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.', 2);
  const kept = fraction.slice(0, decimals);
  return unitsOf(kept === '' ? whole : `${whole}.${kept}`, decimals);
}
