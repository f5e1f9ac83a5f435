import { describe, expect, it } from 'vitest';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import { type Placement, placeOrders } from './order-placement.ts';

function placement(clOrdId: string, sentAt: string): Placement {
  const fields = [
    [8, 'FIX.4.4'],
    [9, '0'],
    [35, 'D'],
    [49, 'PEER'],
    [52, sentAt],
    [11, clOrdId],
    [55, 'ACME-USD'],
    [54, '1'],
    [38, '10'],
    [40, '1'],
  ] as const;
  return { sequence: 2, message: { fields, text: '' }, repeated: false, since_ms: 0 };
}

/** An exchange that gives one answer, and keeps the Idempotency-Keys that came. */
function exchangeThat(answer: ExchangeAnswer): { readonly exchange: Exchange; readonly keys: (string | undefined)[] } {
  const keys: (string | undefined)[] = [];
  const call = async (_method: string, _path: string, caller: CallerHeaders): Promise<ExchangeAnswer> => {
    keys.push(caller['idempotency-key']);
    return answer;
  };
  const feedUrl = new URL('ws://localhost');
  return { keys, exchange: { call, feedUrl, isHealthy: async () => true, close: async () => undefined } };
}

const MORNING = '20261120-09:00:00';

describe('the batch of an order placement', () => {
  it('has the same Idempotency-Key when its answer was lost, and another for another day, or another order', async () => {
    const { exchange, keys } = exchangeThat({ type: 'unknown' });
    const first = [placement('a', MORNING), placement('b', MORNING)];
    for (const batch of [first, first.map((one) => ({ ...one, repeated: true })), first.slice(1)])
      await placeOrders(exchange, {}, batch);
    await placeOrders(exchange, {}, [placement('b', '20261121-09:00:00')]);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,128}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('is repeated when an earlier attempt at it is still under way', async () => {
    const code = { code: 'CONFLICT', message: 'still running', details: {}, remaining: 9 };
    const { exchange } = exchangeThat({ type: 'refused', status: 409, ...code });
    expect(await placeOrders(exchange, {}, [placement('a', MORNING)])).toEqual([{ type: 'unknown' }]);
  });
});
