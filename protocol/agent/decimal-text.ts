/**
 * A JSON number as plain decimal text, the way tools give numbers: shortest form, never an exponent.
 *
 * @example decimalText(0.0000001) // '0.0000001'
 */
export function decimalText(value: number): string {
  const [mantissa = '', exponentText] = String(value).split('e');
  if (exponentText === undefined) return mantissa;
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + exponent;
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** The same for a number that may be missing. */
export function decimalTextOrNull(value: number | null): string | null {
  return value === null ? null : decimalText(value);
}
