import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Level } from '../engine/engine.ts';
import { BookWindow, type Levels } from './book-window.ts';

/** Levels of few prices, so that they come, change and go. */
const levels = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 })), {
    selector: ([price]) => price,
  })
  .map((all): Level[] => all);
const books = fc.record({ bids: levels, asks: levels }).map(
  ({ bids, asks }): Levels => ({
    bids: bids.toSorted(([a], [b]) => b - a),
    asks: asks.toSorted(([a], [b]) => a - b),
  }),
);

/** What a client has that applies changes, as a copy of the book in no order. */
function applied(before: Levels, changes: Levels): Record<'bids' | 'asks', Map<number, number>> {
  const sides = { bids: new Map(before.bids), asks: new Map(before.asks) };
  for (const side of ['bids', 'asks'] as const) {
    for (const [price, quantity] of changes[side]) {
      if (quantity === 0) sides[side].delete(price);
      else sides[side].set(price, quantity);
    }
  }
  return sides;
}

function sidesOf({ bids, asks }: Levels): Record<'bids' | 'asks', Map<number, number>> {
  return { bids: new Map(bids), asks: new Map(asks) };
}

test('whoever applies changes, one by one or all that were missed in one, has the book within its depth', () => {
  fc.assert(
    fc.property(books, fc.array(books, { maxLength: 8 }), fc.integer({ min: 1, max: 12 }), (first, later, depth) => {
      const window = new BookWindow(first, 10);
      const cuts = [window.cut(depth)];
      for (const [at, book] of later.entries()) {
        window.advance(book, 20 + at);
        expect(window.cut(depth)).toEqual({ bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) });
        expect(applied(cuts.at(-1) as Levels, window.changes(depth))).toEqual(sidesOf(window.cut(depth)));
        cuts.push(window.cut(depth));
      }
      const sequences = [10, ...later.map((_, at) => 20 + at)];
      for (const [at, sequence] of sequences.slice(0, -1).entries()) {
        const missed = window.changesSince(sequence, depth);
        expect(missed).not.toBeNull();
        expect(applied(cuts[at] as Levels, missed as Levels)).toEqual(sidesOf(window.cut(depth)));
      }
      expect(window.changesSince(9, depth)).toBeNull();
    }),
  );
});

test('a thousand levels that all change each time, or few that change often, are kept within a bound', () => {
  for (const width of [1, 1_000]) {
    const window = new BookWindow({ bids: [], asks: [] }, 0);
    const book = (quantity: number): Levels => ({
      bids: Array.from({ length: width }, (_, at): Level => [5_000 - at, quantity]),
      asks: Array.from({ length: width }, (_, at): Level => [6_000 + at, quantity]),
    });
    for (let sequence = 1; sequence <= 2_500; sequence++) {
      window.advance(book(1 + (sequence % 2)), sequence);
      expect(window.levelsKept).toBeLessThanOrEqual(16_384);
    }
    expect(window.changesSince(2_499, 10)).toMatchObject({ bids: { length: Math.min(width, 10) } });
    expect(window.changesSince(1, 10)).toBeNull();
  }
});
