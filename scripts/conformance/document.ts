import { cellsOf, isSeparator } from './markdown-table.ts';

export interface ConformanceRow {
  readonly id: string;
  /** File name of the specification, from the second-level heading. */
  readonly specification: string;
  /** Section of the specification, from the third-level heading. */
  readonly section: string;
  /** The specification's words that name the row, and after a colon ours, if any. */
  readonly row: string;
  /** Empty where the row says `not yet`. */
  readonly tests: readonly string[];
  readonly line: number;
}

export interface ConformanceDocument {
  readonly rows: readonly ConformanceRow[];
  readonly problems: readonly string[];
}

const ID = /^[A-Z]-[A-Z]+-\d{2}$/;
const NOT_YET = 'not yet';
/** Behind the number of a numbered statement: the end of one sentence, or of one part of it, before another. */
const SECOND_SENTENCE = /(?<!^\d+)[.;!?]\s/;

/** Reads docs/conformance.md: under `## <file>` and `### <section>` one table `id | row | tests`. */
export function conformanceDocument(markdown: string): ConformanceDocument {
  const rows: ConformanceRow[] = [];
  const problems: string[] = [];
  let specification = '';
  let section = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    if (text.startsWith('## ')) {
      specification = text.slice(3);
      section = '';
    } else if (text.startsWith('### ')) section = text.slice(4);
    if (!text.startsWith('|') || isSeparator(text) || specification === '') continue;
    const [id = '', row = '', tests = '', ...more] = cellsOf(text);
    if (id === 'id') continue;
    if (!ID.test(id)) problems.push(`line ${line}: ${JSON.stringify(id)} is no row id`);
    if (SECOND_SENTENCE.test(row)) problems.push(`line ${line}: ${id} is more than one sentence`);
    if (more.length > 0) problems.push(`line ${line}: ${id} has more than three cells`);
    if (tests === '') problems.push(`line ${line}: ${id} names no test; say \`${NOT_YET}\` where there is none`);
    rows.push({
      id,
      specification,
      section,
      row,
      tests: tests === NOT_YET ? [] : tests.split('<br>').map(titleOf),
      line,
    });
  }
  return { rows, problems };
}

function titleOf(cell: string): string {
  return cell.trim().replace(/^`(.*)`$/s, '$1');
}
