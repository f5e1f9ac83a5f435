import type { Level } from '../../../durable-objects/order-book/engine/engine.ts';
import type { BookRow } from './book-file.ts';

/** The first level in which a book is not as its row says; null stands for no level. */
export interface RowDifference {
  readonly side: 'bid' | 'ask';
  /** 1 is the best. */
  readonly level: number;
  readonly expected: Level | null;
  readonly found: Level | null;
}

/** Compares price and size of the best `levels` a side. */
export function rowDifference(expected: BookRow, found: BookRow, levels: number): RowDifference | null {
  return (
    sideDifference('bid', expected.bids, found.bids, levels) ?? sideDifference('ask', expected.asks, found.asks, levels)
  );
}

function sideDifference(
  side: RowDifference['side'],
  expected: readonly Level[],
  found: readonly Level[],
  levels: number,
): RowDifference | null {
  const depth = Math.min(levels, Math.max(expected.length, found.length));
  for (let at = 0; at < depth; at++) {
    const [want, have] = [expected[at] ?? null, found[at] ?? null];
    if (want?.[0] !== have?.[0] || want?.[1] !== have?.[1]) return { side, level: at + 1, expected: want, found: have };
  }
  return null;
}
