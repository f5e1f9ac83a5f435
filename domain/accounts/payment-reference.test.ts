import { expect, test } from 'vitest';
import { paymentReference } from './payment-reference.ts';

test('a transfer names the random end of the id of its request, in groups that can be read out', () => {
  expect(paymentReference('01900000-0000-7000-8000-7f3a91c20b4d')).toBe('7F3A-91C2-0B4D');
  expect(paymentReference('01900000-0000-7000-8000-7f3a91c20b4e')).not.toBe('7F3A-91C2-0B4D');
});
