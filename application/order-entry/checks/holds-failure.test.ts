import { expect, test } from 'vitest';
import type { Market } from '../../../domain/markets/market.ts';
import type { DollarTerms } from '../../../domain/order-entry/limit-currency.ts';
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
const failureWith = (balances: Partial<typeof enough>, dollars: DollarTerms | null = null) =>
  holdsFailure(wanted, (asset) => ({ ...enough, ...balances })[asset as keyof typeof enough], null, {
    market,
    dollars,
  });

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

test('a limit in money is told in dollars, whatever the market quotes in', () => {
  const dollars = { scale: 1, rate: { version: 1, numerator: 1, denominator: 10 } };
  expect(failureWith({ allowance: 99 }, dollars)).toMatchObject({ required: 10, available: 9.9 });
  expect(failureWith({ usd: 99 }, dollars)).toMatchObject({ required: 1, available: 0.99 });
});
