import { describe, expect, it } from 'vitest';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import { findOrder, type Placement, placeOrders } from './order-placement.ts';

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

describe('the search for an order by its ClOrdID', () => {
  const refused = (status: number, code: string, details = {}): ExchangeAnswer => ({
    type: 'refused',
    status,
    code,
    message: 'no',
    details,
    remaining: 0,
  });

  it.each<[string, ExchangeAnswer, unknown]>([
    ['finds none', { type: 'ok', body: { orders: [] }, next: null }, null],
    ['finds none under an id that no order has', refused(400, 'VALIDATION_ERROR'), null],
    [
      'cannot be made beyond the limit',
      refused(429, 'RATE_LIMIT_EXCEEDED', { retry_after: 12 }),
      /no: ask again in 12 s$/,
    ],
    ['cannot be made without a key that holds', refused(401, 'UNAUTHORIZED'), /^UNAUTHORIZED: no$/],
    ['cannot be made far away', { type: 'unknown' }, /out of reach: ask again$/],
  ])('%s', async (_, answer, expected) => {
    const found = await findOrder(exchangeThat(answer).exchange, {}, 'a');
    expect(found).toEqual(expected === null ? null : { unanswered: expect.stringMatching(expected as RegExp) });
  });

  it('goes on where a page is empty and leads on, for five of them', async () => {
    const paths: string[] = [];
    const pages =
      (emptyPages: number) =>
      async (_method: string, path: string): Promise<ExchangeAnswer> => {
        paths.push(path);
        const orders = paths.length > emptyPages ? [{ order_id: 'o1' }] : [];
        return { type: 'ok', body: { orders }, next: `p${paths.length}` };
      };
    expect(await findOrder({ call: pages(4) }, {}, 'a b')).toMatchObject({ order_id: 'o1' });
    expect(paths.slice(0, 2)).toEqual([
      '/v1/orders?client_order_id=a%20b',
      '/v1/orders?client_order_id=a%20b&cursor=p1',
    ]);
    paths.length = 0;
    expect(await findOrder({ call: pages(5) }, {}, 'a b')).toBeNull();
  });
});
