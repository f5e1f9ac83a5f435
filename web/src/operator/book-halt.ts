import type { OperatorKey } from './use-operator-words.ts';

/** What a book says when it stops (docs/architecture.md), what is to be done of each, and whether to let it try again may help. */
const RUNBOOKS: readonly { readonly words: RegExp; readonly key: OperatorKey; readonly mayTry: boolean }[] = [
  { words: /is of engine version \d+, and this code has/, key: 'run.book_version', mayTry: false },
  { words: /of the journal is not what was journaled|^replay of row/, key: 'run.book_journal', mayTry: true },
];

/** The runbook of a halt of a book, by its words. */
export function bookRunbookOf(halted: string): { readonly key: OperatorKey; readonly mayTry: boolean } {
  return RUNBOOKS.find(({ words }) => words.test(halted)) ?? { key: 'run.book_halted', mayTry: true };
}
