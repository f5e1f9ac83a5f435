import { describe, expect, it } from 'vitest';
import {
  CHAIN_START,
  type ChainedRow,
  type ChainPoint,
  effectsHash,
  endFailure,
  rowFailure,
  rowHash,
} from './journal-chain.ts';

type Row = ChainedRow & { hash: string };

/** A journal of the given entries, each with an effect of its own. */
function journal(texts: readonly string[]): { rows: Row[]; end: ChainPoint } {
  let end = CHAIN_START;
  const rows = texts.map((text): Row => {
    const row = { seq: end.seq + 1, engine: 3, text, effects: effectsHash([`effect of ${text}`]) };
    const hash = rowHash(row, end);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, end };
}

/** The first thing wrong with a journal that is read from its start; null when it is whole. */
function failureOf(rows: readonly Row[], end: ChainPoint): string | null {
  let last = CHAIN_START;
  for (const row of rows) {
    const failure = rowFailure(row, last);
    if (failure !== null) return failure;
    last = { seq: row.seq, hash: row.hash };
  }
  return endFailure(last, end);
}

describe('a journal', () => {
  const { rows, end } = journal(['{"quantity":2}', '{"quantity":5}', '{"quantity":7}']);
  const [first, second, third] = rows as [Row, Row, Row];

  it('that stands as it was written is whole', () => {
    expect(failureOf(rows, end)).toBeNull();
  });

  it('with a quantity changed from 2 to 3 is not what was journaled, though no effect has changed', () => {
    const changed = { ...first, text: '{"quantity":3}' };
    expect(failureOf([changed, second, third], end)).toBe('row 1 of the journal is not what was journaled');
  });

  it('with other effects than the hash of the row covers is not what was journaled', () => {
    const changed = { ...second, effects: effectsHash(['another effect']) };
    expect(failureOf([first, changed, third], end)).toBe('row 2 of the journal is not what was journaled');
  });

  it('with a row that was rewritten, its hash with it, no longer fits the row after it', () => {
    const rewritten = { ...first, text: '{"quantity":3}' };
    const forged = { ...rewritten, hash: rowHash(rewritten, CHAIN_START) };
    expect(failureOf([forged, second, third], end)).toBe('row 2 of the journal is not what was journaled');
  });

  it('whose last rows are missing is not whole, however many', () => {
    expect(failureOf([first, second], end)).toBe('the journal ends with row 2, and row 3 was journaled');
    expect(failureOf([], end)).toBe('the journal ends with row 0, and row 3 was journaled');
  });

  it('with a row missing between others, or at the start, does not go on', () => {
    expect(failureOf([first, third], end)).toBe('the journal goes on with row 3 after row 1');
    expect(failureOf([second, third], end)).toBe('the journal goes on with row 2 after row 0');
  });

  it('whose rows have changed places is not what was journaled, even when they were numbered again', () => {
    const swapped = [first, { ...third, seq: 2 }, { ...second, seq: 3 }];
    expect(failureOf(swapped, end)).toBe('row 2 of the journal is not what was journaled');
  });

  it('whose last row was written again with a hash that fits is not what was journaled', () => {
    const forged = { ...third, text: '{"quantity":8}' };
    const hash = rowHash(forged, { seq: second.seq, hash: second.hash });
    expect(failureOf([first, second, { ...forged, hash }], end)).toBe('row 3 of the journal is not what was journaled');
  });

  it('whose row names another engine version than wrote it is not what was journaled', () => {
    expect(failureOf([{ ...first, engine: 2 }, second, third], end)).toBe(
      'row 1 of the journal is not what was journaled',
    );
  });
});

it('the hash of effects tells how they were cut into chunks', () => {
  expect(effectsHash(['ab', 'c'])).not.toBe(effectsHash(['a', 'bc']));
});
