import { describe, expect, test } from 'vitest';
import { flawOf, largestSize, partOf, type Rules, stepped, type TicketForm } from './ticket-rules.ts';

const rules: Rules = {
  tick: '0.01',
  lot: '1',
  sizeMin: '1',
  sizeMax: '1000',
  band: { low: '20.29', high: '30.43' },
  priceDecimals: 2,
  takerFeeBps: '20',
  timesByType: { limit: ['GTC', 'GTD'], market: ['IOC'] },
};
const form: TicketForm = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  size: '10',
  price: '25.36',
  stopPrice: null,
  expiresAt: null,
};
const NOW = 1_000_000;

describe('a ticket', () => {
  test('that keeps to the rules of its market has no flaw', () => {
    expect(flawOf(form, rules, NOW)).toBeNull();
    expect(flawOf({ ...form, type: 'market', price: null, timeInForce: 'IOC' }, rules, NOW)).toBeNull();
  });

  test.each([
    [{ size: null }, { field: 'size', flaw: 'missing' }],
    [{ size: '0' }, { field: 'size', flaw: 'not_positive' }],
    [{ size: '1.5' }, { field: 'size', flaw: 'step', step: '1' }],
    [{ size: '1001' }, { field: 'size', flaw: 'above', limit: '1000' }],
    [{ price: null }, { field: 'price', flaw: 'missing' }],
    [{ price: '25.365' }, { field: 'price', flaw: 'step', step: '0.01' }],
    [{ price: '31.00' }, { field: 'price', flaw: 'band', low: '20.29', high: '30.43' }],
    [
      { type: 'stop_loss', price: null },
      { field: 'stopPrice', flaw: 'missing' },
    ],
    [
      { timeInForce: 'GTD', expiresAt: NOW },
      { field: 'expiresAt', flaw: 'past' },
    ],
  ] as const)('%o is flawed: %o', (changed, flaw) => {
    expect(flawOf({ ...form, ...changed } as TicketForm, rules, NOW)).toEqual(flaw);
  });

  test('offers what is available: cash with the fee, or the holdings, in whole lots', () => {
    expect(largestSize('buy', '1000', '25', rules)).toBe('39');
    expect(largestSize('buy', '1002', '25', { ...rules, takerFeeBps: '0' })).toBe('40');
    expect(largestSize('sell', '190.5', null, rules)).toBe('190');
    expect(largestSize('sell', '5000', null, rules)).toBe('1000');
    expect(largestSize('buy', '1000', null, rules)).toBeNull();
    expect(partOf('39', 25, '1')).toBe('9');
  });

  test('moves by a tick, and not below one', () => {
    expect(stepped('25.36', '0.01', 1)).toBe('25.37');
    expect(stepped('0.01', '0.01', -1)).toBe('0.01');
    expect(stepped(null, '1', 1)).toBe('1');
  });
});
