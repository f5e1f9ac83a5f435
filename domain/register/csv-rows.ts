import { err, ok, type Result } from '../result.ts';
import { armed } from './disarmed-text.ts';
import { IMPORT_FIELDS, IMPORT_ROWS_MAX, type RawImportRow } from './import-rows.ts';
import { parseCsvLines } from './parse-csv.ts';

/** A row of a table, and the line of the file on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly row: RawImportRow;
}

/** More than all names of columns have. */
const HEAD_LENGTH_MAX = 10_000;
/** Of the end of a file: more than the blanks behind its last line. */
const TAIL_LENGTH_MAX = 1_000;
const FIELDS: ReadonlySet<string> = new Set(IMPORT_FIELDS);
/** What stands between columns where it is no comma, as its writer calls it. */
const OTHER_DIVIDERS: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
];
/** The line by which a spreadsheet says what divides its columns. */
const DIVIDER_LINE = /^sep=,$/i;

/**
 * Rows of an import that a spreadsheet has written (RFC 4180), or why the file is none. Names of columns count in any case; a column without name and
 * content, a row without any content, and a row that ends before its last, empty cells, are what spreadsheets leave at the edge of a table. A last row that is short and has no end of its line may
 * be cut off in the middle of a number.
 */
export function csvRows(csv: string): Result<readonly CsvRow[], string> {
  const parsed = parseCsvLines(csv);
  if (parsed === null) {
    // A quoted name that goes on behind its end may be followed by another divider.
    const other = otherDividerIn(csv.slice(0, HEAD_LENGTH_MAX).split(/\r|\n/)[0] ?? '');
    return err(other ?? 'the body is no CSV: a quotation is not closed, or goes on behind its end');
  }
  // `sep=,` is a row of two cells.
  const isDivider = DIVIDER_LINE.test((parsed[0]?.cells ?? []).join(','));
  const [head, ...lines] = isDivider ? parsed.slice(1) : parsed;
  if (head === undefined) return err('the body is no CSV with a line of names');
  // What UTF-16 comes to where it is read as UTF-8.
  if (head.cells.some((name) => name.includes('\0')))
    return err('names of columns have characters that are no text: save the table as CSV in UTF-8');
  const fault = dividerFault(head.cells);
  if (fault !== null) return err(fault);
  const names = head.cells.map((name) => name.trim().toLowerCase());
  const unknown = names.findIndex((name) => name !== '' && !FIELDS.has(name));
  if (unknown >= 0) {
    const name = head.cells[unknown]?.slice(0, 100) ?? '';
    return err(otherDividerIn(name) ?? `${name} is no column of an import`);
  }
  const named = names.filter((name) => name !== '');
  if (new Set(named).size < named.length) return err('a column occurs twice');
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0 || rows.length > IMPORT_ROWS_MAX) return err(`an import has 1 to ${IMPORT_ROWS_MAX} rows`);
  for (const [at, { cells, line }] of rows.entries()) {
    const where = `row ${at + 1} (line ${line})`;
    const isCutOff = at === rows.length - 1 && !/[\r\n]\s*$/.test(csv.slice(-TAIL_LENGTH_MAX));
    if (cells.length > names.length || (cells.length < names.length && isCutOff))
      return err(`${where} has ${cells.length} cells where there are ${names.length} columns`);
    const stray = cells.findIndex((cell, column) => names[column] === '' && cell.trim() !== '');
    if (stray >= 0) return err(`${where} has something in column ${stray + 1}, which has no name`);
  }
  return ok(
    rows.map(({ cells, line }) => ({
      line,
      row: Object.fromEntries(cells.flatMap((cell, at) => (names[at] === '' ? [] : [[names[at], textOf(cell)]]))),
    })),
  );
}

/** A formula that says nothing but a text keeps a spreadsheet from taking it for a number: `="001"`. */
const TEXT_FORMULA = /^="([^"]*)"$/;

function textOf(cell: string): string {
  return TEXT_FORMULA.exec(cell.trim())?.[1] ?? armed(cell);
}

function dividerFault(cells: readonly string[]): string | null {
  const [first = ''] = cells;
  return cells.length > 1 && !/^sep=/i.test(first) ? null : otherDividerIn(first);
}

/** What names of columns that hold another divider say of their file. */
function otherDividerIn(names: string): string | null {
  const other = OTHER_DIVIDERS.find(([divider]) => names.includes(divider));
  return other === undefined ? null : `columns are divided by commas, and those of this file by ${other[1]}`;
}
