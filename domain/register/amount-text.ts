/**
 * A group of thousands in half of the world, decimals in the other half. A leading zero, as in `01.250`, begins no group: so written it is a number with
 * decimals everywhere.
 */
const THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;
const PLAIN = /^\d+(?:\.(\d+))?$/;

/**
 * Why an amount that was sent as text is not taken: another country, or a spreadsheet, would read another number. Null for one that has a single reading.
 * Zeros behind the last decimal count, but for the two of `250.00`.
 *
 * @param scale decimals that the amount may have
 */
export function amountTextFault(text: string, scale: number): string | null {
  const [plain, decimals = ''] = PLAIN.exec(text) ?? [];
  if (plain === undefined) return oddFault(text);
  if (THOUSANDS.test(text))
    return scale < 3
      ? `has ${decimals.length} decimals where up to ${scale} are counted, and may mean ${text.replace('.', '')}`
      : `may mean ${text.replace('.', '')}: write that, or 0${text} for the decimals`;
  if (decimals.length > scale && decimals !== '00')
    return `has ${decimals.length} decimals where up to ${scale} are counted`;
  return null;
}

/** Whether a point in it divides thousands for half of the world. */
export function readsAsThousands(text: string): boolean {
  return THOUSANDS.test(text);
}

/** A text of so many decimals that has a single reading. */
export function amountText(decimal: string): string {
  const [sign, digits] = decimal.startsWith('-') ? ['-', decimal.slice(1)] : ['', decimal];
  return THOUSANDS.test(digits) ? `${sign}0${digits}` : decimal;
}

function oddFault(text: string): string {
  for (const [pattern, fault] of ODD) if (pattern.test(text)) return fault;
  return 'is no number of digits 0 to 9, with a point before its decimals';
}

const ODD: readonly (readonly [RegExp, string])[] = [
  [/^[=@]/, 'is a formula: an amount has digits and a point alone'],
  [/^[+\-\u2212(]/, 'has a sign: an amount has digits and a point alone'],
  [/\p{Sc}/u, 'has the sign of a currency: an amount has digits and a point alone'],
  [/[\s'\u2019\u02bc_]/u, 'has a space or an apostrophe between digits: thousands are not separated'],
  [/[,\u066b\u066c\uff0c]/, 'has a comma: thousands are not separated, and decimals follow a point'],
  [/^\d[\d.]*e[+-]?\d+$/i, 'is written with an exponent: write its digits'],
  [/[^\p{ASCII}]/u, 'has characters other than the digits 0 to 9 and a point'],
];
