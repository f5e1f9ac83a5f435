import { describe, expect, expectTypeOf, test } from 'vitest';
import type { OrderStatus } from '../orders/order.ts';
import { allows, type OrderState, orderStateOf, transition } from './order-state.ts';

describe('asset-exchange order: every row of the state table', () => {
  test.each([
    ['(new), all validation checks pass', transition('NEW', 'pass_validation'), 'PENDING'],
    ['(new), any validation check fails', transition('NEW', 'fail_validation'), 'REJECTED'],
    ['PENDING, counter-order found', transition('PENDING', 'find_counter_order'), 'MATCHED'],
    ['MATCHED, full fill', transition('MATCHED', 'fill_in_full'), 'EXECUTED'],
    ['MATCHED, partial fill', transition('MATCHED', 'fill_in_part'), 'PARTIALLY_FILLED'],
    ['PARTIALLY_FILLED, remaining quantity filled', transition('PARTIALLY_FILLED', 'fill_in_full'), 'EXECUTED'],
    ['PENDING, user cancels', transition('PENDING', 'cancel'), 'CANCELLED'],
    ['PARTIALLY_FILLED, user cancels', transition('PARTIALLY_FILLED', 'cancel'), 'CANCELLED'],
    ['PENDING, expiry', transition('PENDING', 'expire'), 'CANCELLED'],
    ['PARTIALLY_FILLED, expiry', transition('PARTIALLY_FILLED', 'expire'), 'CANCELLED'],
    ['PENDING, modified', transition('PENDING', 'modify'), 'PENDING'],
  ])('%s', (_, next, expected) => {
    expect(next).toBe(expected);
  });
});

test('illegal transitions cannot be written down', () => {
  // @ts-expect-error partially filled orders cannot be modified
  expect(transition('PARTIALLY_FILLED', 'modify')).toBeUndefined();
  // @ts-expect-error an executed order cannot be cancelled
  expect(transition('EXECUTED', 'cancel')).toBeUndefined();
  // @ts-expect-error a rejected order has no next state
  expect(transition('REJECTED', 'find_counter_order')).toBeUndefined();
  expectTypeOf(transition('PENDING', 'cancel')).toEqualTypeOf<'CANCELLED'>();
});

test('EXECUTED, CANCELLED, REJECTED: cancellation refused; only PENDING is modified', () => {
  const states: OrderState[] = ['PENDING', 'MATCHED', 'PARTIALLY_FILLED', 'EXECUTED', 'CANCELLED', 'REJECTED'];
  expect(states.filter((state) => allows(state, 'cancel'))).toEqual(['PENDING', 'PARTIALLY_FILLED']);
  expect(states.filter((state) => allows(state, 'modify'))).toEqual(['PENDING']);
});

test('each status of the ledger is one state', () => {
  const states: Record<OrderStatus, OrderState> = {
    open: 'PENDING',
    pending_trigger: 'PENDING',
    partially_filled: 'PARTIALLY_FILLED',
    filled: 'EXECUTED',
    cancelled: 'CANCELLED',
    expired: 'CANCELLED',
    rejected: 'REJECTED',
  };
  for (const [status, state] of Object.entries(states)) expect(orderStateOf(status as OrderStatus)).toBe(state);
});
