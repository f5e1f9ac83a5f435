import { beforeAll, describe, expect, it } from 'vitest';

import type { Database } from '../../../../data/database.ts';
import type { ApiKey } from '../../../../data/identity/api-keys.ts';
import { type Answer, createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'KEYA', { market: { referencePrice: 10_00 } });
  await createPair(db, 'KEYB');
});

const holder = (key: Partial<ApiKey>): Promise<KeyHolder> => createKeyHolder(db, { cash: 1_000_000_00 }, key);

const order = (size: number, price: number, symbol = 'KEYA-USD') => ({
  symbol,
  side: 'buy',
  type: 'limit',
  size,
  price,
});

function risk({ status, body }: Answer): unknown {
  const { code, details } = (body.error ?? {}) as { code?: string; details?: { limit?: string } };
  return [status, code, details?.limit];
}

const exceeds = (limit: string) => [403, 'RISK_LIMIT_EXCEEDED', limit];

describe('the largest order of an API key', () => {
  it('is enforced when placing, one by one and in a batch, and when amending', async () => {
    const { client } = await holder({ orderSizeLimits: { keya: 10 } });
    expect(risk(await client.post('/v1/orders', order(11, 1)))).toEqual(exceeds('order_size'));
    const { body } = await client.post('/v1/orders/batch', { orders: [order(11, 1), order(10, 1)] });
    expect(body.results).toMatchObject([
      { error: { code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'order_size', size: 11, size_max: 10 } } },
      { order: { status: 'open' } },
    ]);
    const [, placed] = body.results as { order: { order_id: string } }[];
    const path = `/v1/orders/${placed?.order.order_id}`;
    expect(risk(await client.patch(path, { size: 11 }))).toEqual(exceeds('order_size'));
    expect((await client.patch(path, { size: 9 })).status).toBe(200);
  });

  it('binds this key and asset alone', async () => {
    const limited = await holder({ orderSizeLimits: { keya: 10 } });
    expect((await limited.client.post('/v1/orders', order(11, 1, 'KEYB-USD'))).status).toBe(200);
    const { client } = await createKey(db, limited);
    expect((await client.post('/v1/orders', order(11, 1))).status).toBe(200);
  });
});

describe('an order of one key, amended through another one', () => {
  it('never outgrows the position limit that it was placed under', async () => {
    const narrow = await holder({ positionLimits: { keya: 5 } });
    const path = `/v1/orders/${(await narrow.client.post('/v1/orders', order(1, 1))).body.order_id}`;
    const free = await createKey(db, narrow);
    // What leaves no room for more, and what the allowance of the other key has not heard of yet.
    await giveHolding({ accountId: narrow.accountId, asset: 'keya', lots: [{ quantity: 4 }] });
    for (const { client } of [free, narrow])
      expect(risk(await client.patch(path, { size: 2 }))).toEqual(exceeds('position'));
    expect((await narrow.client.get(path)).body).toMatchObject({ size: 1 });
  });

  it('is held to the largest order of that one, though its size stays as it is', async () => {
    const free = await holder({});
    const path = `/v1/orders/${(await free.client.post('/v1/orders', order(11, 1))).body.order_id}`;
    const narrow = await createKey(db, free, { orderSizeLimits: { keya: 10 } });
    expect(risk(await narrow.client.patch(path, { price: 2 }))).toEqual(exceeds('order_size'));
    expect((await free.client.patch(path, { price: 2 })).status).toBe(200);
  });
});

describe('the markets of an API key', () => {
  it('are the only ones that it trades; it still reads the others', async () => {
    const { client } = await holder({ symbols: ['KEYB-USD'] });
    expect(risk(await client.post('/v1/orders', order(1, 1)))).toEqual(exceeds('symbols'));
    expect((await client.post('/v1/orders', order(1, 1, 'KEYB-USD'))).status).toBe(200);
    expect((await client.get('/v1/orderbook/KEYA-USD')).status).toBe(200);
  });

  it('bind its amendments of orders placed otherwise', async () => {
    const free = await holder({});
    const { body } = await free.client.post('/v1/orders', order(5, 1));
    const { client } = await createKey(db, free, { symbols: ['KEYB-USD'] });
    expect(risk(await client.patch(`/v1/orders/${body.order_id}`, { size: 4 }))).toEqual(exceeds('symbols'));
  });
});

describe('the daily notional of an API key', () => {
  it('counts open orders whole, and final ones by what they have filled', async () => {
    const { client } = await holder({ dailyNotionalMax: 100_00 });
    const first = await client.post('/v1/orders', order(6, 10));
    expect(first.status).toBe(200);
    const refused = await client.post('/v1/orders', order(5, 10));
    expect(risk(refused)).toEqual(exceeds('daily_notional'));
    expect(refused.body).toMatchObject({
      error: { details: { required: 50, available: 40, order_id: expect.any(String) } },
    });
    expect((await client.post('/v1/orders', order(4, 10))).status).toBe(200);
    await client.delete(`/v1/orders/${first.body.order_id}`);
    await client.get('/v1/orders');
    expect((await client.post('/v1/orders', order(6, 10))).status).toBe(200);
    expect(risk(await client.post('/v1/orders', order(1, 1)))).toEqual(exceeds('daily_notional'));
  });

  it('is never exceeded by orders that arrive at once, in two books', async () => {
    const { client } = await holder({ dailyNotionalMax: 100_00 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.post('/v1/orders', order(1, 10, i % 2 === 0 ? 'KEYA-USD' : 'KEYB-USD')),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter((answer) => risk(answer)?.toString() === exceeds('daily_notional').toString())).toHaveLength(
      10,
    );
  });

  it('counts a market order at its collar, and nothing for an order that was refused', async () => {
    const { client } = await holder({ dailyNotionalMax: 100_00 });
    const market = (size: number) => ({ symbol: 'KEYA-USD', side: 'buy', type: 'market', size });
    expect(risk(await client.post('/v1/orders', market(10)))).toEqual(exceeds('daily_notional'));
    expect((await client.post('/v1/orders', { ...order(1_000, 10), side: 'sell', size: 10 })).status).toBe(400);
    expect((await client.post('/v1/orders', order(10, 10))).status).toBe(200);
  });

  it('is enforced when amending, and an amendment never lowers what an order counts', async () => {
    const { client } = await holder({ dailyNotionalMax: 100_00 });
    const { body } = await client.post('/v1/orders', order(6, 10));
    const path = `/v1/orders/${body.order_id}`;
    expect(risk(await client.patch(path, { size: 11 }))).toEqual(exceeds('daily_notional'));
    expect((await client.patch(path, { size: -1_000 })).status).toBe(400);
    expect(risk(await client.post('/v1/orders', order(5, 10)))).toEqual(exceeds('daily_notional'));
    expect((await client.patch(path, { size: 10 })).status).toBe(200);
    expect(risk(await client.post('/v1/orders', order(1, 1)))).toEqual(exceeds('daily_notional'));
  });

  it('gives back what a duplicate client order id did not place', async () => {
    const { client } = await holder({ dailyNotionalMax: 100_00 });
    const named = { ...order(4, 10), client_order_id: 'mine' };
    expect((await client.post('/v1/orders', named)).status).toBe(200);
    expect((await client.post('/v1/orders', named)).status).toBe(409);
    expect((await client.post('/v1/orders', order(6, 10))).status).toBe(200);
  });
});
