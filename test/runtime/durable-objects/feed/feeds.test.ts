import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { invalidateKey } from '../../../../application/identity/invalidate-gates.ts';
import { instrumentOf } from '../../../../application/order-entry/checks/instrument-cache.ts';
import type { Database } from '../../../../data/database.ts';
import { BAR_INTERVALS } from '../../../../domain/charts/bar-interval.ts';
import type { Attachment } from '../../../../durable-objects/fan-out/connection.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { FaultyOrderBook } from '../../fixtures/faults.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { newestSocket } from '../../fixtures/newest-socket.ts';
import { endKey } from '../../fixtures/operate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let pairs = 0;

async function freshPair(terms: Parameters<typeof createPair>[2] = {}): Promise<string> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `FD${pairs}`, terms);
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 100_000 }] });
  return symbol;
}

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, { cash: 100_000_000_00 });
  seller = await createKeyHolder(db);
});

async function place(holder: KeyHolder, symbol: string, side: 'buy' | 'sell', size: number, price: number) {
  const answer = await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price });
  expect(answer.status).toBe(200);
  return answer.body as { order_id: string; status: string };
}

/** Both ways to a pair: a feed object, and the book itself. */
const WAYS = ['many pairs', 'one pair'] as const;
const open = (way: (typeof WAYS)[number], symbol: string) =>
  FeedSocket.open(way === 'one pair' ? `/v1/ws?symbol=${symbol}` : '/v1/ws');

