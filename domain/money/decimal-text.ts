import { err, ok } from '../result.ts';
import type { ScaledResult } from './scaled.ts';

const DECIMAL = /^(-?)(\d{1,24})(?:\.(\d{1,24}))?$/;

/**
 * Turns a decimal as text into a scaled integer, exactly. Zeros at its end count for nothing; other decimals beyond `scale` are refused, never
 * rounded.
 *
 * @example decimalToScaled('212.5000', 2) // { ok: true, value: 21250 }
 * @example decimalToScaled('0.001', 2) // { ok: false, error: { reason: 'too_many_decimals', decimals: 3, decimals_max: 2 } }
 */
export function decimalToScaled(text: string, scale: number): ScaledResult {
  const match = DECIMAL.exec(text);
  if (match === null) return err({ reason: 'not_finite' });
  const [, sign, whole = '', zeroed = ''] = match;
  const fraction = zeroed.replace(/0+$/, '');
  if (fraction.length > scale) {
    return err({ reason: 'too_many_decimals', decimals: fraction.length, decimals_max: scale });
  }
  const magnitude = BigInt(whole + fraction.padEnd(scale, '0'));
  if (magnitude > BigInt(Number.MAX_SAFE_INTEGER)) return err({ reason: 'too_large' });
  return ok(Number(sign === '-' ? -magnitude : magnitude) + 0);
}

/**
 * The shortest decimal that a scaled integer stands for.
 *
 * @example scaledToDecimal(2_125_000, 4) // '212.5'
 */
export function scaledToDecimal(value: number | bigint, scale: number): string {
  const digits = String(value < 0 ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
