import { describe, expect, test } from 'vitest';
import { StoredJournal } from './journal.fixtures.ts';
import { JournalBroken, type StoredRow } from './journal-chain.ts';
import { type JournalSegment, rowsOfSegment, segmentKey, segmentOf, segmentText } from './journal-segment.ts';
import { type JournalPart, type JournalSource, journalRows } from './journal-source.ts';

const journal = new StoredJournal();
for (const [index, text] of ['one', 'two\\nlines', 'thr"ee', 'four é 😀', 'five', 'six'].entries())
  journal.append(100 + index, text);
const { rows } = journal;

function between(first: number, last: number): { segment: JournalSegment; text: string; rows: StoredRow[] } {
  const part = rows.slice(first - 1, last);
  return { segment: segmentOf(part, rows[first - 2]?.hash ?? ''), text: segmentText(part), rows: part };
}

describe('a segment', () => {
  test('gives back the rows that went in, whatever their text', () => {
    const { segment, text, rows: part } = between(2, 4);
    expect(segment).toEqual({
      first: 2,
      last: 4,
      firstTime: 101,
      lastTime: 103,
      previousHash: rows[0]?.hash,
      hash: rows[3]?.hash,
    });
    expect(text.split('\n')).toHaveLength(7);
    expect(rowsOfSegment(segment, text)).toEqual(part);
  });

  test('has a key that sorts by its rows', () => {
    const keys = [1, 2, 10, 1_000_000, 9_007_199_254_740_991].map((first) =>
      segmentKey('ledger:0', { first, last: first }),
    );
    expect(keys.toSorted()).toEqual(keys);
    expect(keys[0]).toBe('ledger:0/0000000000000001-0000000000000001.jsonl');
  });

  test.each([
    ['lacks its last row', between(2, 3).text, 'segment 2 to 4: it ends with row 3'],
    ['lacks its first row', between(3, 4).text, 'segment 2 to 4: journal row 2 is missing'],
    [
      'was changed',
      between(2, 4).text.replace('thr', 'THR'),
      'segment 2 to 4: journal row 3 does not continue the chain',
    ],
    ['is cut', between(2, 4).text.replace('{"seq":3', '\n{"seq"'), 'segment 2 to 4: a line is no JSON'],
    ['ends within a row', between(2, 4).text.replace(/four.*\n/, ''), 'segment 2 to 4: its last row has no text'],
    ['is empty', '', 'segment 2 to 4: it ends with row 1'],
  ])('that %s is refused', (_, text, reason) => {
    expect(() => rowsOfSegment(between(2, 4).segment, text)).toThrow(new JournalBroken(reason));
  });

  test('with other rows, hashed anew, is refused', () => {
    const other = new StoredJournal();
    for (const row of rows) other.append(row.time, row.text.replace('four', 'FOUR'));
    const text = segmentText(other.rows.slice(1, 4));
    expect(() => rowsOfSegment(between(2, 4).segment, text)).toThrow(/^segment 2 to 4: it is not what was sealed$/);
  });
});

/** Segments first, then a row an answer. */
function sourceOf(segments: readonly ReturnType<typeof between>[]): JournalSource {
  const key = ({ segment }: ReturnType<typeof between>): string => segmentKey('s', segment);
  return {
    async partAfter(seq): Promise<JournalPart> {
      const found = segments.find(({ segment }) => segment.last > seq);
      if (found !== undefined) return { type: 'segment', key: key(found), segment: found.segment };
      return { type: 'rows', rows: rows.slice(seq, seq + 1) };
    },
    segmentText: async (wanted) => segments.find((each) => key(each) === wanted && each.text !== '')?.text ?? null,
  };
}

async function read(source: JournalSource): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for await (const row of journalRows(source)) found.push(row);
  return found;
}

describe('a journal read from its source', () => {
  test('is every row once, from segments and then from what is not sealed', async () => {
    expect(await read(sourceOf([between(1, 2), between(3, 4)]))).toEqual(rows);
    expect(await read(sourceOf([]))).toEqual(rows);
    expect(await read(sourceOf([between(1, 6)]))).toEqual(rows);
  });

  test('is refused where a segment does not continue the one before, or is gone', async () => {
    await expect(read(sourceOf([between(1, 2), between(4, 5)]))).rejects.toThrow(/does not continue row 2$/);
    const { segment, ...rest } = between(3, 4);
    const stranger = { ...rest, segment: { ...segment, previousHash: 'other' } };
    await expect(read(sourceOf([between(1, 2), stranger]))).rejects.toThrow(/does not continue row 2$/);
    await expect(read(sourceOf([{ ...between(1, 2), text: '' }]))).rejects.toThrow(
      'segment s/0000000000000001-0000000000000002.jsonl is missing',
    );
  });
});
