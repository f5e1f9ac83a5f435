import { expect, test } from 'vitest';
import { missingTerms } from './break-words.ts';

test('booking a break asks for what the broker has not said, and for nothing that it has', () => {
  expect(missingTerms({ side: null, price: '2.5' as never, quantity: null })).toEqual(['side', 'quantity']);
  expect(missingTerms({ side: 'BUY', price: '0' as never, quantity: '1' as never })).toEqual([]);
});