describe.each(WAYS)('a connection that follows %s', (way) => {
  it('gets a snapshot of the subscribed depth, then changed levels only, and size 0 for a level that is gone', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 5, 99);
    await place(buyer, symbol, 'buy', 7, 98);
    await place(seller, symbol, 'sell', 3, 101);
    const feed = await open(way, symbol);
    feed.subscribe('orderbook', symbol, { depth: 2 });
    expect(await feed.next('subscribed')).toMatchObject({ channel: 'orderbook', symbol, depth: 2 });
    const snapshot = await feed.next('orderbook_snapshot');
    const always = { channel: 'orderbook', symbol, checksum: expect.any(Number), timestamp: expect.any(Number) };
    expect(snapshot).toEqual({
      ...always,
      type: 'orderbook_snapshot',
      sequence: expect.any(Number),
      bids: [
        [99, 5],
        [98, 7],
      ],
      asks: [[101, 3]],
    });
    expect(Math.abs(snapshot.timestamp - Date.now())).toBeLessThan(60_000);

    await place(buyer, symbol, 'buy', 1, 100);
    const first = await feed.next('orderbook_update');
    expect(first).toEqual({
      ...always,
      type: 'orderbook_update',
      prev_sequence: snapshot.sequence,
      sequence: expect.any(Number),
      bids: [
        [100, 1],
        [98, 0],
      ],
      asks: [],
    });
    expect(first.sequence).toBeGreaterThan(snapshot.sequence);
    expect(first.timestamp).toBeGreaterThanOrEqual(snapshot.timestamp);
    expect(first.timestamp).toBeLessThanOrEqual(Date.now());
    await place(buyer, symbol, 'buy', 3, 101);
    const second = await feed.next('orderbook_update', ({ sequence }) => sequence > first.sequence);
    expect(second).toMatchObject({ symbol, prev_sequence: first.sequence, bids: [], asks: [[101, 0]] });
    expect(second.timestamp).toBeGreaterThanOrEqual(first.timestamp);
    feed.close();
  });

  it('gets trades as type, symbol, price, size, side of the taker and timestamp, without a gap in sequence', async () => {
    const symbol = await freshPair();
    const feed = await open(way, symbol);
    feed.subscribe('trades', symbol);
    const { sequence } = await feed.next('subscribed');
    await place(seller, symbol, 'sell', 3, 101);
    await place(buyer, symbol, 'buy', 2, 101);
    await place(buyer, symbol, 'buy', 1, 102);
    await feed.next('trade', (trade) => trade.sequence === sequence + 2);
    expect(feed.of('trade')).toEqual([
      expect.objectContaining({ type: 'trade', symbol, price: 101, size: 2, side: 'buy', prev_sequence: sequence }),
      expect.objectContaining({ type: 'trade', symbol, price: 101, size: 1, side: 'buy', prev_sequence: sequence + 1 }),
    ]);
    expect(feed.of('trade')[0]?.timestamp).toBeGreaterThan(Date.now() - 60_000);
    feed.close();
  });

  it('gets all of a burst, in order and each message once, among many others', async () => {
    const symbol = await freshPair();
    const feeds = await Promise.all(Array.from({ length: 24 }, () => open(way, symbol)));
    for (const feed of feeds) feed.subscribe('trades', symbol);
    const { sequence } = await feeds[0]!.next('subscribed');
    await Promise.all(feeds.map((feed) => feed.next('subscribed')));
    await place(seller, symbol, 'sell', 40, 101);
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 5 }, () => place(buyer, symbol, 'buy', 1, 101)));
    const expected = Array.from({ length: 20 }, (_, index) => sequence + 1 + index);
    for (const feed of feeds) {
      await feed.next('trade', (trade) => trade.sequence === sequence + 20);
      expect(feed.of('trade').map((trade) => trade.sequence)).toEqual(expected);
      feed.close();
    }
  });

  it('gets the ticker and the candles of an interval', async () => {
    const symbol = await freshPair();
    const feed = await open(way, symbol);
    feed.subscribe('ticker', symbol);
    feed.subscribe('candles', symbol, { interval: '1h' });
    expect(await feed.next('ticker')).toMatchObject({ bid: null, ask: null, last: null });
    await place(seller, symbol, 'sell', 3, 101);
    await place(buyer, symbol, 'buy', 2, 101);
    await place(buyer, symbol, 'buy', 1, 99);
    expect(await feed.next('ticker', ({ bid }) => bid !== null)).toMatchObject({ bid: 99, ask: 101, last: 101 });
    const candle = await feed.next('candle');
    expect(candle).toMatchObject({ interval: '1h', open: 101, high: 101, low: 101, close: 101, volume: 2 });
    expect(candle.time % 3_600_000).toBe(0);
    feed.close();
  });

  it('gets own orders, fills and settlements with a credential, and nobody else does', async () => {
    const symbol = await freshPair();
    const path = way === 'one pair' ? `/v1/ws?symbol=${symbol}` : '/v1/ws';
    const own = await FeedSocket.open(path, buyer.headers);
    const other = await FeedSocket.open(path, (await createKeyHolder(db)).headers);
    own.subscribe('orders', symbol);
    other.subscribe('orders', symbol);
    await own.next('subscribed');
    await other.next('subscribed');
    await place(seller, symbol, 'sell', 3, 101);
    const order = await place(buyer, symbol, 'buy', 5, 101);
    const fill = await own.next('fill');
    expect(fill).toMatchObject({ order_id: order.order_id, side: 'buy', price: 101, size: 3, liquidity: 'taker' });
    expect(fill).toMatchObject({ filled_size: 3, remaining_size: 2 });
    expect(await own.next('order')).toMatchObject({
      order_id: order.order_id,
      status: 'partially_filled',
      size: 5,
      filled_size: 3,
      remaining_size: 2,
    });
    expect(await own.next('settlement')).toMatchObject({ trade_id: fill.trade_id, order_id: order.order_id });
    await buyer.client.delete(`/v1/orders/${order.order_id}`);
    expect(await own.next('order', ({ status }) => status === 'cancelled')).toMatchObject({ reason: 'user' });
    expect(other.received.filter(({ type }) => type !== 'subscribed')).toEqual([]);
    own.close();
    other.close();
  });

  it('goes on after the book was evicted, without a gap in sequence', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 5, 99);
    const feed = await open(way, symbol);
    const book = feed.client.followBook(symbol);
    feed.subscribe('trades', symbol);
    await feed.next('orderbook_snapshot');
    await feed.next('subscribed', ({ channel }) => channel === 'trades');
    await place(seller, symbol, 'sell', 2, 101);
    const before = await feed.next('orderbook_update');
    await env.ORDER_BOOK.getByName(symbol).settled();
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    await place(buyer, symbol, 'buy', 1, 101);
    const after = await feed.next('orderbook_update', ({ sequence }) => sequence > before.sequence);
    expect(after.prev_sequence).toBe(before.sequence);
    expect(await feed.next('trade')).toMatchObject({ sequence: 1, price: 101, size: 1 });
    expect(book.asks).toEqual([[101, 1]]);
    expect(feed.client.resyncs).toBe(0);
    expect(feed.of('orderbook_snapshot')).toHaveLength(1);
    feed.close();
  });

  it('is told what is wrong: bad JSON, unknown channel, unknown symbol, no credential, a depth that is none', async () => {
    const symbol = await freshPair();
    const feed = await open(way, symbol);
    feed.say('{');
    expect(await feed.next('error')).toMatchObject({ code: 'INVALID_JSON' });
    feed.subscribe('weather', symbol);
    const unknown = await feed.next('error', ({ code }) => code === 'UNKNOWN_CHANNEL');
    expect(unknown).toMatchObject({ channel: 'weather', symbol });
    feed.subscribe('trades', 'NO-SUCH');
    await feed.next('error', ({ code }) => code === 'INVALID_SYMBOL');
    feed.subscribe('orders', symbol);
    await feed.next('error', ({ code }) => code === 'UNAUTHORIZED');
    feed.subscribe('orderbook', symbol, { depth: 1_001 });
    const tooDeep = await feed.next('error', ({ code }) => code === 'VALIDATION_ERROR');
    expect(tooDeep).toMatchObject({ channel: 'orderbook', symbol });
    feed.close();
  });

  it('answers ping, and says unsubscribed, after which nothing more of the channel comes', async () => {
    const symbol = await freshPair();
    const feed = await open(way, symbol);
    feed.say({ type: 'ping', id: 'a' });
    expect(await feed.next('pong')).toEqual({ type: 'pong', id: 'a' });
    feed.subscribe('orderbook', symbol);
    feed.subscribe('trades', symbol);
    await feed.next('orderbook_snapshot');
    feed.say({ type: 'unsubscribe', channel: 'orderbook', symbol });
    await feed.next('unsubscribed');
    await place(seller, symbol, 'sell', 2, 101);
    await place(buyer, symbol, 'buy', 1, 101);
    await feed.next('trade');
    expect(feed.of('orderbook_update')).toEqual([]);
    feed.close();
  });
});

