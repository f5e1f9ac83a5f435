import { expect, test } from 'vitest';
import { lineOf } from './ordering.ts';

test('a message waits for no other, for those of its security, or for all of its endpoint', () => {
  const linesOf = (ordering: 'none' | 'security' | 'endpoint') => ['one', 'other'].map((of) => lineOf(ordering, of));
  expect(linesOf('none')).toEqual([null, null]);
  expect(linesOf('security')).toEqual(['one', 'other']);
  expect(linesOf('endpoint')).toEqual(['', '']);
});
