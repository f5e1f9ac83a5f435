import { describe, expect, it } from 'vitest';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { OPEN_ORDERS_PER_ACCOUNT_MAX, OPEN_ORDERS_PER_BOOK_MAX } from '../rpc/commands.ts';
import { OpenOrderRoom, OpenOrders } from './open-orders.ts';

const LIMIT: OrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 1,
  price: 1,
  stopPrice: null,
  expiresAt: null,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: null,
};

/** So many open orders of account `a`, and so many of accounts with one each. */
function open(ofA: number, ofOthers = 0): OpenOrders {
  const orders = new OpenOrders();
  for (let i = 0; i < ofA; i++) orders.add('a');
  for (let i = 0; i < ofOthers; i++) orders.add(`other ${i}`);
  return orders;
}

describe('a bound on open orders', () => {
  it('an account has so many in a book; an order of the same batch counts', () => {
    const room = new OpenOrderRoom(open(OPEN_ORDERS_PER_ACCOUNT_MAX - 1));
    expect(room.take({ account: 'a', terms: LIMIT })).toBeNull();
    expect(room.take({ account: 'a', terms: LIMIT })).toEqual({
      reason: 'too_many_open_orders',
      of: 'account',
      openOrdersMax: OPEN_ORDERS_PER_ACCOUNT_MAX,
    });
    expect(room.take({ account: 'b', terms: LIMIT })).toBeNull();
  });

  it('a book has so many', () => {
    const room = new OpenOrderRoom(open(0, OPEN_ORDERS_PER_BOOK_MAX));
    expect(room.take({ account: 'a', terms: LIMIT })).toEqual({
      reason: 'too_many_open_orders',
      of: 'book',
      openOrdersMax: OPEN_ORDERS_PER_BOOK_MAX,
    });
  });

  it('what never rests needs no room, what awaits its trigger does', () => {
    const room = new OpenOrderRoom(open(OPEN_ORDERS_PER_ACCOUNT_MAX));
    const take = (terms: Partial<OrderTerms>) => room.take({ account: 'a', terms: { ...LIMIT, ...terms } });
    expect(take({ timeInForce: 'IOC' })).toBeNull();
    expect(take({ type: 'market', timeInForce: 'IOC', price: null })).toBeNull();
    expect(take({ type: 'stop_loss', price: null, stopPrice: 1 })).toMatchObject({ reason: 'too_many_open_orders' });
  });

  it('an order that has ended makes room', () => {
    const orders = open(OPEN_ORDERS_PER_ACCOUNT_MAX);
    orders.remove('a');
    expect(new OpenOrderRoom(orders).take({ account: 'a', terms: LIMIT })).toBeNull();
  });
});
