import { expect, test } from 'vitest';
import { StoredJournal } from '../ledger/journal.fixtures.ts';
import { CHAIN_START, JournalBroken } from '../ledger/journal-chain.ts';
import { bodyFault, headerFault } from './block.ts';
import { BLOCK_SETTLEMENTS_MAX, BlockMaker, type MadeBlock } from './block-maker.ts';
import { landedBatch, tradeOf } from './rows.fixtures.ts';

const COMMITTEE = 'c'.repeat(64);
const KEY = 'a key of the venue';

/** Rows at these times, each with so many trades. */
function journal(...rows: readonly (readonly [time: number, trades: number])[]): StoredJournal {
  const made = new StoredJournal();
  let number = 0;
  for (const [time, trades] of rows)
    made.append(
      time,
      landedBatch(
        time,
        Array.from({ length: trades }, () => tradeOf(++number)),
      ),
    );
  return made;
}

function blocksOf({ rows }: StoredJournal, parts: readonly number[] = [rows.length]): MadeBlock[] {
  const blocks: (MadeBlock | null)[] = [];
  let from = 0;
  for (const part of parts) {
    const parent = blocks.findLast((made) => made !== null)?.block.header ?? null;
    const maker = new BlockMaker(COMMITTEE, parent, rows[from - 1] ?? CHAIN_START, KEY);
    for (const row of rows.slice(from, from + part)) blocks.push(maker.add(row));
    blocks.push(maker.end());
    from += part;
  }
  return blocks.filter((made) => made !== null);
}

const shapeOf = ({ block: { header } }: MadeBlock) => [
  header.firstRow,
  header.lastRow,
  header.settlements,
  header.slot,
];

test('rows of one millisecond make a block, and rows that settle nothing go with what follows', () => {
  const blocks = blocksOf(journal([100, 0], [100, 2], [100, 1], [101, 0], [102, 1], [102, 0], [103, 0]));
  expect(blocks.map(shapeOf)).toEqual([
    [1, 3, 3, 100],
    [4, 6, 1, 102],
  ]);
});

test('a block is right by itself and after the one before, however the journal was parted', () => {
  const whole = journal([100, 1], [100, 2], [100, 0], [105, 3], [105, 1], [106, 0], [107, 2], [107, 0]);
  for (const parts of [[8], [1, 7], [2, 1, 1, 4], [1, 1, 1, 1, 1, 1, 1, 1]]) {
    const blocks = blocksOf(whole, parts);
    let parent = null;
    for (const { block, entries } of blocks) {
      expect(headerFault(block.header, parent)).toBeNull();
      expect(bodyFault(block)).toBeNull();
      expect(entries.map(({ hash }) => hash)).toEqual(block.body.settlements);
      expect(block.header.journalHash).toBe(whole.rows[block.header.lastRow - 1]?.hash);
      parent = block.header;
    }
    expect(blocks.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(
      Array.from({ length: 9 }, (_, at) => tradeOf(at + 1).id),
    );
  }
});

test('a block that begins in the millisecond of the one before has the next slot', () => {
  const blocks = blocksOf(journal([100, 1], [100, 1], [100, 1]), [1, 1, 1]);
  expect(blocks.map(({ block }) => block.header.slot)).toEqual([100, 101, 102]);
});

test('a full block takes no further row, and a row is never parted', () => {
  const many = BLOCK_SETTLEMENTS_MAX - 1;
  const blocks = blocksOf(journal([100, many], [100, 2], [100, many]));
  expect(blocks.map(({ block }) => block.header.settlements)).toEqual([many, 2, many]);
  expect(blocksOf(journal([100, BLOCK_SETTLEMENTS_MAX + 1])).map(shapeOf)).toEqual([
    [1, 1, BLOCK_SETTLEMENTS_MAX + 1, 100],
  ]);
});

test('a row that is not the next one of the chain makes no block', () => {
  const { rows } = journal([100, 1], [101, 1]);
  const maker = new BlockMaker(COMMITTEE, null, CHAIN_START, KEY);
  const [first, second] = rows;
  if (first === undefined || second === undefined) throw new Error('two rows');
  expect(() => maker.add(second)).toThrow(JournalBroken);
  maker.add(first);
  expect(() =>
    maker.add({ ...second, text: second.text.replace('"price"', '"prize"').replace('landed', 'langed') }),
  ).toThrow(JournalBroken);
});
