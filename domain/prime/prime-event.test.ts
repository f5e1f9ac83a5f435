import { describe, expect, test } from 'vitest';
import { brokerEventOf, primeEventOf } from './prime-event.ts';

const TRANSFER = {
  type: 'TRANSFER',
  id: 'e1',
  clientOrderId: 'order',
  symbol: 'BTC',
  executionId: 'x1',
  side: 'SELL',
  quantity: '0.125',
  price: '65000.1',
  executedAt: '2026-11-22T21:00:00.000Z',
  orderComplete: false,
};
const DONE = {
  type: 'ORDER_DONE',
  id: 'e2',
  clientOrderId: 'order',
  symbol: 'BTC',
  reason: 'cancelled',
  filledQuantity: '0',
  endedAt: '2026-11-22T21:00:00Z',
};

describe('an event of the prime broker', () => {
  test('is what the books hear of any broker', () => {
    const transfer = primeEventOf({ ...TRANSFER, fee: '1' });
    expect(transfer.ok && brokerEventOf(transfer.value)).toEqual({
      type: 'partial_fill',
      id: 'e1',
      symbol: 'BTC',
      clientOrderId: 'order',
      at_ms: Date.UTC(2026, 10, 22, 21),
      executionId: 'x1',
      side: 'sell',
      venue: null,
      price: '65000.1',
      quantity: '0.125',
    });
    const done = primeEventOf(DONE);
    expect(done.ok && brokerEventOf(done.value)).toMatchObject({ type: 'done', reason: 'canceled', filled: '0' });
    const last = primeEventOf({ ...TRANSFER, orderComplete: true });
    expect(last.ok && brokerEventOf(last.value)).toMatchObject({ type: 'fill' });
  });

  test.each([
    ['body', null],
    ['id', { ...TRANSFER, id: '' }],
    ['clientOrderId', { ...TRANSFER, clientOrderId: 7 }],
    ['symbol', { ...DONE, symbol: 'x'.repeat(201) }],
    ['executionId', { ...TRANSFER, executionId: undefined }],
    ['side', { ...TRANSFER, side: 'buy' }],
    ['quantity', { ...TRANSFER, quantity: 0.125 }],
    ['price', { ...TRANSFER, price: '-1' }],
    ['executedAt', { ...TRANSFER, executedAt: '2026-13-40T00:00:00Z' }],
    ['orderComplete', { ...TRANSFER, orderComplete: 'yes' }],
    ['reason', { ...DONE, reason: 'done' }],
    ['filledQuantity', { ...DONE, filledQuantity: '1e3' }],
    ['endedAt', { ...DONE, endedAt: 'yesterday' }],
    ['detail', { ...DONE, detail: 7 }],
  ])('whose %s cannot be read is none', (field, event) => {
    expect(primeEventOf(event)).toEqual({ ok: false, error: { reason: 'malformed', field } });
  });

  test('of another type is named', () => {
    const error = { reason: 'unknown_type', id: 'e3', type: 'DIVIDEND' };
    expect(primeEventOf({ id: 'e3', type: 'DIVIDEND' })).toEqual({ ok: false, error });
  });
});
