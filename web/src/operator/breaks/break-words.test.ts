import { expect, test } from 'vitest';
import { accountOfOrder, missingTerms } from './break-words.ts';

test('booking a break asks for what the broker has not said, and for nothing that it has', () => {
  expect(missingTerms({ side: null, price: '2.5' as never, quantity: null })).toEqual(['side', 'quantity']);
  expect(missingTerms({ side: 'BUY', price: '0' as never, quantity: '1' as never })).toEqual([]);
});

test('the account of a break is that of its order, where there is one', () => {
  const order = { kind: 'order', id: 'o1', accountId: 'a1' } as const;
  expect(accountOfOrder([{ ...order, kind: 'trade' }, order], 'o1')).toBe('a1');
  expect(accountOfOrder([order], 'o2')).toBeNull();
  expect(accountOfOrder([], 'o1')).toBeNull();
});
