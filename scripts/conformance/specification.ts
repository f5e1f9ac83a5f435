import { cellsOf, isSeparator } from './markdown-table.ts';

/** A row that a specification states, by the fewest of its first cells that tell it from the other rows of its table. */
export interface SpecificationRow {
  /** Headings from the second level down, joined by ` / `. */
  readonly section: string;
  readonly quote: string;
  readonly line: number;
}

/** Reads the table rows and numbered statements of a specification. */
export function specificationRows(markdown: string): SpecificationRow[] {
  const rows: SpecificationRow[] = [];
  let headings: string[] = [];
  let table: { cells: string[]; line: number }[] = [];
  const section = () => headings.join(' / ');

  const closeTable = () => {
    for (const [quote, row] of shortestQuotes(table.slice(1))) rows.push({ section: section(), quote, line: row.line });
    table = [];
  };

  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    if (text.startsWith('|')) {
      if (!isSeparator(text)) table.push({ cells: cellsOf(text), line });
      continue;
    }
    closeTable();
    const heading = /^(#{2,}) (.+)$/.exec(text);
    if (heading?.[1] !== undefined && heading[2] !== undefined)
      headings = [...headings.slice(0, heading[1].length - 2), heading[2]];
    const numbered = /^(\d+)\. /.exec(text);
    if (numbered !== null) rows.push({ section: section(), quote: `${numbered[1]}.`, line });
  }
  closeTable();
  return rows;
}

function shortestQuotes<T extends { cells: string[] }>(rows: readonly T[]): [string, T][] {
  return rows.map((row) => {
    for (let count = 1; count < row.cells.length; count += 1) {
      const quote = quoteOf(row.cells, count);
      if (rows.filter((other) => quoteOf(other.cells, count) === quote).length === 1) return [quote, row];
    }
    return [quoteOf(row.cells, row.cells.length), row];
  });
}

function quoteOf(cells: readonly string[], count: number): string {
  return cells
    .slice(0, count)
    .map((cell) => cell.replaceAll('`', ''))
    .filter((cell) => cell !== '')
    .join(' · ');
}
