import { expect, test } from 'vitest';
import { noteFault } from './signer-fault.ts';

test('a fault of a signer stands once in a transfer, with when it was seen first', () => {
  const first = noteFault([], { signer: 1, reason: 'other_claim', at: 1 });
  expect(noteFault(first, { signer: 1, reason: 'other_claim', at: 2 })).toBe(first);
  expect(noteFault(first, { signer: 2, reason: 'other_claim', at: 2 })).toHaveLength(2);
  expect(noteFault(first, { signer: 1, reason: 'wrong_share', at: 2 })).toHaveLength(2);
});