describe('the snapshot over REST', () => {
  it('carries the sequence of the feed, so that a client can join the two', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 5, 99);
    const feed = await FeedSocket.open();
    feed.subscribe('orderbook', symbol);
    const snapshot = await feed.next('orderbook_snapshot');
    const rest = await buyer.client.get(`/v1/orderbook/${symbol}`);
    expect(rest.body.sequence).toBe(snapshot.sequence);
    await place(buyer, symbol, 'buy', 5, 98);
    expect(await feed.next('orderbook_update')).toMatchObject({ prev_sequence: rest.body.sequence });
    feed.close();
  });
});

describe('an aborted book', () => {
  it('does not cost the client of a feed object its connection: a fresh snapshot comes, marked as a resync', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open();
    const book = feed.client.followBook(symbol);
    feed.subscribe('trades', symbol);
    await feed.next('orderbook_snapshot');
    await place(buyer, symbol, 'buy', 5, 99);
    await feed.next('orderbook_update');
    const stub = env.ORDER_BOOK.getByName(symbol);
    await stub.settled();
    await runInDurableObject(stub, (_, state) => state.abort('killed by a test')).catch(() => undefined);
    expect(await feed.next('orderbook_snapshot', ({ resync }) => resync === true)).toMatchObject({ bids: [[99, 5]] });
    await place(seller, symbol, 'sell', 2, 99);
    expect(await feed.next('trade')).toMatchObject({ sequence: 1, size: 2 });
    await expect.poll(() => book.bids).toEqual([[99, 3]]);
    expect(feed.closed).toBeNull();
    feed.close();
  });
});

