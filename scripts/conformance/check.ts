import type { ConformanceDocument, ConformanceRow } from './document.ts';
import type { SpecificationRow } from './specification.ts';
import type { TestResult } from './test-report.ts';
import { type TestTitle, TITLE_SEPARATOR } from './test-titles.ts';
import { titlePattern } from './title-pattern.ts';

/** A test of the source, and the file it stands in. */
export interface KnownTest extends TestTitle {
  readonly file: string;
}

export interface Evidence {
  readonly tests: readonly KnownTest[];
  /** Each specification at hand by its file name. */
  readonly specifications: ReadonlyMap<string, readonly SpecificationRow[]>;
  /** Every test of the last full run; null where there is no report of one. */
  readonly results: readonly TestResult[] | null;
  /** Tests may be skipped: the data that they read is no part of the checkout, and is not here. */
  readonly isDataMissing: boolean;
}

/**
 * What is wrong with the document: an id given twice, a test that does not exist, is not told from others or did not pass, a row that
 * rests only on tests whose cases may go, and, for each specification at hand, a row of it that the document does not have.
 */
export function conformanceProblems(document: ConformanceDocument, evidence: Evidence): string[] {
  const problems = [...document.problems];

  const seen = new Map<string, number>();
  for (const row of document.rows) {
    const first = seen.get(row.id);
    if (first !== undefined) problems.push(`line ${row.line}: ${row.id} stands on line ${first} already`);
    seen.set(row.id, first ?? row.line);
    problems.push(...rowProblems(row, evidence).map((problem) => `line ${row.line}: ${row.id} ${problem}`));
  }

  for (const [file, stated] of evidence.specifications) {
    const open = document.rows.filter((row) => row.specification === file);
    for (const { section, quote, line } of stated) {
      const at = open.findIndex((row) => row.section === section && names(row.row, quote));
      if (at === -1) problems.push(`${file}:${line}: no row for ${JSON.stringify(quote)} under "${section}"`);
      else open.splice(at, 1);
    }
  }
  return problems;
}

function rowProblems(row: ConformanceRow, { tests, results, isDataMissing }: Evidence): string[] {
  const problems: string[] = [];
  const anyCase: string[] = [];
  for (const title of row.tests) {
    const meant = testsMeant(title, tests);
    const [test] = meant;
    if (test === undefined) problems.push(`names a test that does not exist: ${title}`);
    else if (meant.length > 1)
      problems.push(`may mean any of ${JSON.stringify(meant.map(({ file, title: full }) => `${file}: ${full}`))}`);
    else {
      const isOneCase = !isEndOf(title, test.title);
      if (test.hasCases && !isOneCase) anyCase.push(title);
      if (results !== null)
        problems.push(...resultProblems(title, isOneCase ? title : null, test, results, isDataMissing));
    }
  }
  if (row.tests.length > 0 && anyCase.length === row.tests.length)
    problems.push(`rests only on tests whose cases may go; name a case of: ${anyCase[0]}`);
  return problems;
}

/**
 * Tests whose title, or the end of it, is as given; else those that may have it as one of their cases, one of each file: which of a
 * file's own it is tells the run.
 */
function testsMeant(title: string, tests: readonly KnownTest[]): KnownTest[] {
  const exact = tests.filter((test) => test.title === title);
  if (exact.length > 0) return exact;
  const ends = tests.filter((test) => isEndOf(title, test.title));
  if (ends.length > 0) return ends;
  const tabled = tests.filter((test) => test.hasCases && titlePattern(test.title).test(title));
  return tabled.filter((test, at) => tabled.findIndex(({ file }) => file === test.file) === at);
}

function isEndOf(title: string, whole: string): boolean {
  return whole === title || whole.endsWith(TITLE_SEPARATOR + title);
}

function resultProblems(
  title: string,
  oneCase: string | null,
  test: KnownTest,
  results: readonly TestResult[],
  maySkip: boolean,
): string[] {
  const pattern = titlePattern(test.title);
  const ran = results.filter(
    (result) => result.file === test.file && (oneCase === null ? pattern.test(result.title) : result.title === oneCase),
  );
  if (ran.length === 0) return [`names a test that did not run: ${title}`];
  const other = ran.find(({ status }) => status !== 'passed' && !(maySkip && status === 'skipped'));
  return other === undefined ? [] : [`names a test that did not pass (${other.status}): ${other.title}`];
}

/** What may follow the quote: the next cell, or words of ours. */
const AFTER_QUOTE = [' · ', ': ', ' '];

function names(row: string, quote: string): boolean {
  const plain = row.replaceAll('`', '');
  return plain === quote || AFTER_QUOTE.some((sign) => plain.startsWith(quote + sign));
}
