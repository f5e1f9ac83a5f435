import type { ConformanceDocument } from './document.ts';
import type { SpecificationRow } from './specification.ts';
import { TITLE_SEPARATOR } from './test-titles.ts';

/**
 * What is wrong with the document: an id given twice, a test that does not exist or is not told from others, and, for each
 * specification at hand, a row of it that the document does not have.
 */
export function conformanceProblems(
  document: ConformanceDocument,
  titles: ReadonlySet<string>,
  specifications: ReadonlyMap<string, readonly SpecificationRow[]>,
): string[] {
  const problems = [...document.problems];

  const seen = new Map<string, number>();
  for (const row of document.rows) {
    const first = seen.get(row.id);
    if (first !== undefined) problems.push(`line ${row.line}: ${row.id} stands on line ${first} already`);
    seen.set(row.id, first ?? row.line);
    for (const title of row.tests) {
      const meant = titles.has(title)
        ? [title]
        : [...titles].filter((known) => known.endsWith(TITLE_SEPARATOR + title));
      if (meant.length === 0) problems.push(`line ${row.line}: ${row.id} names a test that does not exist: ${title}`);
      if (meant.length > 1) problems.push(`line ${row.line}: ${row.id} may mean any of ${JSON.stringify(meant)}`);
    }
  }

  for (const [file, stated] of specifications) {
    const open = document.rows.filter((row) => row.specification === file);
    for (const { section, quote, line } of stated) {
      const at = open.findIndex((row) => row.section === section && names(row.row, quote));
      if (at === -1) problems.push(`${file}:${line}: no row for ${JSON.stringify(quote)} under "${section}"`);
      else open.splice(at, 1);
    }
  }
  return problems;
}

/** What may follow the quote: the next cell, or words of ours. */
const AFTER_QUOTE = [' · ', ': ', ' '];

function names(row: string, quote: string): boolean {
  const plain = row.replaceAll('`', '');
  return plain === quote || AFTER_QUOTE.some((sign) => plain.startsWith(quote + sign));
}