describe('the limits of connections', () => {
  it('are 100 streams of one: another is TOO_MANY_SUBSCRIPTIONS, one of them anew is not, and one that ends makes room', async () => {
    const streams: { channel: string; symbol: string; interval?: string }[] = [];
    while (streams.length <= 100) {
      const symbol = await freshPair();
      for (const channel of ['orderbook', 'trades', 'ticker']) streams.push({ channel, symbol });
      for (const interval of BAR_INTERVALS) streams.push({ channel: 'candles', symbol, interval });
    }
    const [first, beyond] = [streams[0], streams[100]];
    // Each subscription draws on the limit of its caller, which is more than 100 with a credential.
    const { headers } = await createKeyHolder(db);
    const feed = await FeedSocket.open('/v1/ws', headers);
    // A connection may say 50 things in a second.
    for (const [index, stream] of streams.slice(0, 100).entries()) {
      feed.say({ type: 'subscribe', ...stream });
      if (index % 25 < 24) continue;
      await expect.poll(() => feed.of('subscribed').length).toBe(index + 1);
      await scheduler.wait(1_000);
    }
    feed.say({ type: 'subscribe', ...beyond });
    expect(await feed.next('error')).toMatchObject({ code: 'TOO_MANY_SUBSCRIPTIONS' });

    feed.say({ type: 'subscribe', ...first, depth: 7 });
    await feed.next('subscribed', ({ depth }) => depth === 7);
    feed.say({ type: 'unsubscribe', ...first });
    await feed.next('unsubscribed');
    feed.say({ type: 'subscribe', ...beyond });
    await expect.poll(() => feed.of('subscribed').at(-1)).toMatchObject({ ...beyond });
    expect(feed.of('error')).toHaveLength(1);
    feed.close();
  });

  it('are 5 of a user at once; a closed one makes room', async () => {
    const holder = await createKeyHolder(db);
    const feeds = await Promise.all(Array.from({ length: 5 }, () => FeedSocket.open('/v1/ws', holder.headers)));
    const sixth = await FeedSocket.handshake('/v1/ws', holder.headers);
    expect(sixth.status).toBe(429);
    expect(await sixth.json()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
    feeds[0]?.close();
    await expect.poll(async () => (await FeedSocket.handshake('/v1/ws', holder.headers)).status).toBe(101);
    for (const feed of feeds) feed.close();
  });

  it('closes a connection that follows nothing after 10 seconds', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open(`/v1/ws?symbol=${symbol}`);
    const stub = env.ORDER_BOOK.getByName(symbol);
    expect(await runInDurableObject(stub, (_, state) => state.storage.getAlarm())).toBeLessThanOrEqual(
      Date.now() + 10_000,
    );
    await runInDurableObject(stub, (_, state) => {
      const [socket] = state.getWebSockets();
      const attachment = socket?.deserializeAttachment() as { idleSince: number };
      socket?.serializeAttachment({ ...attachment, idleSince: Date.now() - 10_000 });
    });
    await evictDurableObject(stub);
    await runDurableObjectAlarm(stub);
    expect(await feed.untilClosed()).toMatchObject({ code: 1000 });
  });
});

describe.each(WAYS)('a connection to %s that is opened and then follows nothing', (way) => {
  it('is closed 10 seconds later by the clock', async () => {
    const symbol = await freshPair();
    const feed = await open(way, symbol);
    const idleSinceOf = ({ idleSince }: Attachment) => idleSince;
    const feedObjects = Array.from({ length: 16 }, (_, shard) => env.FEED.getByName(`feed-${shard}`));
    const objects: readonly DurableObjectStub[] = way === 'one pair' ? [env.ORDER_BOOK.getByName(symbol)] : feedObjects;
    const { stub, attachedAt, alarmAt } = await newestSocket(objects, idleSinceOf);
    expect(alarmAt).toBeLessThanOrEqual(attachedAt + 10_000);
    vi.useFakeTimers({ toFake: ['Date'], now: attachedAt + 9_800 });
    await runDurableObjectAlarm(stub);
    feed.say({ type: 'ping' });
    await feed.next('pong');
    vi.setSystemTime(attachedAt + 10_000);
    await runDurableObjectAlarm(stub);
    vi.useRealTimers();
    expect(await feed.untilClosed()).toMatchObject({ code: 1000, reason: 'idle: nothing was subscribed' });
  });
});

describe('an alarm that rings some milliseconds early', () => {
  it('closes a connection that follows nothing all the same', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open(`/v1/ws?symbol=${symbol}`);
    await runInDurableObject(env.ORDER_BOOK.getByName(symbol), async (book, state) => {
      const [socket] = state.getWebSockets();
      const { idleSince } = (socket as WebSocket).deserializeAttachment() as { idleSince: number };
      await (book as FaultyOrderBook).sockets.beat(idleSince + 9_990);
    });
    expect(await feed.untilClosed()).toMatchObject({ code: 1000 });
  });
});

