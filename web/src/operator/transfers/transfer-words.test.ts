import { expect, test } from 'vitest';
import { decisionsOf } from './transfer-words.ts';

test('a request is approved before it is executed, and is refused until then', () => {
  expect(decisionsOf('requested')).toEqual(['approve', 'reject']);
  expect(decisionsOf('approved')).toEqual(['execute', 'reject']);
  for (const status of ['executed', 'rejected', 'cancelled'] as const) expect(decisionsOf(status)).toEqual([]);
});
