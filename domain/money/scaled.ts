import { err, ok, type Result } from '../result.ts';

/**
 * Money and quantities are integers inside and JSON numbers outside (docs/design/money.md#integers). A scaled integer `n` with scale
 * `s` stands for n / 10^s. Every scaled integer stays at or below 2^53 − 1, so a plain number carries it exactly.
 */
export type ScaledError =
  | { reason: 'not_finite' }
  | { reason: 'too_many_decimals'; decimals: number; decimals_max: number }
  | { reason: 'too_large' };

export type ScaledResult = Result<number, ScaledError>;

const SHORTEST_DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Turns a JSON number into a scaled integer from its shortest decimal form; more decimals than `scale` are refused, never rounded.
 *
 * @example toScaled(585.33, 4) // { ok: true, value: 5853300 }
 * @example toScaled(0.001, 2) // { ok: false, error: { reason: 'too_many_decimals', decimals: 3, decimals_max: 2 } }
 */
export function toScaled(value: number, scale: number): ScaledResult {
  if (!Number.isFinite(value)) return err({ reason: 'not_finite' });
  const match = SHORTEST_DECIMAL.exec(String(value));
  if (match === null) return err({ reason: 'not_finite' });
  const [, sign, whole = '', fraction = '', exponentText] = match;
  const exponent = Number(exponentText ?? 0);
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  const decimals = fraction.length - exponent;
  if (decimals > scale) {
    return err({ reason: 'too_many_decimals', decimals, decimals_max: scale });
  }
  if (digits.length + scale - decimals > 17) return err({ reason: 'too_large' });
  const magnitude = BigInt(digits) * 10n ** BigInt(scale - decimals);
  if (magnitude > BigInt(Number.MAX_SAFE_INTEGER)) return err({ reason: 'too_large' });
  return ok(Number(sign === '-' ? -magnitude : magnitude) + 0);
}

/** The JSON number that a scaled integer stands for: the double nearest to value / 10^scale. */
export function fromScaled(value: number, scale: number): number {
  return Number(`${value}e-${scale}`);
}
