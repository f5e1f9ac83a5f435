import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { gateOf } from '../../../../durable-objects/gate/api.ts';
import { ORDER_ENTRY_OBJECTS } from '../../../../durable-objects/order-entry/api.ts';
import type { OrderAttachment } from '../../../../durable-objects/order-entry/order-connection.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { runRequests } from '../../../../workers/book/order-socket/run-requests.ts';
import { type Answer, createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { newestSocket } from '../../fixtures/newest-socket.ts';
import { endKey } from '../../fixtures/operate.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let freshPair: BuyerAndSeller['freshPair'];

beforeAll(async () => {
  db = await migrate();
  ({ buyer, seller, freshPair } = await createBuyerAndSeller(db, 'OS', { shares: 100_000 }));
});

const limit = (symbol: string, side: 'buy' | 'sell', size: number, price: number, more: object = {}) => ({
  symbol,
  side,
  type: 'limit',
  size,
  price,
  ...more,
});

const objects = () =>
  Array.from({ length: ORDER_ENTRY_OBJECTS }, (_, shard) => env.ORDER_ENTRY.getByName(`orders-${shard}`));

/** What of an answer is the same whenever it is given. */
function lasting(result: Readonly<Record<string, unknown>> | undefined) {
  const { order_id, created_at, updated_at, ...rest } = result ?? {};
  return rest;
}

describe('order entry over a WebSocket', () => {
  it('places, amends and cancels, each answered under its id as the REST call is', async () => {
    const symbol = await freshPair();
    const socket = await OrderSocket.open(buyer.headers);
    const placed = await socket.ask('place', { order: limit(symbol, 'buy', 5, 90, { client_order_id: 'ws-1' }) });
    const rest = await buyer.client.post('/v1/orders', limit(symbol, 'buy', 5, 90, { client_order_id: 'rest-1' }));
    expect(placed.type).toBe('result');
    expect(lasting(placed.result)).toEqual({ ...lasting(rest.body), client_order_id: 'ws-1' });
    const order_id = placed.result?.order_id;

    const amended = await socket.ask('amend', { order_id, size: 3, price: 91 });
    const amendedByRest = await buyer.client.patch(`/v1/orders/${rest.body.order_id}`, { size: 3, price: 91 });
    expect(lasting(amended.result)).toEqual({ ...lasting(amendedByRest.body), client_order_id: 'ws-1' });
    const cancelled = await socket.ask('cancel', { order_id });
    expect(cancelled.result).toMatchObject({ order_id, status: 'cancelled', size: 3 });
    expect((await socket.ask('cancel', { order_id })).error?.code).toBe('ORDER_NOT_CANCELLABLE');
    socket.close();
  });

  it('places and cancels batches, each order by itself, and cancels all', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    const batch = await socket.ask('place_batch', {
      orders: [limit(symbol, 'buy', 1, 90), limit(symbol, 'buy', 1_000, 90), limit(symbol, 'buy', 1, 91)],
    });
    const results = batch.result?.results as { order?: { order_id: string }; error?: { code: string } }[];
    expect(results.map(({ order, error }) => error?.code ?? typeof order?.order_id)).toEqual([
      'string',
      'INSUFFICIENT_BALANCE',
      'string',
    ]);
    const [first, , third] = results.map(({ order }) => order?.order_id);
    const cancelled = await socket.ask('cancel_batch', { order_ids: [first] });
    expect(cancelled.result?.results).toMatchObject([{ order: { order_id: first, status: 'cancelled' } }]);
    expect((await socket.ask('cancel_all')).result).toEqual({ order_ids: [third], pending_order_ids: [] });
    socket.close();
  });

  it('refuses as REST does: malformed orders, unknown symbols, no balance, a client order id twice', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    const orders = [
      { ...limit(symbol, 'buy', 1, 90), size: 'two' },
      { ...limit(symbol, 'buy', 1, 90), sise: 2 },
      limit('NO-SUCH', 'buy', 1, 90),
      limit(symbol, 'buy', 1_000, 90),
      limit(symbol, 'buy', 0.5, 90),
      limit(symbol, 'buy', 1, 90, { client_order_id: 'once' }),
      limit(symbol, 'buy', 1, 90, { client_order_id: 'once' }),
    ];
    const rest = await createKeyHolder(db, { cash: 1_000_00 });
    for (const order of orders) {
      const answer = await socket.ask('place', { order });
      const byRest = await rest.client.post('/v1/orders', order);
      const code = (byRest.body as { error?: { code: string } }).error?.code;
      expect([order, answer.error?.code]).toEqual([order, code]);
    }
    expect((await socket.ask('cancel', { order_id: 'nothing' })).error?.code).toBe('ORDER_NOT_FOUND');
    expect((await socket.ask('amend', { order_id: 'nothing' })).error?.code).toBe('VALIDATION_ERROR');
    socket.say({ type: 'fly', id: 'f' });
    expect((await socket.answerTo('f')).error?.code).toBe('VALIDATION_ERROR');
    socket.close();
  });

  it('answers each wrong field of each request with the code of its REST call, and does nothing', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const { client } = holder;
    const standing = await client.post('/v1/orders', limit(symbol, 'buy', 2, 90));
    const order_id = String(standing.body.order_id);
    const socket = await OrderSocket.open(holder.headers);

    const one = `/v1/orders/${order_id}`;
    const order = limit(symbol, 'buy', 1, 90);
    const many = Array.from({ length: 101 }, () => order_id);
    type Wrong = readonly [type: string, fields: Record<string, unknown>, rest: () => Promise<Answer>];
    const wrong = (type: string, fields: Record<string, unknown>, rest: () => Promise<Answer>): Wrong => [
      type,
      fields,
      rest,
    ];
    const amended = (fields: object) => wrong('amend', { order_id, ...fields }, () => client.patch(one, fields));
    const fields: readonly object[] = [
      { symbol: 'NOPE-USD' },
      { symbol: symbol.toLowerCase() },
      { symbol: 'S'.repeat(65) },
      { symbol: 5 },
      { side: 'BUY' },
      { type: 'fancy' },
      { time_in_force: 'DAY' },
      { size: 0 },
      { size: -1 },
      { size: 0.5 },
      { size: '1' },
      { price: 0 },
      { price: null },
      { price: 90.001 },
      { stop_price: 80 },
      { expires_at: 1 },
      { client_order_id: '..' },
      { self_trade_prevention: 'none' },
      { display_size: 1 },
      { seize: 1 },
    ];
    const table: readonly Wrong[] = [
      ...fields.map((field) =>
        wrong('place', { order: { ...order, ...field } }, () => client.post('/v1/orders', { ...order, ...field })),
      ),
      ...[
        { orders: [] },
        { orders: order },
        { orders: many.map(() => order) },
        { orders: [{ ...order, side: 'BUY' }] },
      ].map((body) => wrong('place_batch', body, () => client.post('/v1/orders/batch', body))),
      ...[{}, { size: 0 }, { size: 0.5 }, { size: '1' }, { price: 0 }, { price: 90.001 }, { price: '90' }].map(amended),
      ...[{ stop_price: 80 }, { stop_price: '80' }, { side: 'sell' }].map(amended),
      ...['nothing', 'n'.repeat(65), uuidv7()].flatMap((unknown) => [
        wrong('amend', { order_id: unknown, size: 1 }, () => client.patch(`/v1/orders/${unknown}`, { size: 1 })),
        wrong('cancel', { order_id: unknown }, () => client.delete(`/v1/orders/${unknown}`)),
      ]),
      ...['NOPE-USD', symbol.toLowerCase(), 'S'.repeat(65), ''].flatMap((unknown) => [
        wrong('cancel', { order_id, symbol: unknown }, () => client.delete(`${one}?symbol=${unknown}`)),
        wrong('cancel_all', { symbol: unknown }, () => client.delete(`/v1/orders?symbol=${unknown}`)),
      ]),
      wrong('cancel', { order_id, simbol: symbol }, () => client.delete(`${one}?simbol=${symbol}`)),
      wrong('cancel_all', { simbol: symbol }, () => client.delete(`/v1/orders?simbol=${symbol}`)),
      wrong('cancel_all', { side: 'BUY' }, () => client.delete('/v1/orders?side=BUY')),
      ...[
        { order_ids: [] },
        { order_ids: order_id },
        { order_ids: many },
        { order_ids: [5] },
        { order_ids: ['n'.repeat(65)] },
      ].map((body) => wrong('cancel_batch', body, () => client.delete('/v1/orders/batch', body))),
      ...[-1, 1, 999, 1_000.5, 3_600_001, '1000', null].map((timeout_ms) =>
        wrong('cancel_after', { timeout_ms }, () => client.post('/v1/orders/cancel-after', { timeout_ms })),
      ),
    ];
    for (const [type, body, rest] of table) {
      const answer = await socket.ask(type, body);
      const { code } = (await rest()).body.error as { readonly code: string };
      expect([type, body, answer.error?.code]).toEqual([type, body, code]);
    }
    const enabled = await socket.ask('cancel_on_disconnect', { enabled: 'yes' });
    expect(enabled.error?.code).toBe('VALIDATION_ERROR');
    const open = await client.get('/v1/orders?status=open');
    expect(open.body.orders).toMatchObject([{ order_id, size: 2, price: 90 }]);
    socket.close();
  });

  it('does nothing by a message in which a field stands twice, and says of which request', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    const order = `{"symbol":"${symbol}","side":"buy","type":"limit","price":90,"size":1,"size":5}`;
    socket.say(`{"type":"place","id":"twice","order":${order}}`);
    const refused = { code: 'VALIDATION_ERROR', details: { reason: 'repeated_field', field: 'size' } };
    expect((await socket.answerTo('twice')).error).toMatchObject(refused);
    socket.say('{"type":"cancel_all","id":"one","id":"two"}');
    expect((await socket.answerTo(null)).error?.details).toMatchObject({ field: 'id' });
    const dear = `{"symbol":"${symbol}","side":"buy","type":"limit","price":90.00000000000000001,"size":1}`;
    socket.say(`{"type":"place","id":"rounded","order":${dear}}`);
    expect((await socket.answerTo('rounded')).error?.details).toEqual({
      reason: 'too_many_digits',
      field: 'price',
      number: '90.00000000000000001',
    });
    expect((await socket.ask('cancel_all')).result).toEqual({ order_ids: [], pending_order_ids: [] });
    socket.close();
  });

  it('answers each of many requests that were sent without waiting exactly once, and does a connection’s in their order', async () => {
    const symbol = await freshPair();
    const sockets = await Promise.all([buyer, seller].map(({ headers }) => OrderSocket.open(headers)));
    const sides = ['buy', 'sell'] as const;
    for (const [at, socket] of sockets.entries())
      for (let id = 0; id < 120; id++)
        socket.say({
          type: 'place',
          id,
          order: limit(symbol, sides[at] as 'buy', 1, 100, { client_order_id: `o${id}` }),
        });
    for (const socket of sockets) {
      socket.say({ type: 'cancel_all', id: 'all', symbol });
      await socket.answerTo('all');
      expect(socket.received.map(({ id }) => id)).toEqual([...Array.from({ length: 120 }, (_, id) => id), 'all']);
      expect(socket.received.every(({ type }) => type === 'result')).toBe(true);
      const ids = socket.received.slice(0, -1).map(({ result }) => String(result?.order_id));
      expect(ids).toEqual([...ids].sort());
      socket.close();
    }
    // How many of each meet before the cancellations is the sockets' own affair: nothing is placed twice, and nothing is left.
    const fillsOf = async ({ client }: typeof buyer) =>
      ((await client.get(`/v1/fills?symbol=${symbol}&limit=1000`)).body as { fills: unknown[] }).fills.length;
    const [bought, sold] = [await fillsOf(buyer), await fillsOf(seller)];
    expect(bought).toBe(sold);
    expect(bought).toBeGreaterThanOrEqual(100);
    for (const { client } of [buyer, seller]) {
      const ordersOf = async (status: string) =>
        ((await client.get(`/v1/orders?symbol=${symbol}&status=${status}&limit=1000`)).body as { orders: unknown[] })
          .orders;
      expect(await ordersOf('open')).toEqual([]);
      expect((await ordersOf('all')).length).toBe(120);
    }
  });

  it('takes its credential from a message, too, and runs nothing before', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open();
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).error?.code).toBe('UNAUTHORIZED');
    const { 'x-api-key': api_key, 'x-api-secret': api_secret } = holder.headers;
    expect((await socket.ask('auth', { api_key, api_secret })).type).toBe('authenticated');
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).type).toBe('result');
    expect((await socket.ask('auth', { api_key, api_secret })).error?.code).toBe('FORBIDDEN');
    socket.close();

    const wrong = await OrderSocket.open();
    wrong.say({ type: 'auth', id: 1, api_key, api_secret: 'not-the-secret-of-this-key' });
    expect(await wrong.untilClosed()).toMatchObject({ code: 1008 });
    expect(wrong.received).toMatchObject([{ type: 'error', id: 1, error: { code: 'UNAUTHORIZED' } }]);
  });

  it('is not for a key that may not trade, nor for no key at all', async () => {
    const reading = await createKey(db, buyer, { scopes: ['read'] });
    const refused = await OrderSocket.handshake(reading.headers);
    expect(refused.status).toBe(403);
    const bad = await OrderSocket.handshake({ ...buyer.headers, 'x-api-secret': 'not-the-secret-of-this-key' });
    expect(bad.status).toBe(401);
  });

  it('counts orders as REST does, and with it, and answers what is beyond the limit', async () => {
    const symbol = await freshPair();
    const trader = await createKeyHolder(db, { cash: 1_000_00 }, { rateLimits: { orders: 5 } });
    stopClock();
    const socket = await OrderSocket.open(trader.headers);
    for (let nth = 0; nth < 8; nth++) socket.say({ type: 'place', id: `n${nth}`, order: limit(symbol, 'buy', 1, 1) });
    await socket.answerTo('n7');
    const limited = socket.received.filter(({ error }) => error?.code === 'RATE_LIMIT_EXCEEDED');
    expect(socket.received.filter(({ type }) => type === 'result')).toHaveLength(5);
    expect(limited).toHaveLength(3);
    expect(limited[0]?.error?.details).toEqual({ retry_after: expect.any(Number) });
    const byRest = await trader.client.post('/v1/orders', limit(symbol, 'buy', 1, 1));
    expect(byRest.status).toBe(429);
    const batch = await socket.ask('place_batch', {
      orders: Array.from({ length: 6 }, () => limit(symbol, 'buy', 1, 1)),
    });
    expect(batch.error?.code).toBe('RATE_LIMIT_EXCEEDED');
    socket.close();
  });

  it('answers others although the Gate of one whose placements go together with theirs hangs', async () => {
    const symbol = await freshPair();
    const [slow, quick] = [
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00 }),
    ];
    const gateNames = [slow, quick].map(({ owner, userId }) => userGateName(owner, userId)) as [string, string];
    const lanes = await Promise.all(
      [slow, quick].map(async ({ keyId }, at) => {
        const session = (await gateOf(env, gateNames[at] as string).openSession(keyId))?.token;
        const requests = [{ type: 'place', id: at, order: limit(symbol, 'buy', 1, 90) }];
        return {
          credential: { type: 'key', keyId, session },
          clientAddress: '192.0.2.1',
          connectionId: `c${at}`,
          requests,
        };
      }),
    );
    const hanging = { admitKey: () => new Promise(() => undefined) };
    const getByName = (name: string) => (name === gateNames[0] ? hanging : env.GATE.getByName(name));
    const withSlowGate = { ...env, GATE: { getByName } } as unknown as Env;
    const answers = await runRequests(withSlowGate, JSON.stringify(lanes));
    expect(answers.map(({ texts }) => JSON.parse(texts[0] as string))).toMatchObject([
      { type: 'error', id: 0, error: { code: 'SERVICE_UNAVAILABLE' } },
      { type: 'result', id: 1 },
    ]);
    const orders = (await slow.client.get(`/v1/orders?symbol=${symbol}&status=open`)).body as { orders: unknown[] };
    expect(orders.orders).toEqual([]);
  });

  it('ends the connection of a key that is revoked, after answering that it holds no longer', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).type).toBe('result');
    await endKey({ id: holder.keyId, account: holder.accountId });
    const { invalidateKey } = await import('../../../../application/identity/invalidate-gates.ts');
    await invalidateKey(env, holder.keyId);
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).error?.code).toBe('UNAUTHORIZED');
    expect(await socket.untilClosed()).toMatchObject({ code: 1008 });
  });

  it('ends a connection with more than 256 requests in flight, and one that is no text', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const flooding = await OrderSocket.open(holder.headers);
    for (let id = 0; id < 400; id++) flooding.say({ type: 'cancel', id, order_id: symbol });
    expect(await flooding.untilClosed()).toMatchObject({ code: 1008, reason: 'too many requests in flight' });
    const long = await OrderSocket.open(holder.headers);
    long.say('x'.repeat(70_000));
    expect(await long.untilClosed()).toMatchObject({ code: 1009 });
  });

  it('ends a connection that proves nobody for 10 seconds', async () => {
    const nobody = await OrderSocket.open();
    const openedAtOf = ({ openedAt }: OrderAttachment) => openedAt;
    const { stub, attachedAt, alarmAt } = await newestSocket(objects(), openedAtOf);
    expect(alarmAt).toBeLessThanOrEqual(attachedAt + 10_000);
    vi.useFakeTimers({ toFake: ['Date'], now: attachedAt + 9_800 });
    await runDurableObjectAlarm(stub);
    expect((await nobody.ask('ping')).type).toBe('pong');
    vi.setSystemTime(attachedAt + 10_000);
    await runDurableObjectAlarm(stub);
    vi.useRealTimers();
    expect(await nobody.untilClosed()).toMatchObject({ code: 1000, reason: 'nobody has authenticated' });
  });

  it('ends a connection that waits with more than 1 Mi characters, and takes no single request of more than 4 Ki', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    const long = await socket.ask('place', {
      order: limit(symbol, 'buy', 1, 90, { client_order_id: 'x'.repeat(5_000) }),
    });
    expect(long.error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'the request is too long' });
    const order_ids = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(600, 'x'));
    for (let id = 0; id < 20; id++) socket.say({ type: 'cancel_batch', id: `b${id}`, order_ids });
    expect(await socket.untilClosed()).toMatchObject({ code: 1008, reason: 'too many requests in flight' });
    const next = await OrderSocket.open(holder.headers);
    expect((await next.ask('place', { order: limit(symbol, 'buy', 1, 90) })).type).toBe('result');
    next.close();
  });

  it('ends a connection that says more than 50 things in a second which draw on no limit', async () => {
    const saying = [
      () => ({ type: 'ping', id: 1 }),
      () => 'no JSON',
      () => ({ type: 'fly', id: 2 }),
      () => ({ type: 'place', id: 3, order: { symbol: 'ANY' } }),
    ];
    stopClock();
    for (const message of saying) {
      const socket = await OrderSocket.open();
      for (let nth = 0; nth < 120; nth++) socket.say(message());
      expect(await socket.untilClosed()).toMatchObject({ code: 1008, reason: 'too many messages' });
    }
    const socket = await OrderSocket.open(buyer.headers);
    for (let id = 0; id < 120; id++) socket.say({ type: 'cancel', id, order_id: 'nothing' });
    expect((await socket.answerTo(119)).error?.code).toBe('ORDER_NOT_FOUND');
    socket.close();
  });

  it('proves one credential at a time, and counts a refused one for the address', async () => {
    const holder = await createKeyHolder(db);
    const { 'x-api-key': api_key, 'x-api-secret': api_secret } = holder.headers;
    const socket = await OrderSocket.open();
    for (const id of ['first', 'second']) socket.say({ type: 'auth', id, api_key, api_secret });
    expect((await socket.answerTo('second')).error?.code).toBe('CONFLICT');
    expect((await socket.answerTo('first')).type).toBe('authenticated');
    socket.close();

    stopClock();
    const from = { 'cf-connecting-ip': '10.77.0.1' };
    let handshakes = 0;
    for (; handshakes < 100; handshakes++) {
      const response = await OrderSocket.handshake(from);
      if (response.status === 429) break;
      const wrong = OrderSocket.over(response);
      wrong.say({ type: 'auth', id: 1, api_key, api_secret: 'not-the-secret-of-this-key' });
      await wrong.untilClosed();
    }
    // Each handshake and each refused credential draws one of the address's 100.
    expect(handshakes).toBe(50);
  });

  it('keeps its connections while its object hibernates', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const socket = await OrderSocket.open(holder.headers);
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).type).toBe('result');
    // Those that no test has called are not there to be evicted.
    const evicted = await Promise.allSettled(objects().map((object) => evictDurableObject(object)));
    expect(evicted.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await socket.ask('place', { order: limit(symbol, 'buy', 1, 90) })).type).toBe('result');
    socket.close();
  });

  it('takes one of a user’s five connections, and gives it back', async () => {
    const holder = await createKeyHolder(db);
    const sockets = await Promise.all(Array.from({ length: 5 }, () => OrderSocket.open(holder.headers)));
    expect((await OrderSocket.handshake(holder.headers)).status).toBe(429);
    sockets[0]?.close();
    await expect.poll(async () => (await OrderSocket.handshake(holder.headers)).status).toBe(101);
    for (const socket of sockets) socket.close();
  });

  it('ends connections whose requests nobody can answer for', async () => {
    const holder = await createKeyHolder(db);
    const socket = await OrderSocket.open(holder.headers);
    for (const object of objects())
      await runInDurableObject(object, (_, state) => state.abort('killed by a test')).catch(() => undefined);
    await expect.poll(() => socket.closed).not.toBeNull();
  });
});