describe('a connection that has followed something for long', () => {
  it('has 10 seconds again once it follows nothing', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open(`/v1/ws?symbol=${symbol}`);
    const stub = env.ORDER_BOOK.getByName(symbol);
    feed.subscribe('trades', symbol);
    await feed.next('subscribed');
    await runInDurableObject(stub, (_, state) => {
      const [socket] = state.getWebSockets();
      const attachment = socket?.deserializeAttachment() as { idleSince: number };
      socket?.serializeAttachment({ ...attachment, idleSince: Date.now() - 60_000 });
    });
    await evictDurableObject(stub);
    feed.say({ type: 'unsubscribe', channel: 'trades', symbol });
    await feed.next('unsubscribed');
    await runInDurableObject(stub, (book) => (book as FaultyOrderBook).sockets.beat(Date.now()));
    feed.subscribe('ticker', symbol);
    await feed.next('subscribed', ({ channel }) => channel === 'ticker');
    expect(feed.closed).toBeNull();
    feed.close();
  });
});

describe('a consumer that does not keep up', () => {
  const big = JSON.stringify({ type: 'heartbeat', filler: 'x'.repeat(256 * 1_024) });

  /** So many messages of 256 KiB to all who follow the trades. */
  async function flood(symbol: string, messages: number, until: () => boolean = () => false): Promise<void> {
    for (let i = 0; i < messages && !until(); i++) {
      await runInDurableObject(env.ORDER_BOOK.getByName(symbol), (book) => {
        (book as FaultyOrderBook).sockets.publish(`trades ${symbol}`, [big]);
      });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  it.each(WAYS)('is none that reads and never answers a ping, on a connection that follows %s', async (way) => {
    const symbol = await freshPair();
    const reading = await open(way, symbol);
    // Written from the specification alone: it subscribes and reads.
    reading.answers = false;
    reading.subscribe('trades', symbol);
    await reading.next('subscribed');
    await flood(symbol, 96);
    await place(seller, symbol, 'sell', 1, 101);
    await place(buyer, symbol, 'buy', 1, 101);
    await reading.next('trade');
    expect(reading.closed).toBeNull();
    reading.close();
  });

  it('is closed with 1013 and a reason where it has answered pings, and leaves 8 MiB without an answer', async () => {
    const symbol = await freshPair();
    const [slow, good] = [
      await FeedSocket.open(`/v1/ws?symbol=${symbol}`),
      await FeedSocket.open(`/v1/ws?symbol=${symbol}`),
    ];
    for (const feed of [slow, good]) {
      feed.subscribe('trades', symbol);
      await feed.next('subscribed');
    }
    await flood(symbol, 12);
    await slow.next('ping');
    slow.answers = false;
    await flood(symbol, 96, () => slow.closed !== null);
    expect(await slow.untilClosed()).toMatchObject({ code: 1013, reason: expect.stringContaining('too slow') });
    expect(good.closed).toBeNull();
    good.close();
  });
});

describe.each(WAYS)('what a client of %s says without waiting', (way) => {
  it('takes effect in the order in which it is said', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db);
    const feed = await open(way, symbol);
    feed.say({ type: 'auth', api_key: holder.headers['x-api-key'], api_secret: holder.headers['x-api-secret'] });
    feed.subscribe('orders', symbol);
    for (const depth of [5, 1, 2]) feed.subscribe('orderbook', symbol, { depth });
    feed.subscribe('trades', symbol);
    feed.say({ type: 'unsubscribe', channel: 'trades', symbol });
    await feed.next('unsubscribed');
    expect(feed.received.filter(({ type }) => type === 'error')).toEqual([]);

    for (const price of [10, 11, 12]) await place(buyer, symbol, 'buy', 1, price);
    await place(seller, symbol, 'sell', 1, 12);
    const heard = feed.received.length;
    await place(buyer, symbol, 'buy', 1, 13);
    await feed.next('orderbook_update', ({ bids }) => bids.some(([price]) => price === 13), heard);
    expect(feed.received.filter(({ type }) => type === 'trade')).toEqual([]);
    const levels = feed.received.flatMap((message) =>
      message.type === 'orderbook_update' ? [message.bids.length] : [],
    );
    expect(Math.max(...levels)).toBeLessThanOrEqual(2);
    feed.close();
  });
});

