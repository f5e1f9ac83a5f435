import { z } from 'zod';
import { plainNumber } from '../../domain/money/plain-number.ts';

const DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/;
const DECIMAL_LENGTH_MAX = 32;

/**
 * A positive amount as a tool takes it: a JSON number, or decimal text. Text that a JSON number does not carry exactly is refused,
 * never rounded. Not a union: its schema would have no `type`, which hosts of some models refuse, and hide why a text is wrong.
 */
export const Decimal = z
  .unknown()
  .superRefine((value, context) => {
    const flaw = flawOf(value);
    if (flaw !== null) context.addIssue({ code: 'custom', message: flaw });
  })
  .meta({
    type: ['number', 'string'],
    exclusiveMinimum: 0,
    maxLength: DECIMAL_LENGTH_MAX,
    pattern: DECIMAL.source,
    description: 'A positive decimal, as text or as a number.',
  });

/** The JSON number of an amount that `Decimal` accepts. */
export function numberOfDecimal(decimal: z.infer<typeof Decimal>): number {
  return Number(decimal);
}

/** Why a value is no positive decimal, or null. */
function flawOf(value: unknown): string | null {
  if (value === undefined) return 'is missing';
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? null : 'is not above 0';
  if (typeof value !== 'string') return 'is neither a number nor decimal text';
  if (value.length > DECIMAL_LENGTH_MAX) return `is longer than ${DECIMAL_LENGTH_MAX} characters`;
  if (DECIMAL.test(value)) return flawOfExactness(value);
  return FLAWS_OF_FORM.find(([form]) => form.test(value))?.[1] ?? 'is not a decimal number';
}

/** Forms of numbers that are none here, the first that fits. */
const FLAWS_OF_FORM: readonly (readonly [form: RegExp, flaw: string])[] = [
  [/^$/, 'is empty'],
  [/^\s|\s$/, 'has spaces around it'],
  [/^\.\d+$/, 'lacks a digit before the point, as in 0.5'],
  [/^\d+\.$/, 'lacks a digit behind the point'],
  [/^0\d/, 'has zeros in front of it'],
  [/^\d[\d\s.',_]*$/, 'has separators: write digits and one point alone, such as 1000.5'],
  [/^\+/, 'has a sign: write it without'],
  [/^-/, 'is not above 0'],
  [/^[\d.]+e[+-]?\d+$/i, 'has an exponent: write all digits'],
];

function flawOfExactness(text: string): string | null {
  const value = Number(text);
  if (value <= 0) return 'is not above 0';
  const written = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return plainNumber(value) === written ? null : 'has more digits than a JSON number carries';
}
