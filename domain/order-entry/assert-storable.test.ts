import { expect, test } from 'vitest';
import { assertStorable } from './assert-storable.ts';

const terms = { quantity: 1, price: 2, stopPrice: 3, expiresAt: 4 };

test('an order is stored whose numbers are positive safe integers, or absent', () => {
  expect(() => assertStorable(terms)).not.toThrow();
  expect(() => assertStorable({ ...terms, price: null, stopPrice: null, expiresAt: null })).not.toThrow();
});

test.each(['quantity', 'price', 'stopPrice', 'expiresAt'])('no order is stored with a %s that is none', (field) => {
  for (const value of [0, -5, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expect(() => assertStorable({ ...terms, [field]: value })).toThrow(RangeError);
});
