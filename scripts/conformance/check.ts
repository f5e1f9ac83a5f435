import type { Arranged } from './arranged.ts';
import type { ConformanceDocument } from './document.ts';
import type { SpecificationRow } from './specification.ts';
import type { TestResult } from './test-report.ts';
import { type TestTitle, TITLE_SEPARATOR } from './test-titles.ts';
import { hasPlaceholder, titlePattern } from './title-pattern.ts';

/** A test of the source, and the file it stands in. */
export interface KnownTest extends TestTitle {
  readonly file: string;
  /** Tables that it writes by statements of its own; none where it is left out. */
  readonly writes?: readonly string[];
}

export interface Evidence {
  readonly tests: readonly KnownTest[];
  /** Each specification at hand by its file name. */
  readonly specifications: ReadonlyMap<string, readonly SpecificationRow[]>;
  /** What tests may write though rows rest on them. */
  readonly arranged?: readonly Arranged[];
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
    problems.push(...titleProblems(row.tests, evidence).map((problem) => `line ${row.line}: ${row.id} ${problem}`));
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

/** What is wrong with the titles by which a row is proved. */
export function titleProblems(
  titles: readonly string[],
  { tests, results, isDataMissing, arranged = [] }: Evidence,
): string[] {
  const problems: string[] = [];
  const anyCase: string[] = [];
  for (const title of titles) {
    const meant = testsMeant(title, tests);
    const [test] = meant;
    if (test === undefined) problems.push(noTestProblem(title, tests));
    else if (meant.length > 1)
      problems.push(`may mean any of ${JSON.stringify(meant.map(({ file, title: full }) => `${file}: ${full}`))}`);
    else {
      for (const table of unarranged(test, arranged))
        problems.push(`rests on a test that writes ${table} itself, which the product should: ${title}`);
      const isOneCase = !isEndOf(title, test.title);
      if (test.hasCases && !isOneCase) anyCase.push(title);
      if (results !== null)
        problems.push(...resultProblems(title, isOneCase ? title : null, test, results, isDataMissing));
    }
  }
  if (titles.length > 0 && anyCase.length === titles.length)
    problems.push(`rests only on tests whose cases may go; name a case of: ${anyCase[0]}`);
  return problems;
}

function unarranged({ file, writes = [] }: KnownTest, arranged: readonly Arranged[]): string[] {
  return [...new Set(writes)].filter((table) => !arranged.some((each) => each.file === file && each.table === table));
}

/** What is said to be arranged, and no test of the file writes. */
export function arrangedProblems(arranged: readonly Arranged[], tests: readonly KnownTest[]): string[] {
  return arranged
    .filter(({ file, table }) => !tests.some((test) => test.file === file && test.writes?.includes(table) === true))
    .map(({ file, table }) => `no test of ${file} writes ${table} itself any more (scripts/conformance/arranged.ts)`);
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
  const tabled = casesMeant(title, tests).filter((test) => elsewhereIn(title, test, tests) === null);
  return tabled.filter((test, at) => tabled.findIndex(({ file }) => file === test.file) === at);
}

function casesMeant(title: string, tests: readonly KnownTest[]): KnownTest[] {
  return tests.filter((test) => test.hasCases && titlePattern(test.title).test(title));
}

/** The suite of the test's file that the title begins with, where it does not hold the test: no case of the test is named so. */
function elsewhereIn(title: string, test: KnownTest, tests: readonly KnownTest[]): string | null {
  const own = test.suites.join(TITLE_SEPARATOR);
  for (const { file, suites } of tests) {
    if (file !== test.file) continue;
    for (const at of suites.keys())
      for (let from = at; from >= 0; from -= 1) {
        const suite = suites.slice(from, at + 1).join(TITLE_SEPARATOR);
        if (hasPlaceholder(suite) || !title.startsWith(suite + TITLE_SEPARATOR)) continue;
        if (!`${TITLE_SEPARATOR}${own}${TITLE_SEPARATOR}`.includes(TITLE_SEPARATOR + suite + TITLE_SEPARATOR))
          return suite;
      }
  }
  return null;
}

function noTestProblem(title: string, tests: readonly KnownTest[]): string {
  const [test] = casesMeant(title, tests);
  if (test === undefined) return `names a test that does not exist: ${title}`;
  const suite = elsewhereIn(title, test, tests);
  return `names a test that ${JSON.stringify(suite)} of ${test.file} does not hold: ${title}`;
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
