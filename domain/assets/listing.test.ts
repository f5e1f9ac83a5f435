import { describe, expect, test } from 'vitest';
import { isListed } from './is-listed.ts';
import { isTradeable } from './is-tradeable.ts';
import { routeOfAsset, routeOfOrder } from './route-of.ts';

test.each([
  ['an approved asset', 'private', 'APPROVED', true],
  ['a suspended one', 'private', 'SUSPENDED', true],
  ['a delisted one', 'digital', 'DELISTED', true],
  ['a pending one', 'public', 'PENDING', false],
  ['a currency or an allowance', null, 'APPROVED', false],
])('%s is listed: %s, %s', (_, rail, status, expected) => {
  expect(isListed({ rail, status })).toBe(expected);
});

test.each([
  [true, 'APPROVED', true],
  [false, 'APPROVED', false],
  [true, 'SUSPENDED', false],
  [true, 'DELISTED', false],
  [true, 'PENDING', false],
])('an asset that is tradeable (%s) and %s takes orders: %s', (tradeable, status, expected) => {
  expect(isTradeable({ tradeable, status })).toBe(expected);
});

describe('execution route', () => {
  test('an asset says where its orders execute; the internal book where it says nothing', () => {
    expect(routeOfAsset({ executionRoute: 'broker' })).toBe('broker');
    expect(routeOfAsset({ executionRoute: null })).toBe('internal');
  });

  test('an order that stands on a book is on the internal route, whatever its asset says', () => {
    expect(routeOfOrder({ book: 'BTC-USD', executionRoute: 'prime' })).toBe('internal');
    expect(routeOfOrder({ book: null, executionRoute: 'prime' })).toBe('prime');
  });
});
