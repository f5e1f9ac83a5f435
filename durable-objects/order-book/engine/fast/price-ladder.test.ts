import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Levels, NONE } from './level.ts';
import { PriceLadder } from './price-ladder.ts';

const visits = fc.array(fc.record({ price: fc.integer({ min: 1, max: 60 }), goes: fc.boolean() }), { maxLength: 300 });

test.each([true, false])(
  'a ladder keeps its levels in order through any growth and loss, highest first: %s',
  (highestFirst) => {
    fc.assert(
      fc.property(visits, fc.integer({ min: 2, max: 16 }), (steps, blockLevelsMax) => {
        const ladder = new PriceLadder(new Levels(), 'buy', highestFirst, blockLevelsMax);
        const prices = new Set<number>();
        for (const { price, goes } of steps) {
          const level = ladder.levelAt(price);
          expect(level.isEmpty).toBe(!prices.has(price));
          // Any slot will do: a level stays on its ladder while some order stands there.
          level.head = goes ? NONE : 0;
          if (goes) {
            ladder.remove(level);
            prices.delete(price);
          } else {
            prices.add(price);
          }
          ladder.assertConsistent();
          const walked: number[] = [];
          for (let at = ladder.best; at !== null; at = at.worse) walked.push(at.price);
          expect(walked).toEqual([...prices].sort((a, b) => (highestFirst ? b - a : a - b)));
        }
      }),
    );
  },
);
