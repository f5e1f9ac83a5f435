import type { ConformanceRow } from './document.ts';
import { cellsOf, isSeparator } from './markdown-table.ts';

/** A sentence that a specification says outside its tables. */
export interface SpecificationSentence {
  readonly text: string;
  readonly line: number;
}

/** A line of docs/conformance-prose.md: a sentence as the specification has it, and what answers it. */
export interface ProseEntry {
  readonly specification: string;
  readonly sentence: string;
  /** Ids of rows, separated by commas, then words of ours; or one of `ANSWERS_WITHOUT_ROW` and words of ours. */
  readonly answer: string;
  readonly line: number;
}

/** `no demand`: it asks for nothing. `choice`: it leaves something open, and the decision is linked. `not yet`: nothing proves it. */
const ANSWERS_WITHOUT_ROW = /^(no demand(: .+)?|choice: .*\]\([a-z/-]+\.md.*\).*|not yet: .+)$/;
const ROW_IDS = /^[A-Z]-[A-Z]+-\d{2}(, [A-Z]-[A-Z]+-\d{2})*(?=$|[:;] )/;

/** A sentence ends before a capital, a digit, a code or a placeholder: "shown. See", "(2 %). `id`". */
const SENTENCE_END = /(?<=[.!?])(?<!e\.g\.)\s+(?=[A-Z0-9`{(])/;
const LIST_MARK = /^\s*(?:-|\d+\.)\s+/;

/** Reads what a specification says in paragraphs, lists and numbered statements, sentence by sentence. */
export function specificationSentences(markdown: string): SpecificationSentence[] {
  return markdown.split('\n').flatMap((text, index) => {
    if (text.trim() === '' || text.startsWith('|') || text.startsWith('#')) return [];
    return text
      .replace(LIST_MARK, '')
      .trim()
      .split(SENTENCE_END)
      .map((sentence) => ({ text: sentence, line: index + 1 }));
  });
}

/** Reads docs/conformance-prose.md: under `## <file without its ending>` one table `sentence | answer`. */
export function proseEntries(markdown: string): ProseEntry[] {
  const entries: ProseEntry[] = [];
  let specification = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.startsWith('## ')) specification = `${text.slice(3)}.md`;
    if (!text.startsWith('|') || isSeparator(text) || specification === '') continue;
    const [sentence = '', answer = ''] = cellsOf(text);
    if (sentence === 'sentence') continue;
    entries.push({ specification, sentence, answer, line: index + 1 });
  }
  return entries;
}

/**
 * What is wrong with the list of sentences: an answer that is neither rows nor a reason, a row that does not exist, and, for each
 * specification at hand, a sentence of it without an entry, or an entry that quotes no sentence of it.
 */
export function proseProblems(
  entries: readonly ProseEntry[],
  rows: readonly ConformanceRow[],
  specifications: ReadonlyMap<string, readonly SpecificationSentence[]>,
): string[] {
  const problems: string[] = [];
  const ids = new Set(rows.map(({ id }) => id));
  for (const { answer, line } of entries) {
    const named = ROW_IDS.exec(answer)?.[0].split(', ') ?? [];
    if (named.length === 0 && !ANSWERS_WITHOUT_ROW.test(answer))
      problems.push(`line ${line}: name rows, a choice with its decision, \`no demand\` or \`not yet: …\`: ${answer}`);
    for (const id of named) if (!ids.has(id)) problems.push(`line ${line}: no row ${id}`);
  }
  for (const [file, sentences] of specifications) {
    const open = entries.filter(({ specification }) => specification === file);
    for (const { text, line } of sentences) {
      const at = open.findIndex(({ sentence }) => sentence === text);
      if (at === -1) problems.push(`${file}:${line}: no entry for ${JSON.stringify(text)}`);
      else open.splice(at, 1);
    }
    for (const { sentence, line } of open)
      problems.push(`line ${line}: ${file} does not say ${JSON.stringify(sentence)}`);
  }
  return problems;
}
