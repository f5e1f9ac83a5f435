import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { RateBucket } from '../../../../domain/limits/rate-bucket.ts';
import type { Attachment } from '../../../../durable-objects/fan-out/connection.ts';
import { gateOf } from '../../../../durable-objects/gate/api.ts';
import { ORDER_ENTRY_OBJECTS } from '../../../../durable-objects/order-entry/api.ts';
import type { OrderAttachment } from '../../../../durable-objects/order-entry/order-connection.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { type Answer, call } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { newestSocket } from '../../fixtures/newest-socket.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';
import { agentOf } from '../../workers/agent/agent-client.ts';

let db: Database;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createCurrency(db);
  symbol = (await createPair(db, 'ENDED')).symbol;
});

afterEach(() => {
  vi.useRealTimers();
});

/** Whoever has as much as anybody. */
const trader = () => createKeyHolder(db, { cash: 1_000_000_00 }, { rateLimits: null });

/** Uses up a bucket of the account, and of the key. */
async function useUp({ owner, userId, keyId, headers }: KeyHolder, bucket: RateBucket, cost: number): Promise<void> {
  const proof = { type: 'secret', secret: headers['x-api-secret'] ?? '' } as const;
  const gate = gateOf(env, userGateName(owner, userId));
  const drawn = await gate.admitKey({ keyId, proof }, { bucket, cost, clientAddress: '10.82.0.1', isDivisible: true });
  expect(drawn.type).toBe('admitted');
}

async function placed({ client }: KeyHolder): Promise<string> {
  const { status, body } = await client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size: 1, price: 1 });
  expect(status).toBe(200);
  return String(body.order_id);
}

describe('Feed subscriptions draw on no bucket of cancels: who has read and subscribed as much as they may', () => {
  let holder: KeyHolder;
  let session: SignedIn;
  const headers = () => holder.headers;
  const nobodys = crypto.randomUUID();

  /** All that follows is within the minute in which it was used up. */
  let at = 0;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: at });
  });

  beforeAll(async () => {
    at = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    holder = await trader();
    session = await signIn(holder.phone);
    await useUp(holder, 'private', 300);
    await useUp(holder, 'public', 100);
    await useUp(holder, 'subscriptions', 500);
  });

  it('may neither read nor subscribe for the rest of a minute', async () => {
    expect((await holder.client.get('/v1/account/balances')).status).toBe(429);
    expect((await call('GET /iam/api/userinfo', { headers: session.bearer })).status).toBe(429);
  });

  it.each<[string, () => Promise<Answer>]>([
    ['an order by its id', () => call(`DELETE /book/v1/orders/${nobodys}`, { headers: headers() })],
    ['an order by its client order id', () => call('DELETE /book/v1/orders/client/c1', { headers: headers() })],
    ['all orders', () => call('DELETE /book/v1/orders', { headers: headers() })],
    [
      'orders together',
      () => call('DELETE /book/v1/orders/batch', { headers: headers(), json: { order_ids: [nobodys] } }),
    ],
    ['in time', () => call('POST /book/v1/orders/cancel-after', { headers: headers(), json: { timeout_ms: 60_000 } })],
    ['by RPC', () => call('POST /book/TradingService/CancelOrder', { headers: headers(), json: { orderId: nobodys } })],
    ['as a person', () => call(`DELETE /exchange/v1/orders/${nobodys}`, { headers: session.tenant })],
  ])('cancels %s', async (_, cancel) => {
    const answer = await cancel();
    expect([200, 400, 404]).toContain(answer.status);
  });

  it('connects, authenticates and cancels over a socket', async () => {
    const orderId = await placed(holder);
    const byHeader = await OrderSocket.open(headers());
    expect((await byHeader.ask('cancel_on_disconnect', { enabled: false })).error).toBeUndefined();
    byHeader.close();
    const socket = await OrderSocket.open();
    const [api_key, api_secret] = [headers()['x-api-key'], headers()['x-api-secret']];
    expect((await socket.ask('auth', { api_key, api_secret })).type).toBe('authenticated');
    expect((await socket.ask('cancel', { order_id: orderId })).result).toMatchObject({ status: 'cancelled' });
    expect((await socket.ask('cancel_all')).error).toBeUndefined();
    // What changes an order is no cancel.
    expect((await socket.ask('amend', { order_id: orderId, size: 2 })).error?.code).toBe('RATE_LIMIT_EXCEEDED');
    socket.close();
  });

  it('has an agent cancel, whose reads wait', async () => {
    const agent = await agentOf(holder);
    const asked = (name: string, parameters: object) =>
      agent.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } });
    expect((await asked('get_portfolio', {})).status).toBe(429);
    const cancelled = await asked('cancel_order', { order_id: await placed(holder), symbol });
    expect(await cancelled.json()).toMatchObject({ result: { structuredContent: { status: 'cancelled' } } });
  });

  it('ends a key, and everything', async () => {
    const ended = await call(`DELETE /iam/v1/keys/${holder.keyId}`, { headers: session.bearer });
    expect(ended.status).toBe(200);
    const killed = await call(`POST /iam/v1/users/${holder.userId}/kill-switch`, { headers: session.bearer });
    expect(killed.status).toBe(200);
  });
});