describe('a revoked key', () => {
  it('loses its connection at the next beat', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db);
    const feed = await FeedSocket.open(`/v1/ws?symbol=${symbol}`, holder.headers);
    feed.subscribe('orders', symbol);
    await feed.next('subscribed');
    await endKey({ id: holder.keyId, account: holder.accountId });
    await invalidateKey(env, holder.keyId);
    await runInDurableObject(env.ORDER_BOOK.getByName(symbol), (book) =>
      (book as FaultyOrderBook).sockets.beat(Date.now() + 60_000),
    );
    expect(await feed.untilClosed()).toMatchObject({ code: 1008, reason: 'the credential holds no longer' });
  });
});

describe('one client that leaves a topic while another one comes to it', () => {
  it('does not take it away from the other', async () => {
    const symbol = await freshPair();
    const headers = { 'cf-connecting-ip': '10.200.0.1' };
    const [leaving, coming] = [await FeedSocket.open('/v1/ws', headers), await FeedSocket.open('/v1/ws', headers)];
    leaving.subscribe('ticker', symbol);
    leaving.subscribe('trades', symbol);
    await leaving.next('subscribed', ({ channel }) => channel === 'trades');
    for (let i = 0; i < 5; i++) {
      const heard = coming.received.length;
      coming.subscribe('trades', symbol);
      leaving.say({ type: 'unsubscribe', channel: 'trades', symbol });
      await coming.next('subscribed', () => true, heard);
      await place(seller, symbol, 'sell', 1, 101);
      await place(buyer, symbol, 'buy', 1, 101);
      expect(await coming.next('trade', () => true, heard)).toMatchObject({ sequence: i + 1 });
      leaving.subscribe('trades', symbol);
      await leaving.next('subscribed', ({ sequence }) => sequence === i + 1);
      coming.say({ type: 'unsubscribe', channel: 'trades', symbol });
      await coming.next('unsubscribed', () => true, heard);
    }
    leaving.close();
    coming.close();
  });
});

describe('a book that was evicted with its sockets open', () => {
  it('keeps their alarm and beats when it rings: heartbeat with the last sequence, and the place among five connections', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open(`/v1/ws?symbol=${symbol}`);
    feed.subscribe('trades', symbol);
    await feed.next('subscribed');
    await place(seller, symbol, 'sell', 1, 101);
    await place(buyer, symbol, 'buy', 1, 101);
    await feed.next('trade');
    const stub = env.ORDER_BOOK.getByName(symbol);
    await stub.settled();
    const alarm = () => runInDurableObject(stub, (_, state) => state.storage.getAlarm());
    // Once the book itself wants nothing more of the alarm, it is that of the sockets.
    await expect
      .poll(async () => (await runDurableObjectAlarm(stub)) && ((await alarm()) ?? 0) > Date.now() + 10_000, {
        interval: 200,
      })
      .toBe(true);
    const beatAt = await alarm();
    await evictDurableObject(stub);
    feed.say({ type: 'ping', id: 1 });
    await feed.next('pong');
    expect(await alarm()).toBe(beatAt);
    await evictDurableObject(stub);
    const heard = feed.received.length;
    await runDurableObjectAlarm(stub);
    expect(await feed.next('heartbeat', () => true, heard)).toEqual({
      type: 'heartbeat',
      channel: 'trades',
      symbol,
      sequence: 1,
      timestamp: expect.any(Number),
    });
    feed.close();
  });
});

describe('a credential in the first message', () => {
  it('opens own orders; a wrong one closes the connection', async () => {
    const symbol = await freshPair();
    const feed = await FeedSocket.open();
    const { 'x-api-key': api_key, 'x-api-secret': api_secret } = buyer.headers;
    feed.say({ type: 'auth', api_key, api_secret });
    await feed.next('authenticated');
    feed.subscribe('orders', symbol);
    expect(await feed.next('subscribed')).toMatchObject({ channel: 'orders' });
    feed.close();
    const wrong = await FeedSocket.open();
    wrong.say({ type: 'auth', api_key, api_secret: 'not-the-secret-of-it' });
    expect(await wrong.next('error')).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await wrong.untilClosed()).toMatchObject({ code: 1008 });
  });
});

