import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NONE } from './level.ts';
import { hashOf, OrderIds } from './order-ids.ts';

/** Some that differ only where `hashOf` does not look, so that they all collide, and some that fall close to those. */
const id = fc.oneof(
  fc.integer({ min: 10, max: 30 }).map((n) => `0193a0b1-00${n}-7000-8000-000000000001`),
  fc.integer({ min: 0, max: 40 }).map((n) => `${n}`),
);

test('ids that collide are told apart', () => {
  expect(hashOf('0193a0b1-0010-7000-8000-000000000001')).toBe(hashOf('0193a0b1-0011-7000-8000-000000000001'));
  const ids = new OrderIds();
  ids.set(0, '0193a0b1-0010-7000-8000-000000000001', hashOf('0193a0b1-0010-7000-8000-000000000001'));
  expect(ids.find('0193a0b1-0011-7000-8000-000000000001', hashOf('0193a0b1-0011-7000-8000-000000000001'))).toBe(NONE);
});

/** Hashes close together, whatever the text: clusters of several homes, over the table's end. */
const crowded = (text: string): number => 1_020 + (hashOf(text) & 7);

test.each([
  ['as they are', hashOf],
  ['crowded into one corner of the table', crowded],
] as const)('ids, %s, are found by text and by slot through any coming and going', (_, hash) => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 200 }), (texts) => {
      const ids = new OrderIds();
      const slots = new Map<string, number>();
      const free = Array.from({ length: 70 }, (__, slot) => slot).reverse();
      for (const text of texts) {
        const slot = ids.find(text, hash(text));
        expect(slot).toBe(slots.get(text) ?? NONE);
        if (slot === NONE) {
          const next = free.pop()!;
          ids.set(next, text, hash(text));
          slots.set(text, next);
        } else {
          ids.delete(slot, hash(text));
          slots.delete(text);
          free.push(slot);
        }
        for (const [known, at] of slots) {
          expect(ids.find(known, hash(known))).toBe(at);
          expect(ids.at(at)).toBe(known);
        }
        expect(ids.size).toBe(slots.size);
      }
    }),
  );
});

test('ten thousand ids are found after the table has grown', () => {
  const ids = new OrderIds();
  for (let slot = 0; slot < 10_000; slot++) ids.set(slot, `order ${slot}`, hashOf(`order ${slot}`));
  for (let slot = 0; slot < 10_000; slot++) expect(ids.find(`order ${slot}`, hashOf(`order ${slot}`))).toBe(slot);
});
