import { expect, test } from 'vitest';
import { paymentReference, readPaymentReference } from './payment-reference.ts';

test('a transfer names the random end of the id of its request, in groups that can be read out', () => {
  expect(paymentReference('01900000-0000-7000-8000-7f3a91c20b4d')).toBe('7F3A-91C2-0B4D');
  expect(paymentReference('01900000-0000-7000-8000-7f3a91c20b4e')).not.toBe('7F3A-91C2-0B4D');
});

test('a reference is read as banks show it, and what is none is none', () => {
  for (const shown of ['7F3A-91C2-0B4D', '7f3a91c20b4d', ' 7F3A 91C2 0B4D ', '7F3A91C2-0B4D'])
    expect([shown, readPaymentReference(shown)]).toEqual([shown, '7f3a91c20b4d']);
  for (const other of [
    '',
    '7F3A-91C2-0B4',
    '7F3A-91C2-0B4D-0',
    '7F3A-91C2-0B4G',
    '01900000-0000-7000-8000-7f3a91c20b4d',
    '%',
    '_',
  ])
    expect([other, readPaymentReference(other)]).toEqual([other, null]);
});