describe('an offering under 506(b)', () => {
  it('is not shown to those who may not see it', async () => {
    const symbol = await freshPair({ asset: { accreditationType: '506b' } });
    const feed = await FeedSocket.open();
    feed.subscribe('orderbook', symbol);
    expect(await feed.next('error')).toMatchObject({ code: 'INVALID_SYMBOL', channel: 'orderbook', symbol });
    feed.close();
    expect((await FeedSocket.handshake(`/v1/ws?symbol=${symbol}`)).status).toBe(400);
  });

  it('shows an account the orders that it has placed there, on a new connection, too, and nothing else', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const order = await place(holder, symbol, 'buy', 1, 10);
    // It stands in D1 then.
    await holder.client.get('/v1/orders');
    await db.run(sql`
      UPDATE assets SET accreditation_type = '506b' WHERE id = (SELECT base_asset FROM markets WHERE symbol = ${symbol})`);
    const [own, other] = await Promise.all(
      [holder.headers, (await createKeyHolder(db)).headers].map((headers) => FeedSocket.open('/v1/ws', headers)),
    );
    for (const feed of [own, other]) feed?.subscribe('orders', symbol);
    expect(await own?.next('subscribed')).toMatchObject({ channel: 'orders', symbol });
    expect(await other?.next('error')).toMatchObject({ code: 'INVALID_SYMBOL', channel: 'orders', symbol });
    own?.subscribe('orderbook', symbol);
    expect(await own?.next('error')).toMatchObject({ code: 'INVALID_SYMBOL', channel: 'orderbook', symbol });
    await holder.client.delete(`/v1/orders/${order.order_id}`);
    expect(await own?.next('order')).toMatchObject({ order_id: order.order_id, status: 'cancelled' });
    for (const feed of [own, other]) feed?.close();
  });

  it('that becomes one is shown to none of its followers from the next beat on who may not see it', async () => {
    const symbol = await freshPair();
    const holder = await createKeyHolder(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    const path = `/v1/ws?symbol=${symbol}`;
    const [anyone, accredited] = [await FeedSocket.open(path), await FeedSocket.open(path, holder.headers)];
    for (const feed of [anyone, accredited]) {
      feed.subscribe('ticker', symbol);
      await feed.next('subscribed');
    }
    await db.run(sql`
      UPDATE assets SET accreditation_type = '506b' WHERE id = (SELECT base_asset FROM markets WHERE symbol = ${symbol})`);
    await runInDurableObject(env.ORDER_BOOK.getByName(symbol), (book) =>
      (book as FaultyOrderBook).sockets.beat(Date.now() + 60_000),
    );
    expect(await anyone.next('error')).toMatchObject({ code: 'INVALID_SYMBOL', channel: 'ticker', symbol });
    expect(await anyone.next('unsubscribed')).toMatchObject({ channel: 'ticker', symbol });
    accredited.say({ type: 'unsubscribe', channel: 'trades', symbol });
    await accredited.next('unsubscribed', ({ channel }) => channel === 'trades');
    expect(accredited.received.filter(({ type }) => type === 'error')).toEqual([]);
    for (const feed of [anyone, accredited]) feed.close();
  });
});

