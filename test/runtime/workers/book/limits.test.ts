import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { type Answer, anyone, createKeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let db: Database;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  symbol = (await createPair(db, 'LIM')).symbol;
});

const trader = () => createKeyHolder(db, { cash: 1_000_000_00 }, { rateLimits: null });

const order = () => ({ symbol, side: 'buy', type: 'limit', size: 1, price: 1 });

function count(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe('order placement is limited to 10 orders per second', () => {
  it('exactly, when they arrive at once', async () => {
    const { client } = await trader();
    stopClock();
    const answers = await Promise.all(Array.from({ length: 25 }, () => client.post('/v1/orders', order())));
    expect([count(answers, 200), count(answers, 429)]).toEqual([10, 15]);
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.body).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect(limited?.headers.get('x-ratelimit-remaining')).toBe('0');
    const { body } = await client.get('/v1/orders?status=open');
    expect(body.orders).toHaveLength(10);
  });

  it('a batch of n costs n', async () => {
    const { client } = await trader();
    stopClock();
    const batch = (n: number) => client.post('/v1/orders/batch', { orders: Array.from({ length: n }, order) });
    const first = await batch(7);
    expect([first.status, first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '10',
      '3',
    ]);
    expect((await batch(4)).status).toBe(429);
    expect((await batch(3)).status).toBe(200);
    expect((await client.post('/v1/orders', order())).status).toBe(429);
  });

  it('draws on its own bucket alone', async () => {
    const { client } = await trader();
    stopClock();
    await Promise.all(Array.from({ length: 12 }, () => client.post('/v1/orders', order())));
    const { status, headers } = await client.get('/v1/orders');
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '300',
      '299',
    ]);
  });
});

describe('authenticated endpoints are limited to 300 requests per minute', () => {
  it('of which a batch cancellation of n costs n', async () => {
    const { client } = await trader();
    stopClock();
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
    const cancel = () => client.delete('/v1/orders/batch', { order_ids: ids });
    expect((await cancel()).headers.get('x-ratelimit-remaining')).toBe('200');
    await cancel();
    await cancel();
    expect((await client.get('/v1/account/balances')).status).toBe(429);
  });
});

describe('public market data is limited to 100 requests per minute', () => {
  it('per address where there is no credential', async () => {
    const client = anyone();
    stopClock();
    const answers = await Promise.all(Array.from({ length: 105 }, () => client.get(`/v1/orderbook/${symbol}`)));
    expect([count(answers, 200), count(answers, 429)]).toEqual([100, 5]);
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).status).toBe(200);
  });

  it('per key where there is one', async () => {
    const [one, other] = await Promise.all([trader(), trader()]);
    const { headers } = await one.client.get(`/v1/ticker/${symbol}`);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['100', '99']);
    expect((await other.client.get('/v1/markets')).headers.get('x-ratelimit-remaining')).toBe('99');
  });
});

function expectRateLimitHeaders(headers: Headers): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers.get(name)).toMatch(/^\d+$/);
  }
  const reset = Number(headers.get('x-ratelimit-reset'));
  expect(Math.abs(reset - Date.now() / 1_000)).toBeLessThan(120);
}

describe('every response carries integer X-RateLimit headers', () => {
  it.each(['/v1/markets', '/v1/account/balances', '/v1/nothing', '/v1/orderbook/NOPE-USD'])(
    'on GET %s',
    async (path) => {
      expectRateLimitHeaders((await anyone().get(path)).headers);
    },
  );

  it('on an order placed, refused, beyond the limit and cancelled', async () => {
    const { client } = await trader();
    stopClock();
    const placed = await client.post('/v1/orders', order());
    const refused = await client.post('/v1/orders', { ...order(), size: 1_000_000_000 });
    const cancelled = await client.delete(`/v1/orders/${placed.body.order_id}`);
    const limited = await Promise.all(Array.from({ length: 12 }, () => client.post('/v1/orders', order())));
    expect([placed.status, refused.status, cancelled.status]).toEqual([200, 400, 200]);
    expect(limited.map(({ status }) => status)).toContain(429);
    for (const { headers } of [placed, refused, cancelled, ...limited]) expectRateLimitHeaders(headers);
    expect(placed.headers.get('x-ratelimit-limit')).toBe('10');
  });

  it.each([
    ['a feed object', () => '/v1/ws'],
    ['a book', () => `/v1/ws?symbol=${symbol}`],
  ])('on the handshake of a WebSocket to %s, taken (101) and refused', async (_, path) => {
    const taken = await FeedSocket.handshake(path());
    expect(taken.status).toBe(101);
    expectRateLimitHeaders(taken.headers);
    expect(taken.headers.get('x-ratelimit-limit')).toBe('100');
    taken.webSocket?.accept();
    taken.webSocket?.close(1000, 'done');
    const refused = await FeedSocket.handshake('/v1/ws?symbol=NOPE-USD');
    expect(refused.status).toBe(400);
    expectRateLimitHeaders(refused.headers);
  });

  it('on server-sent events', async () => {
    const stream = await callWorker(`http://localhost/book/v1/stream?channel=trades&symbol=${symbol}`, {
      headers: { 'cf-connecting-ip': '10.77.0.1' },
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expectRateLimitHeaders(stream.headers);
    await stream.body?.cancel();
  });
});
