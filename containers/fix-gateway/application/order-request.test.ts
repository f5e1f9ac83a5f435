import { describe, expect, it } from 'vitest';
import type { Field } from '../codec/fix-message.ts';
import { orderRequestOf } from './order-request.ts';

const BASE: readonly Field[] = [
  [8, 'FIX.4.4'],
  [9, '0'],
  [35, 'D'],
  [52, '20261120-12:00:00'],
  [11, 'id-1'],
  [55, 'ACME-USD'],
  [54, '1'],
  [38, '10'],
];

const ask = (...fields: Field[]) => orderRequestOf({ fields: [...BASE, ...fields], text: '' });
const LIMIT: Field[] = [
  [40, '2'],
  [44, '24.5'],
];

describe('a NewOrderSingle', () => {
  it.each<[string, Field[], Record<string, unknown>]>([
    ['OrdType 1 is a market order', [[40, '1']], { type: 'market', price: null, size: 10, side: 'buy' }],
    ['OrdType 2 is a limit order', LIMIT, { type: 'limit', price: 24.5, time_in_force: null, client_order_id: 'id-1' }],
    [
      'OrdType 3 is a stop',
      [
        [40, '3'],
        [99, '20'],
      ],
      { type: 'stop_loss', stop_price: 20, price: null },
    ],
    [
      'OrdType 4 is a stop limit',
      [
        [40, '4'],
        [99, '20'],
        [44, '19'],
      ],
      { type: 'stop_loss_limit', stop_price: 20, price: 19 },
    ],
    [
      'OrdType J takes profit',
      [
        [40, 'J'],
        [99, '30'],
      ],
      { type: 'take_profit', stop_price: 30 },
    ],
    [
      'TimeInForce 0 of a market order asks for nothing more',
      [
        [40, '1'],
        [59, '0'],
      ],
      { type: 'market', time_in_force: null, expires_at: null },
    ],
    [
      'a price goes on to the exchange, which refuses it where the type has none',
      [
        [40, '1'],
        [44, '24.5'],
        [99, '20'],
      ],
      { type: 'market', price: 24.5, stop_price: 20 },
    ],
    [
      'TimeInForce 0 ends with the UTC day',
      [...LIMIT, [59, '0']],
      { time_in_force: 'GTD', expires_at: Date.UTC(2026, 10, 21) },
    ],
    ['TimeInForce 1 is GTC', [...LIMIT, [59, '1']], { time_in_force: 'GTC' }],
    ['TimeInForce 3 is IOC', [...LIMIT, [59, '3']], { time_in_force: 'IOC' }],
    ['TimeInForce 4 is FOK', [...LIMIT, [59, '4']], { time_in_force: 'FOK' }],
    [
      'TimeInForce 6 is GTD',
      [...LIMIT, [59, '6'], [126, '20261201-00:00:00']],
      { time_in_force: 'GTD', expires_at: Date.UTC(2026, 11, 1) },
    ],
    ['ExecInst 6 is post-only', [...LIMIT, [18, '6']], { time_in_force: 'POST_ONLY' }],
    ['MaxFloor is what the book shows', [...LIMIT, [111, '2']], { display_size: 2 }],
  ])('%s', (_, fields, request) => {
    expect(ask(...fields)).toMatchObject({ ok: true, value: request });
  });

  it.each<[string, Field[], string]>([
    ['an OrdType that the exchange has not', [[40, 'P']], '11'],
    ['a TimeInForce that the exchange has not', [...LIMIT, [59, '2']], '11'],
    ['GTD without its end', [...LIMIT, [59, '6']], '99'],
    ['post-only that would be IOC', [...LIMIT, [18, '6'], [59, '3']], '11'],
    ['an end that no TimeInForce asks for', [...LIMIT, [126, '20261201-00:00:00']], '11'],
    ['a quantity of 0', [...LIMIT, [38, '0']], '13'],
    ['a negative quantity', [...LIMIT, [38, '-5']], '13'],
  ])('%s is refused', (_, fields, reason) => {
    const given = new Set(fields.map(([tag]) => tag));
    const message = { fields: [...BASE.filter(([tag]) => !given.has(tag)), ...fields], text: '' };
    expect(orderRequestOf(message)).toMatchObject({ ok: false, error: { reason } });
  });

  it.each(['3', '4', 'J'])(
    'that is a stop of OrdType %s with TimeInForce 0 is refused: nothing would end it with the day',
    (type) => {
      const day = ask([40, type], [99, '20'], [44, '19'], [59, '0']);
      expect(day).toEqual({
        ok: false,
        error: { reason: '11', text: expect.stringContaining('TimeInForce(59)=0 is not offered') },
      });
    },
  );

  it.each<[string, Field, string]>([
    ['a minimum to be filled', [110, '5'], 'MinQty(110)=5 is not offered'],
    ['all or none', [18, 'G'], 'ExecInst(18)=G is not offered'],
    ['one instruction of two', [18, '6 G'], 'ExecInst(18)=6 G is not offered'],
    ['another currency', [15, 'EUR'], 'Currency(15)=EUR is not offered'],
    ['another instrument beside its symbol', [48, 'OTHER'], 'SecurityID(48)=OTHER is not offered'],
    ['another firm that it is to be passed on to', [128, 'FIRM'], 'DeliverToCompID(128)=FIRM is not offered'],
  ])('that states %s is refused with the field and its value', (_, field, text) => {
    expect(ask(...LIMIT, field)).toEqual({ ok: false, error: { reason: '11', text } });
  });

  it('with a side that is no side, no quantity or a ClOrdID with spaces is refused', () => {
    const without = (tag: number, ...fields: Field[]) =>
      orderRequestOf({ fields: [...BASE.filter(([found]) => found !== tag), ...LIMIT, ...fields], text: '' });
    expect(without(54, [54, '5'])).toMatchObject({ ok: false, error: { reason: '11' } });
    expect(without(38)).toMatchObject({ ok: false, error: { reason: '13' } });
    expect(without(11, [11, 'a b'])).toMatchObject({ ok: false, error: { reason: '99' } });
  });
});
