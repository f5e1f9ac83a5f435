import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';

const DECIMALS_MAX = 8;

/** A number as FIX writes it: never with an exponent. @example decimalText(1e-7) // '0.0000001' */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}

/** Whether a decimal of FIX is the number that it is read as, digit for digit. @example isExactDecimal('10.50') // true */
export function isExactDecimal(text: string): boolean {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const [digits, decimals] = [whole.replace(/^0+/, ''), fraction.replace(/0+$/, '')];
  return decimalText(Math.abs(Number(text))) === `${digits || '0'}${decimals === '' ? '' : `.${decimals}`}`;
}

/** The exact sum of two numbers of at most 8 decimals, which binary fractions would miss. @example addDecimals(0.1, 0.2) // 0.3 */
export function addDecimals(a: number, b: number): number {
  const [x, y] = [toScaled(a, DECIMALS_MAX), toScaled(b, DECIMALS_MAX)];
  return x.ok && y.ok ? fromScaled(x.value + y.value, DECIMALS_MAX) : a + b;
}

/** A number rounded to 8 decimals, for averages. */
export function roundDecimal(value: number): number {
  return Number(value.toFixed(DECIMALS_MAX));
}