describe('server-sent events', () => {
  async function events(path: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await callWorker(`http://localhost/book${path}`, { headers });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      async until(pattern: RegExp): Promise<string> {
        while (!pattern.test(text)) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`ended with ${text}`);
          text += value;
        }
        return text;
      },
      /** All of it, once it has ended. */
      async rest(): Promise<string> {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return text;
          text += value;
        }
      },
      stop: () => reader.cancel(),
    };
  }

  it('end at once with the pair, when it becomes an offering under 506(b) that the reader may not see', async () => {
    const symbol = await freshPair();
    const stream = await events(`/v1/stream?channel=ticker&symbol=${symbol}`);
    await stream.until(/event: ticker/);
    await db.run(sql`
      UPDATE assets SET accreditation_type = '506b' WHERE id = (SELECT base_asset FROM markets WHERE symbol = ${symbol})`);
    // One that is idle is closed ten seconds later.
    stopClock();
    await runInDurableObject(env.ORDER_BOOK.getByName(symbol), (book) =>
      (book as FaultyOrderBook).sockets.beat(Date.now() + 60_000),
    );
    expect(await stream.rest()).toMatch(/event: error\ndata: .*INVALID_SYMBOL.*\n\nevent: unsubscribed\ndata: .*\n\n$/);
  });

  it('say the same messages, go on after Last-Event-ID, and say reset when they cannot', async () => {
    const symbol = await freshPair();
    const first = await events(`/v1/stream?channel=trades&symbol=${symbol}`);
    await first.until(/event: subscribed/);
    await place(seller, symbol, 'sell', 9, 101);
    await place(buyer, symbol, 'buy', 1, 101);
    expect(await first.until(/event: trade\ndata: .*\n\n/)).toMatch(/id: 1\nevent: trade\ndata: \{"type":"trade"/);
    await first.stop();
    await place(buyer, symbol, 'buy', 2, 101);
    const second = await events(`/v1/stream?channel=trades&symbol=${symbol}`, { 'last-event-id': '1' });
    expect(await second.until(/id: 2/)).not.toMatch(/id: 1\n|reset/);
    await second.stop();
    const lost = await events(`/v1/stream?channel=trades&symbol=${symbol}`, { 'last-event-id': '77' });
    await lost.until(/event: reset/);
    await lost.stop();
  });

  it('follow own orders by each symbol that lists give them, also of a pair that their account may see no more', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 1, 99);
    // It stands in D1 then.
    await buyer.client.get('/v1/orders');
    await db.run(sql`
      UPDATE assets SET accreditation_type = '506b' WHERE id = (SELECT base_asset FROM markets WHERE symbol = ${symbol})`);
    await instrumentOf(env, { symbol }, true);
    const path = `/v1/stream?channel=orders&symbol=${symbol}`;
    const own = await events(path, buyer.headers);
    await own.until(/event: subscribed\ndata: .*"channel":"orders"/);
    await own.stop();
    for (const [channel, holder] of [
      ['orders', seller],
      ['trades', buyer],
    ] as const) {
      const refused = await callWorker(`http://localhost/book/v1/stream?channel=${channel}&symbol=${symbol}`, {
        headers: holder.headers,
      });
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code], channel).toEqual([
        400,
        'INVALID_SYMBOL',
      ]);
    }
  });

  it('follow the own account over all markets', async () => {
    const symbol = await freshPair();
    const path = '/v1/stream?channel=account';
    const refused = await callWorker(`http://localhost/book${path}`);
    expect(refused.status).toBe(401);
    const own = await events(path, buyer.headers);
    await own.until(/id: \d+\nevent: balances_snapshot/);
    await place(buyer, symbol, 'buy', 1, 99);
    await own.until(/id: \d+\nevent: order\ndata: .*"order_type":"limit"/);
    await own.stop();
  });

  it('tell of an own fill and of its settlement, and nobody else', async () => {
    const symbol = await freshPair();
    const path = `/v1/stream?channel=orders&symbol=${symbol}`;
    const own = await events(path, buyer.headers);
    const other = await events(path, (await createKeyHolder(db)).headers);
    await Promise.all([own, other].map((stream) => stream.until(/event: subscribed/)));
    await place(seller, symbol, 'sell', 3, 101);
    await place(buyer, symbol, 'buy', 3, 101);
    const told = await own.until(/event: settlement\ndata: .*\n/);
    const [, trade = ''] = /event: fill\ndata: .*"trade_id":"([^"]+)"/.exec(told) ?? [];
    expect(trade).not.toBe('');
    expect(told).toMatch(new RegExp(`event: settlement\\ndata: .*"trade_id":"${trade}"`));
    await env.ORDER_BOOK.getByName(symbol).settled();
    await other.stop();
    expect(await other.rest()).not.toMatch(/event: (order|fill|settlement)/);
    await own.stop();
  });

  it('resume a book whose updates are still kept', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 1, 99);
    const path = `/v1/stream?channel=orderbook&symbol=${symbol}&depth=5`;
    const first = await events(path);
    const snapshot = await first.until(/id: \d+\nevent: orderbook_snapshot/);
    const id = /id: (\d+)/.exec(snapshot)?.[1] ?? '';
    await first.stop();
    await place(buyer, symbol, 'buy', 1, 98);
    const second = await events(path, { 'last-event-id': id });
    const resumed = await second.until(/event: orderbook_update\ndata: .*\n/);
    expect(resumed).toContain(`"prev_sequence":${id}`);
    expect(resumed).not.toMatch(/event: (orderbook_snapshot|reset)/);
    await second.stop();
  });
});
