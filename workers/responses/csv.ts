import { plainNumber } from '../../domain/money/plain-number.ts';
import { amountText } from '../../domain/register/amount-text.ts';
import { disarmed } from '../../domain/register/disarmed-text.ts';

type CsvRow = readonly (string | number | null)[];

/** A table as text/csv (RFC 4180), with a line of names first. */
export function csvOf(names: readonly string[], rows: readonly CsvRow[]): string {
  return csvLines([names, ...rows]);
}

/** Rows of such a table. */
export function csvLines(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: readers end a table at them, or drop them.
const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
/** What divides cells or rows for a spreadsheet of any country, and blanks that some drop. */
const QUOTED = /[",;|\t\r\n]|^\s|\s$/;

/** What a spreadsheet would take for a formula is disarmed, and a number has one reading in every country: imports take both back as they were. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return amountText(plainNumber(value));
  const text = disarmed(value.toWellFormed().replace(CONTROL_CHARACTERS, '\ufffd'));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
