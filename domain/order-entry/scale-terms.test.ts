import { expect, test } from 'vitest';
import { scaleTerms, type TermsRequest } from './scale-terms.ts';

const request: TermsRequest = {
  side: 'buy',
  type: 'limit',
  timeInForce: null,
  quantity: 1.5,
  price: 585.33,
  stopPrice: null,
  expiresAt: null,
  selfTradePrevention: null,
  hidden: false,
  displayQuantity: null,
};
const scales = { priceScale: 2, quantityScale: 3 };

test('JSON numbers become scaled integers, each by its own scale', () => {
  expect(scaleTerms({ ...request, stopPrice: 0.01, displayQuantity: 0.001 }, scales)).toMatchObject({
    ok: true,
    value: { quantity: 1_500, price: 58_533, stopPrice: 1, displayQuantity: 1 },
  });
});

test('a number with more decimals than the scale is refused, never rounded', () => {
  expect(scaleTerms({ ...request, price: 585.333 }, scales)).toMatchObject({
    ok: false,
    error: { field: 'price', error: { reason: 'too_many_decimals', decimals: 3, decimals_max: 2 } },
  });
  expect(scaleTerms({ ...request, quantity: 0.0001 }, scales)).toMatchObject({
    ok: false,
    error: { field: 'quantity' },
  });
});

test.each([
  ['quantity', 0, 'not_positive'],
  ['quantity', -5, 'not_positive'],
  ['quantity', 1e30, 'too_large'],
  ['quantity', Number.NaN, 'not_finite'],
  ['quantity', Number.POSITIVE_INFINITY, 'not_finite'],
  ['price', -0.01, 'not_positive'],
  ['price', 90_000_000_000_000, 'too_large'],
  ['stopPrice', 0, 'not_positive'],
  ['stopPrice', 90_000_000_000_000, 'too_large'],
  ['displayQuantity', -1, 'not_positive'],
  ['expiresAt', 0, 'not_positive'],
  ['expiresAt', Number.MAX_SAFE_INTEGER, 'too_large'],
])('%s %d is no number of an order: %s', (field, value, reason) => {
  expect(scaleTerms({ ...request, [field]: value }, scales)).toMatchObject({ error: { field, error: { reason } } });
});

test('time in force defaults to GTC, for market to IOC; a self-trading taker is cancelled', () => {
  expect(scaleTerms(request, scales)).toMatchObject({
    value: { timeInForce: 'GTC', selfTradePrevention: 'cancel_newest' },
  });
  expect(scaleTerms({ ...request, type: 'market', price: null }, scales)).toMatchObject({
    value: { timeInForce: 'IOC', price: null },
  });
  expect(scaleTerms({ ...request, timeInForce: 'FOK', selfTradePrevention: 'decrement' }, scales)).toMatchObject({
    value: { timeInForce: 'FOK', selfTradePrevention: 'decrement' },
  });
});
