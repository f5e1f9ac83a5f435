import { type Evidence, titleProblems } from './check.ts';
import { cellsOf, isSeparator } from './markdown-table.ts';

/** A line of docs/decisions/outside-review.md: what a review from outside has found, and what became of it. */
export interface ReviewEntry {
  readonly number: string;
  readonly fault: string;
  /** Titles of tests, as rows of docs/conformance.md name them. */
  readonly tests: readonly string[];
  /** What else answers it: decisions that are linked, rows, pages that say what is open. */
  readonly words: readonly string[];
  readonly line: number;
}

const NUMBER = /^[XRECBMTI]-\d{2}(\.\d{1,2})?$/;
const TITLE = /^`(.+)`$/s;
const LINK = /\]\([a-z./-]+\.md(#[^)]+)?\)/;
const NOT_YET = /^not yet: .+/;

/** Reads the page: one table or several `number | fault | answer`. */
export function reviewEntries(markdown: string): ReviewEntry[] {
  const entries: ReviewEntry[] = [];
  for (const [index, text] of markdown.split('\n').entries()) {
    if (!text.startsWith('|') || isSeparator(text)) continue;
    const [number = '', fault = '', answer = ''] = cellsOf(text);
    if (number === 'number') continue;
    const parts = answer.split('<br>').map((part) => part.trim());
    entries.push({
      number,
      fault,
      tests: parts.flatMap((part) => TITLE.exec(part)?.[1] ?? []),
      words: parts.filter((part) => part !== '' && !TITLE.test(part)),
      line: index + 1,
    });
  }
  return entries;
}

/** What is wrong with the page: a number that is none or stands twice, a test that does not exist, a fault without an answer. */
export function reviewProblems(entries: readonly ReviewEntry[], evidence: Evidence): string[] {
  const problems: string[] = [];
  const seen = new Map<string, number>();
  for (const { number, fault, tests, words, line } of entries) {
    const say = (problem: string) => problems.push(`line ${line}: ${number} ${problem}`);
    const first = seen.get(number);
    if (!NUMBER.test(number)) say('is no number of a finding');
    if (first !== undefined) say(`stands on line ${first} already`);
    seen.set(number, first ?? line);
    if (fault === '') say('names no fault');
    if (tests.length === 0 && !words.some((part) => LINK.test(part) || NOT_YET.test(part)))
      say('has no answer: name a test, link a decision or a page, or say `not yet: …`');
    for (const problem of titleProblems(tests, evidence)) say(problem);
  }
  return problems;
}
