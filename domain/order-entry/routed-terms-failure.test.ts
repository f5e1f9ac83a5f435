import { expect, test } from 'vitest';
import type { OrderTerms } from '../orders/order.ts';
import { routedTermsFailure } from './routed-terms-failure.ts';

const limit: OrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 100,
  price: 500,
  stopPrice: null,
  expiresAt: null,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: null,
};
const failure = (terms: Partial<OrderTerms>) => routedTermsFailure({ ...limit, ...terms });

test.each([
  ['market', ['IOC']],
  ['limit', ['GTC', 'IOC', 'FOK', 'GTD']],
] as const)('a broker is handed %s orders with these times in force: %j', (type, allowed) => {
  for (const timeInForce of ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'] as const) {
    const refusal = { reason: 'time_in_force_not_allowed', type, allowed };
    const isAllowed = (allowed as readonly string[]).includes(timeInForce);
    expect(failure({ type, timeInForce })).toEqual(isAllowed ? null : refusal);
  }
});

test('a broker is handed no stops', () => {
  const refusal = { reason: 'type_not_allowed', type: 'stop_loss_limit', allowed: ['market', 'limit'] };
  expect(failure({ type: 'stop_loss_limit' })).toEqual(refusal);
});

test('a broker is handed nothing that hides its quantity', () => {
  expect(failure({ hidden: true })).toEqual({ reason: 'unexpected_field', field: 'hidden' });
  expect(failure({ displayQuantity: 50 })).toEqual({ reason: 'unexpected_field', field: 'displayQuantity' });
});
