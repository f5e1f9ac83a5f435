import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { bookChecksum } from './checksum.ts';

test('a book’s checksum is the CRC-32 of its top ten levels a side, as text', () => {
  expect(
    bookChecksum(
      [
        [99.5, 2],
        [99, 1],
      ],
      [[100, 4]],
    ),
  ).toBe(crc32('99.5:2,99:1|100:4'));
  const eleven = Array.from({ length: 11 }, (_, i) => [100 + i, 1] as const);
  expect(bookChecksum([], eleven)).toBe(bookChecksum([], eleven.slice(0, 10)));
});
