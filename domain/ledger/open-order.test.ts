import { describe, expect, it } from 'vitest';
import { ALICE, amendment, BOB, BOOK, LedgerBench, orderState, USD } from './ledger.fixtures.ts';

function bench(): LedgerBench {
  const it = new LedgerBench();
  it.transfer('deposit', { amount: 1_000 });
  return it;
}

describe('an open order', () => {
  it('is found by its id and by its client order id, in its book, by its own account alone', () => {
    const { ledger } = bench();
    const it = bench();
    const id = it.admit({ reserve: 1, clientOrderId: 'mine' });
    const place = { orderId: id, book: BOOK, clientOrderId: 'mine' };
    expect(it.ledger.openOrder(ALICE, id)).toEqual(place);
    expect(it.ledger.openOrderCalled(ALICE, 'mine')).toEqual(place);
    expect(it.ledger.openOrder(BOB, id)).toBeNull();
    expect(it.ledger.openOrderCalled(BOB, 'mine')).toBeNull();
    expect(it.ledger.openOrder(ALICE, 'no id')).toBeNull();
    expect(it.ledger.openOrderCalled(ALICE, 'yours')).toBeNull();
    expect(ledger.openOrder(ALICE, id)).toBeNull();
  });

  it('need carry no client order id', () => {
    const it = bench();
    const ids = [it.admit({ reserve: 1 }), it.admit({ reserve: 1, clientOrderId: 'second' })];
    expect(it.ledger.openOrder(ALICE, ids[0] as string)).toEqual({ orderId: ids[0], book: BOOK, clientOrderId: null });
    expect(it.ledger.clientOrderIds([...ids, 'no id'])).toEqual([null, 'second', null]);
  });

  it('is found no more once it has ended, though its client order id is remembered', () => {
    const it = bench();
    const id = it.admit({ reserve: 1, clientOrderId: 'mine' });
    const orders = [orderState({ id, status: 'cancelled' })];
    it.settle({ orders, balances: [{ account: ALICE, asset: USD, available: 1, bought: 0, sold: 0 }] });
    expect(it.ledger.openOrder(ALICE, id)).toBeNull();
    expect(it.ledger.openOrderCalled(ALICE, 'mine')).toBeNull();
    expect(it.ledger.clientOrderIds([id])).toEqual(['mine']);
  });

  it('is no amendment', () => {
    const it = bench();
    const orderId = it.admit({ reserve: 1 });
    const amended = amendment({ id: it.id(), orderId, reserve: 1 });
    it.send({ amendments: [amended] });
    expect(it.ledger.openOrder(ALICE, amended.id)).toBeNull();
    expect(it.ledger.openOrder(ALICE, orderId)).not.toBeNull();
  });

  it('is found after a restart', () => {
    const it = bench();
    const id = it.admit({ reserve: 1, clientOrderId: 'mine' });
    it.restart();
    expect(it.ledger.openOrder(ALICE, id)).toEqual({ orderId: id, book: BOOK, clientOrderId: 'mine' });
  });
});
