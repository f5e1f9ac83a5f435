import { expect, test } from 'vitest';
import { bookRunbookOf } from './book-halt.ts';

const SOURCES = import.meta.glob<string>('../../../durable-objects/order-book/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test.each([
  ['row 7 of the journal is of engine version 13, and this code has 11 and 12', 'run.book_version', false],
  ['row 7 of the journal is not what was journaled', 'run.book_journal', true],
  ['replay of row 7 of the journal gave other effects than it had', 'run.book_journal', true],
  ['batch 7: 3 shares are missing', 'run.book_halted', true],
])('the book that says "%s" has its runbook', (halted, key, mayTry) => {
  expect(bookRunbookOf(halted)).toMatchObject({ key, mayTry });
});

test.each([
  ['journal/engine-version.ts', '… is of engine version …, and this code has …'],
  ['journal/journal-chain.ts', 'row … of the journal is not what was journaled'],
  ['order-book.ts', 'replay of row … of the journal gave other effects than it had'],
  ['cycle/order-flow.ts', 'batch …: …'],
])('%s still says "%s", by which its runbook is found', (file, words) => {
  const source = SOURCES[`../../../durable-objects/order-book/${file}`];
  expect(source?.replaceAll(/\$\{[^}]*\}/g, '…')).toContain(words);
});
