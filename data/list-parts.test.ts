import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsD1, LIST_BYTES_MAX, listParts, TEXT_BYTES_MAX } from './list-parts.ts';

const bytesOf = (part: readonly unknown[]): number => Buffer.byteLength(JSON.stringify(part));

test.each([
  ['three bytes', '漢'],
  ['four bytes', '𠮷'],
  ['a character that JSON writes as six', '\u0001'],
])('M-14: a list of texts of %s is cut by its bytes', (_, character) => {
  const items = Array.from({ length: 5_000 }, () => ({
    name: character.repeat(200),
    reference: character.repeat(200),
  }));
  const parts = listParts(items, 2_000);
  expect(Math.max(...parts.map(bytesOf))).toBeLessThanOrEqual(LIST_BYTES_MAX + 1);
  expect(parts.flat()).toEqual(items);
  expect(parts.length).toBeLessThan(20);
});

test('M-14: short items are cut by their number', () => {
  expect(listParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(listParts([], 2)).toEqual([]);
});

test('M-14: parts hold every item once, in order, and none of them is empty', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      (lengths, most) => {
        const items = lengths.map((length) => 'x'.repeat(length));
        const parts = listParts(items, most);
        expect(parts.flat()).toEqual(items);
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(most);
          expect(bytesOf(part)).toBeLessThanOrEqual(LIST_BYTES_MAX + 1);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('M-14: a text fits D1 by its bytes, not by its characters', () => {
  expect(fitsD1('x'.repeat(TEXT_BYTES_MAX))).toBe(true);
  expect(fitsD1('x'.repeat(TEXT_BYTES_MAX + 1))).toBe(false);
  expect(fitsD1('漢'.repeat(TEXT_BYTES_MAX / 2))).toBe(false);
});
