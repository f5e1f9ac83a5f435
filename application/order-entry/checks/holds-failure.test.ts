import { expect, test } from 'vitest';
import type { Market } from '../../../domain/markets/market.ts';
import { holdsFailure } from './holds-failure.ts';

const market = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 1,
  quoteScale: 2,
} as Market;
const wanted = {
  reserve: 100,
  reserveAsset: 'usd',
  allowance: 100,
  allowanceAsset: 'allowance',
  position: 50,
  positionAsset: 'position',
};
const enough = { usd: 100, allowance: 100, position: 50 };
const failureWith = (balances: Partial<typeof enough>) =>
  holdsFailure(wanted, (asset) => ({ ...enough, ...balances })[asset as keyof typeof enough], null, market);

test('a preview names what admission would lack: allowance, position and reserve, in this order', () => {
  expect(failureWith({})).toBeNull();
  expect(failureWith({ allowance: 99, position: 0, usd: 0 })).toEqual({
    reason: 'investment_limit_exceeded',
    required: 1,
    available: 0.99,
  });
  expect(failureWith({ position: 49, usd: 0 })).toEqual({
    reason: 'risk_limit_exceeded',
    limit: 'position',
    required: 5,
    available: 4.9,
  });
  expect(failureWith({ usd: 99 })).toEqual({
    reason: 'insufficient_balance',
    asset: 'USD',
    required: 1,
    available: 0.99,
  });
});