describe('cancels of an account whose agent repeats cancels in vain', () => {
  it('go on for its other keys and for its owner, and wait for the agent', async () => {
    const owner = await trader();
    const agent = await createKey(db, owner, { rateLimits: null });
    const session = await signIn(owner.phone);
    const orders = [await placed(owner), await placed(owner)];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await useUp({ ...owner, ...agent }, 'cancels', 300);
    expect((await agent.client.delete(`/v1/orders/${orders[0]}`)).status).toBe(429);
    const cancelled = await owner.client.delete(`/v1/orders/${orders[0]}`);
    expect([cancelled.status, cancelled.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
    expect((await call(`DELETE /exchange/v1/orders/${orders[1]}`, { headers: session.tenant })).status).toBe(200);
    await useUp(owner, 'cancels', 300);
    expect((await owner.client.delete(`/v1/orders/${orders[1]}`)).status).toBe(429);
  });
});

describe('a subscription', () => {
  it('has a window of its own: 500 a minute of an account, and none of the requests that it may make', async () => {
    const holder = await trader();
    await useUp(holder, 'subscriptions', 499);
    const feed = await FeedSocket.open('/v1/ws', holder.headers);
    feed.subscribe('trades', symbol);
    await feed.next('subscribed');
    feed.subscribe('orderbook', symbol);
    expect(await feed.next('error')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', channel: 'orderbook', symbol });
    const read = await holder.client.get('/v1/account/balances');
    expect([read.status, read.headers.get('x-ratelimit-remaining')]).toEqual([200, '299']);
    feed.close();
  });
});

const feedObjects = () => Array.from({ length: 16 }, (_, shard) => env.FEED.getByName(`feed-${shard}`));

describe('a connection that is told to wait', () => {
  it('to feeds, is idle once it might have asked again', async () => {
    const holder = await trader();
    await useUp(holder, 'subscriptions', 500);
    const feed = await FeedSocket.open('/v1/ws', holder.headers);
    const idleSinceOf = ({ idleSince }: Attachment) => idleSince;
    const { attachedAt } = await newestSocket(feedObjects(), idleSinceOf);
    feed.subscribe('trades', symbol);
    expect(await feed.next('error')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    const { stub, attachedAt: idleSince } = await newestSocket(feedObjects(), idleSinceOf);
    expect(idleSince - attachedAt).toBeGreaterThan(50_000);
    vi.useFakeTimers({ toFake: ['Date'], now: idleSince + 9_800 });
    await runDurableObjectAlarm(stub);
    feed.say({ type: 'ping' });
    await feed.next('pong');
    vi.setSystemTime(idleSince + 10_000);
    await runDurableObjectAlarm(stub);
    vi.useRealTimers();
    expect(await feed.untilClosed()).toMatchObject({ code: 1000, reason: 'idle: nothing was subscribed' });
  });

  it('to feeds before it has authenticated, is idle from then on, too', async () => {
    const holder = await trader();
    await useUp(holder, 'subscriptions', 500);
    const feed = await FeedSocket.open();
    const [api_key, api_secret] = [holder.headers['x-api-key'], holder.headers['x-api-secret']];
    feed.say({ type: 'auth', api_key, api_secret });
    expect(await feed.next('error')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    const { attachedAt: idleSince } = await newestSocket(feedObjects(), ({ idleSince: at }: Attachment) => at);
    expect(idleSince - Date.now()).toBeGreaterThan(50_000);
    feed.close();
  });

  it('to order entry, may prove somebody for ten seconds from then on', async () => {
    const holder = await trader();
    await useUp(holder, 'cancels', 300);
    const socket = await OrderSocket.open();
    const [api_key, api_secret] = [holder.headers['x-api-key'], holder.headers['x-api-secret']];
    const { error } = await socket.ask('auth', { api_key, api_secret });
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    const objects = Array.from({ length: ORDER_ENTRY_OBJECTS }, (_, shard) =>
      env.ORDER_ENTRY.getByName(`orders-${shard}`),
    );
    const { stub, attachedAt: waitsUntil } = await newestSocket(objects, ({ waitsUntil: at }: OrderAttachment) => at);
    expect(waitsUntil - Date.now()).toBeGreaterThan(50_000);
    vi.useFakeTimers({ toFake: ['Date'], now: waitsUntil + 9_800 });
    await runDurableObjectAlarm(stub);
    expect((await socket.ask('ping')).type).toBe('pong');
    vi.setSystemTime(waitsUntil + 10_000);
    await runInDurableObject(stub, (object) => object.alarm?.());
    vi.useRealTimers();
    expect(await socket.untilClosed()).toMatchObject({ code: 1000, reason: 'nobody has authenticated' });
  });
});
