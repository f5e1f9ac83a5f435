import { z } from 'zod';
import { decimalText } from './decimal-text.ts';

const DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/;
const DECIMAL_LENGTH_MAX = 32;

/**
 * A positive amount as a tool takes it: a JSON number, or decimal text. Text that a JSON number does not carry exactly is refused,
 * never rounded.
 */
export const Decimal = z
  .union([
    z.number().positive(),
    z
      .string()
      .max(DECIMAL_LENGTH_MAX)
      .regex(DECIMAL, { error: 'is not a decimal number', abort: true })
      .refine(isExact, 'is zero, or has more digits than a JSON number carries'),
  ])
  .describe('A positive decimal, as text or as a number.');

/** The JSON number of an amount that `Decimal` accepts. */
export function numberOfDecimal(decimal: z.infer<typeof Decimal>): number {
  return Number(decimal);
}

function isExact(text: string): boolean {
  const value = Number(text);
  if (value <= 0) return false;
  return decimalText(value) === (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}
