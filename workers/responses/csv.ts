import { plainNumber } from '../../domain/money/plain-number.ts';

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
/** What a spreadsheet takes for the beginning of a formula, with the wide forms that some turn into these. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text that a spreadsheet would take for a formula is quoted as text. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return plainNumber(value);
  const clean = value.toWellFormed().replace(CONTROL_CHARACTERS, '\ufffd');
  const text = FORMULA.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
