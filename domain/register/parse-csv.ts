/** A row, and the line of the text on which it begins; the first is 1. */
export interface CsvLine {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Rows of cells (RFC 4180); null where a quotation is not closed, or goes on behind its end. Empty lines are no rows. */
export function parseCsv(text: string): (readonly string[])[] | null {
  return parseCsvLines(text)?.map(({ cells }) => cells) ?? null;
}

/** The same, each row with its line: a quotation may hold several, and empty ones count. */
export function parseCsvLines(text: string): CsvLine[] | null {
  const rows: CsvLine[] = [];
  let row: string[] = [];
  let line = 1;
  let begins = 1;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      const end = quotedEnd(text, at);
      if (end < 0) return null;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      line += cell.match(/\r\n?|\n/g)?.length ?? 0;
      at = end + 1;
      if (at < text.length && !',\r\n'.includes(text[at] as string)) return null;
    } else {
      const end = plainEnd(text, at);
      cell = text.slice(at, end);
      at = end;
    }
    row.push(cell);
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) row.push('');
      continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    if (row.length > 1 || row[0] !== '') rows.push({ cells: row, line: begins });
    row = [];
    line += 1;
    begins = line;
  }
  if (row.length > 0) rows.push({ cells: row, line: begins });
  return rows;
}

/** Where a quotation that begins at `from` ends, −1 where it does not. */
function quotedEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !',\r\n'.includes(text[at] as string)) at += 1;
  return at;
}
