/**
 * A number as decimal text, as tables and tools of agents give it: shortest form, without an exponent, which spreadsheets and people read otherwise.
 *
 * @example plainNumber(1.5e-8) // '0.000000015'
 */
export function plainNumber(value: number): string {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(mantissa) ?? [];
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, '0')}`;
}

/** The same of a number that may be missing. */
export function plainNumberOrNull(value: number | null): string | null {
  return value === null ? null : plainNumber(value);
}
