import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerOrderTerms } from '../broker/broker-client.ts';
import { hasWholeNotionals } from '../markets/market.ts';
import { decimalToScaled } from '../money/decimal-text.ts';
import { type PrimeSymbol, primeLevels, primeSymbolOf } from './prime-book.ts';
import { carryOn, endOrder, NEW_PRIME, primeOrderOf, takeOrder } from './prime-market.ts';

const AT = 1_800_000_000_000;

function deal(symbol: string): PrimeSymbol {
  const found = primeSymbolOf(symbol);
  if (found === null) throw new Error(symbol);
  return found;
}

const terms = (over: Partial<BrokerOrderTerms> = {}): BrokerOrderTerms => ({
  clientOrderId: 'one',
  symbol: 'BTC',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  quantity: '0.5',
  limitPrice: '70000',
  stopPrice: null,
  ...over,
});

function taken(over: Partial<BrokerOrderTerms> = {}) {
  const asked = primeOrderOf(terms(over), deal('BTC'));
  if (!asked.ok) throw new Error(asked.error.detail);
  return takeOrder('BTC', deal('BTC'), NEW_PRIME, asked.value, AT);
}

describe('an order at the sandbox prime', () => {
  test('fills within its limit at what the book gives, and never more than its quantity', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('buy' as const, 'sell' as const),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: -30, max: 30 }),
        fc.constantFrom('gtc' as const, 'ioc' as const, 'fok' as const),
        (side, lots, ticks, timeInForce) => {
          const best = primeLevels(deal('BTC'), side, AT)[0]?.price ?? 0;
          const limit = best + ticks * 1_000;
          const { order, events, state } = taken({
            side,
            timeInForce,
            quantity: String(lots / 1_000),
            limitPrice: String(limit / 10_000),
          });
          const transfers = events.filter((event) => event.type === 'TRANSFER');
          const units = (text: string, scale: number) => {
            const read = decimalToScaled(text, scale);
            return read.ok ? read.value : Number.NaN;
          };
          const filled = transfers.reduce((sum, { quantity }) => sum + units(quantity, 8), 0);
          expect(filled).toBe(order.filled);
          expect(filled).toBeLessThanOrEqual(order.quantity);
          expect(state.position).toBe(side === 'buy' ? filled : 0 - filled);
          for (const { price } of transfers)
            expect(side === 'buy' ? units(price, 4) <= limit : units(price, 4) >= limit).toBe(true);
          if (timeInForce === 'fok') expect([0, order.quantity]).toContain(filled);
          expect(order.status).toBe(filled === order.quantity ? 'filled' : timeInForce === 'gtc' ? 'open' : 'canceled');
          expect(events.filter((event) => event.type === 'ORDER_DONE').length).toBe(
            order.status === 'canceled' ? 1 : 0,
          );
        },
      ),
    );
  });

  test('that rests fills later, and an end says how much had filled', () => {
    const first = taken({ quantity: '9.999' });
    expect(first.order.status).toBe('open');
    const later = carryOn('BTC', deal('BTC'), first.state, first.order, AT + 1_000);
    expect(later.order.filled).toBeGreaterThan(first.order.filled);
    const ended = endOrder('BTC', later.state, later.order, AT + 2_000);
    expect(ended.order.status).toBe('canceled');
    const ids = [first, later, ended].flatMap(({ events }) => events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['a market order', { type: 'market', limitPrice: null }],
    ['a stop', { type: 'stop_limit', stopPrice: '1' }],
    ['less than a lot', { quantity: '0.0001' }],
    ['a price off the tick', { limitPrice: '70000.05' }],
    ['nothing', { quantity: '0' }],
  ] as const)('that is %s is refused', (_, over) => {
    expect(primeOrderOf(terms(over), deal('BTC'))).toMatchObject({ ok: false, error: { code: 'invalid_order' } });
  });
});

test('every fill is exact where cash has four decimals', () => {
  for (const symbol of ['BTC', 'ETH', 'SOL', 'ANY.COIN']) {
    const { tick, lot } = deal(symbol);
    const scales = { priceScale: 4, quantityScale: 8, quoteScale: 4 };
    expect(hasWholeNotionals({ ...scales, tickSize: tick, lotSize: lot })).toBe(true);
    for (const side of ['buy', 'sell'] as const)
      for (const { price, quantity } of primeLevels(deal(symbol), side, AT))
        expect([price % tick, quantity % lot]).toEqual([0, 0]);
  }
});

test('the prime never deals at a price at which it would be crossed', () => {
  for (let at = AT; at < AT + 60_000; at += 250) {
    const [ask] = primeLevels(deal('BTC'), 'buy', at);
    const [bid] = primeLevels(deal('BTC'), 'sell', at);
    expect(ask?.price).toBeGreaterThan(bid?.price ?? 0);
  }
});
