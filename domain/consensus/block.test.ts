import { expect, test } from 'vitest';
import { type BlockHeader, blockHash, bodyFault, headerFault } from './block.ts';
import { blockOf, settlement } from './chain.fixtures.ts';

const COMMITTEE = 'c'.repeat(64);
const first = blockOf(COMMITTEE, null, [settlement(1), settlement(2)]);
const second = blockOf(COMMITTEE, first.header, [settlement(3)]);

test('blocks follow each other', () => {
  expect(headerFault(first.header, null)).toBeNull();
  expect(headerFault(second.header, first.header)).toBeNull();
  expect(bodyFault(first)).toBeNull();
});

test.each(Object.keys(first.header) as (keyof BlockHeader)[])('another %s is another block', (field) => {
  const value = first.header[field];
  const other = { ...first.header, [field]: typeof value === 'number' ? value + 1 : 'e'.repeat(64) };
  expect(blockHash(other)).not.toBe(blockHash(first.header));
});

test.each([
  ['its height', { height: 3 }],
  ['its parent', { parent: blockHash(second.header) }],
  ['its slot', { slot: first.header.slot }],
  ['its first row', { firstRow: first.header.lastRow }],
  ['its first row', { firstRow: first.header.lastRow + 2, lastRow: first.header.lastRow + 9 }],
  ['no row', { lastRow: first.header.lastRow }],
  ['no settlement', { settlements: 0 }],
  ['a number', { slot: 1.5 }],
  ['a number', { slot: Number.MAX_VALUE }],
  ['a hash', { journalHash: 'D'.repeat(64) }],
] as const)('a block does not follow for %s', (reason, change) => {
  expect(headerFault({ ...second.header, ...change }, first.header)).toContain(reason);
});

test('the first block follows nothing', () => {
  expect(headerFault({ ...first.header, parent: COMMITTEE }, null)).toContain('parent');
  expect(headerFault({ ...first.header, firstRow: 2 }, null)).toContain('first row');
});

test('a body is the one that its header speaks of', () => {
  const [one = '', two = ''] = first.body.settlements;
  const [book] = first.body.books;
  if (book === undefined) throw new Error('no book');
  expect(bodyFault({ ...first, body: { ...first.body, settlements: [two, one] } })).toContain('another root');
  expect(bodyFault({ ...first, body: { ...first.body, settlements: [one] } })).toContain('number of settlements');
  expect(bodyFault({ ...first, body: { ...first.body, books: [{ ...book, settledTo: 11 }] } })).toContain(
    'another root',
  );
  expect(bodyFault({ ...first, body: { ...first.body, books: [book, book] } })).toContain('no order');
});
