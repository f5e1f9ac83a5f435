import { err, ok, type Result } from '../result.ts';
import { IMPORT_FIELDS, IMPORT_ROWS_MAX, type RawImportRow } from './import-rows.ts';
import { parseCsvLines } from './parse-csv.ts';

/** A row of a table, and the line of the file on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly row: RawImportRow;
}

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
 * content, and a row without any content, are what spreadsheets leave at the edge of a table.
 */
export function csvRows(csv: string): Result<readonly CsvRow[], string> {
  const parsed = parseCsvLines(csv);
  if (parsed === null) return err('the body is no CSV: a quotation is not closed, or goes on behind its end');
  // `sep=,` is a row of two cells.
  const isDivider = DIVIDER_LINE.test((parsed[0]?.cells ?? []).join(','));
  const [head, ...lines] = isDivider ? parsed.slice(1) : parsed;
  if (head === undefined) return err('the body is no CSV with a line of names');
  const fault = dividerFault(head.cells);
  if (fault !== null) return err(fault);
  const names = head.cells.map((name) => name.trim().toLowerCase());
  const unknown = names.findIndex((name) => name !== '' && !FIELDS.has(name));
  if (unknown >= 0) return err(`${head.cells[unknown]?.slice(0, 100)} is no column of an import`);
  const named = names.filter((name) => name !== '');
  if (new Set(named).size < named.length) return err('a column occurs twice');
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0 || rows.length > IMPORT_ROWS_MAX) return err(`an import has 1 to ${IMPORT_ROWS_MAX} rows`);
  for (const [at, { cells, line }] of rows.entries()) {
    const where = `row ${at + 1} (line ${line})`;
    if (cells.length !== names.length)
      return err(`${where} has ${cells.length} cells where there are ${names.length} columns`);
    const stray = cells.findIndex((cell, column) => names[column] === '' && cell.trim() !== '');
    if (stray >= 0) return err(`${where} has something in column ${stray + 1}, which has no name`);
  }
  return ok(
    rows.map(({ cells, line }) => ({
      line,
      row: Object.fromEntries(cells.flatMap((cell, at) => (names[at] === '' ? [] : [[names[at], cell]]))),
    })),
  );
}

function dividerFault(cells: readonly string[]): string | null {
  const [first = ''] = cells;
  if (cells.length > 1 && !/^sep=/i.test(first)) return null;
  const other = OTHER_DIVIDERS.find(([divider]) => first.includes(divider));
  return other === undefined ? null : `columns are divided by commas, and those of this file by ${other[1]}`;
}
