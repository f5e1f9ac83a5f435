import { describe, expect, expectTypeOf, test } from 'vitest';
import type { OrderStatus } from '../orders/order.ts';
import { allows, isFinal, OPEN_STATUSES, type OrderTrigger, orderStateOf, transition } from './order-state.ts';

const STATES = {
  pending_trigger: 'PENDING',
  open: 'PENDING',
  partially_filled: 'PARTIALLY_FILLED',
  filled: 'EXECUTED',
  cancelled: 'CANCELLED',
  expired: 'CANCELLED',
  rejected: 'REJECTED',
} as const satisfies Record<OrderStatus, string>;
const STATUSES = Object.keys(STATES) as OrderStatus[];

const statusesOf = (state: string) => STATUSES.filter((status) => orderStateOf(status) === state);
const statesThatAllow = (trigger: OrderTrigger) => STATUSES.filter((status) => allows(status, trigger));

describe('asset-exchange order: every row of the state table', () => {
  test.each([
    ['PENDING, counter-order found and filled in full', 'open', 'fill_in_full', 'EXECUTED'],
    ['PENDING, counter-order found and filled in part', 'open', 'fill_in_part', 'PARTIALLY_FILLED'],
    ['PARTIALLY_FILLED, filled further', 'partially_filled', 'fill_in_part', 'PARTIALLY_FILLED'],
    ['PARTIALLY_FILLED, remaining quantity filled', 'partially_filled', 'fill_in_full', 'EXECUTED'],
    ['PENDING, user cancels', 'open', 'cancel', 'CANCELLED'],
    ['PENDING before its stop price, user cancels', 'pending_trigger', 'cancel', 'CANCELLED'],
    ['PARTIALLY_FILLED, user cancels', 'partially_filled', 'cancel', 'CANCELLED'],
    ['PENDING, expiry', 'open', 'expire', 'CANCELLED'],
    ['PARTIALLY_FILLED, expiry', 'partially_filled', 'expire', 'CANCELLED'],
    ['PENDING, modified', 'open', 'amend_unfilled', 'PENDING'],
    ['PENDING, stop price reached', 'pending_trigger', 'reach_stop_price', 'PENDING'],
    ['PENDING, refused by the book', 'open', 'reject', 'REJECTED'],
  ] as const)('%s', (_, status, trigger, expected) => {
    expect(allows(status, trigger)).toBe(true);
    expect(orderStateOf(transition(status, trigger))).toBe(expected);
  });
});

test('EXECUTED, CANCELLED, REJECTED: nothing happens any more', () => {
  const final = ['EXECUTED', 'CANCELLED', 'REJECTED'].flatMap(statusesOf);
  expect(final).toEqual(['filled', 'cancelled', 'expired', 'rejected']);
  expect(STATUSES.filter(isFinal)).toEqual(final);
  expect(OPEN_STATUSES).toEqual(['pending_trigger', 'open', 'partially_filled']);
  for (const status of final) expect(() => transition(status, 'cancel')).toThrow(`an order that is ${status}`);
});

test('open orders alone are cancelled and amended, in profile A no partial fill is amended', () => {
  expect(statesThatAllow('cancel')).toEqual(OPEN_STATUSES);
  expect(statesThatAllow('amend')).toEqual(OPEN_STATUSES);
  expect(statesThatAllow('amend_unfilled')).toEqual(['pending_trigger', 'open']);
  for (const status of OPEN_STATUSES) expect(transition(status, 'amend')).toBe(status);
});

test('an order that has filled is not rejected, and one that waits for its stop price does not fill', () => {
  expect(statesThatAllow('reject')).toEqual(['pending_trigger', 'open']);
  expect(statesThatAllow('fill_in_part')).toEqual(['open', 'partially_filled']);
  expect(statesThatAllow('fill_in_full')).toEqual(['open', 'partially_filled']);
});

test('a cancelled order is told from an expired one, and only a stop order waits for its price', () => {
  for (const status of OPEN_STATUSES) {
    expect(transition(status, 'cancel')).toBe('cancelled');
    expect(transition(status, 'expire')).toBe('expired');
  }
  for (const status of statesThatAllow('reject')) expect(transition(status, 'reject')).toBe('rejected');
  expect(statesThatAllow('expire')).toEqual(OPEN_STATUSES);
  expect(statesThatAllow('reach_stop_price')).toEqual(['pending_trigger']);
  expect(transition('pending_trigger', 'reach_stop_price')).toBe('open');
  for (const status of statesThatAllow('amend')) expect(transition(status, 'amend')).toBe(status);
});

test('each status of the ledger is one state', () => {
  for (const status of STATUSES) expect(orderStateOf(status)).toBe(STATES[status]);
  expectTypeOf(orderStateOf('cancelled')).toEqualTypeOf<'CANCELLED'>();
});
