import { expect, it } from 'vitest';
import type { ExistingOrder } from '../../../data/orders/existing-order.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { existingOrderOf, reportOfExisting } from './refusal.ts';

const EXISTING: ExistingOrder = {
  id: 'o1',
  account: 'a',
  status: 'partially_filled',
  quantity: 20,
  price: 100,
  filled: 5,
  filledNotional: 500,
  restricted: false,
  code: null,
  updatedAt: 1,
};
const LIVE: LedgerOrder = {
  ...EXISTING,
  orderId: 'o1',
  side: 'buy',
  limit: 100,
  makerFeeBps: 0,
  takerFeeBps: 0,
  remaining: 12,
  feeNumerator: 0,
  fee: 0,
  reserve: 0,
  allowanceAsset: null,
  allowance: 0,
  positionAsset: null,
  position: 0,
  lots: [],
};

it('X-02: answers a repeated request with what its order may yet fill, less than the rest where self-trade prevention has taken from it', () => {
  const remaining = (order: ExistingOrder) => reportOfExisting(order).remaining;
  expect(remaining(EXISTING)).toBe(15);
  expect(remaining({ ...EXISTING, remaining: 12 })).toBe(12);
  expect(remaining({ ...EXISTING, remaining: 12, status: 'cancelled' })).toBe(0);
  expect(remaining(existingOrderOf(LIVE))).toBe(12);
  expect(remaining(existingOrderOf({ ...LIVE, remaining: 25 })), 'held for more than its broker has given').toBe(15);
});
