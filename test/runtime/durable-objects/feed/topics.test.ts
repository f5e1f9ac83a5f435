import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { Feed } from '../../../../durable-objects/feed/feed.ts';
import { addressGateName, userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { shardOf } from '../../../../protocol/object-names/shard-of.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { FaultyOrderBook } from '../../fixtures/faults.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let buyer: KeyHolder;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, { cash: 100_000_000_00 });
});

afterEach(() => {
  vi.useRealTimers();
});

async function freshPair(name = 'TOPIC'): Promise<string> {
  pairs += 1;
  return (await createPair(db, `${name}${pairs}`)).symbol;
}

async function buy(symbol: string, price: number): Promise<void> {
  const order = { symbol, side: 'buy', type: 'limit', size: 1, price };
  expect((await buyer.client.post('/v1/orders', order)).status).toBe(200);
}

const topicsAtBook = (symbol: string): Promise<string[]> =>
  runInDurableObject(env.ORDER_BOOK.getByName(symbol), (book) => [...(book as FaultyOrderBook).sockets.topics]);

/** Addresses whose connections, five each, go to one feed object. */
function addressesOfOneObject(count: number): string[] {
  const addresses: string[] = [];
  for (let i = 0; addresses.length < count; i++) {
    const address = `10.77.${i >> 8}.${i & 255}`;
    if (shardOf(addressGateName(address), 16) === 5) addresses.push(address);
  }
  return addresses;
}

describe('a feed object that follows more of one pair than one socket’s attachment holds', () => {
  it('tells every client of it, also after the book was killed, and leaves nothing there once they have left', async () => {
    const symbol = await freshPair('ABCDEFGHIJKLMNOP');
    const addresses = addressesOfOneObject(32);
    const places = addresses.flatMap((address) => Array.from({ length: 5 }, () => address));
    // Own orders of each account are a topic of their own.
    const holders = [...(await Promise.all(places.slice(1).map(() => createKeyHolder(db)))), buyer];
    const feeds: FeedSocket[] = [];
    // Each subscribes at once: one that follows nothing for ten seconds is closed.
    for (const [at, address] of places.entries()) {
      const { headers } = holders[at] as KeyHolder;
      const feed = await FeedSocket.open('/v1/ws', { 'cf-connecting-ip': address });
      feeds.push(feed);
      feed.say({ type: 'auth', api_key: headers['x-api-key'], api_secret: headers['x-api-secret'] });
      feed.subscribe('orders', symbol);
      await feed.next('subscribed');
    }
    expect(await topicsAtBook(symbol)).toHaveLength(160);
    // What the last one follows came when the first socket to the book was full.
    const last = feeds.at(-1) as FeedSocket;
    await buy(symbol, 10);
    await last.next('order');

    const book = env.ORDER_BOOK.getByName(symbol);
    await book.settled();
    await runInDurableObject(book, (_, state) => state.abort('killed by a test')).catch(() => undefined);
    await Promise.all(feeds.map((feed) => feed.next('reset')));
    await buy(symbol, 11);
    await last.next('order', ({ price }) => price === 11);

    for (const feed of feeds) feed.close();
    await expect.poll(() => topicsAtBook(symbol)).toEqual([]);
  });
});

describe('what is sent again to a client that comes back', () => {
  it('X-10: is what has changed since, until the book was put away from memory, and then the book anew', async () => {
    const symbol = await freshPair();
    const path = `/v1/ws?symbol=${symbol}`;
    await buy(symbol, 10);
    const staying = await FeedSocket.open(path, { 'cf-connecting-ip': '10.79.0.1' });
    staying.subscribe('orderbook', symbol, { depth: 50 });
    const { sequence } = await staying.next('orderbook_snapshot');
    for (const price of [11, 12, 13]) {
      await buy(symbol, price);
      await staying.next('orderbook_update', ({ bids }) => bids[0]?.[0] === price);
    }
    const back = async (address: string) => {
      const feed = await FeedSocket.open(path, { 'cf-connecting-ip': address });
      feed.subscribe('orderbook', symbol, { depth: 50, resume_from: sequence });
      await feed.next('subscribed');
      return feed;
    };
    const resumed = await back('10.79.0.2');
    expect((await resumed.next('orderbook_update')).bids.map(([price]) => price)).toEqual([13, 12, 11]);
    resumed.close();

    const book = env.ORDER_BOOK.getByName(symbol);
    await book.settled();
    await evictDurableObject(book);
    const anew = await back('10.79.0.3');
    await anew.next('reset');
    expect((await anew.next('orderbook_snapshot')).bids.map(([price]) => price)).toEqual([13, 12, 11, 10]);
    anew.close();
    staying.close();
  });
});

describe('a client that leaves while its topic is being opened', () => {
  /** Subscriptions of one address are counted one after the other: once this one is open, that of the one who left has come and gone. */
  async function come(symbol: string, headers: Record<string, string>, path = '/v1/ws'): Promise<void> {
    const later = await FeedSocket.open(path, headers);
    later.subscribe('trades', symbol);
    await later.next('subscribed');
    later.close();
  }

  it('through a feed object leaves none behind at the book', async () => {
    const symbol = await freshPair();
    const headers = { 'cf-connecting-ip': '10.78.0.1' };
    const staying = await FeedSocket.open('/v1/ws', headers);
    staying.subscribe('ticker', symbol);
    await staying.next('subscribed');
    const leaving = await FeedSocket.open('/v1/ws', headers);
    leaving.subscribe('trades', symbol);
    leaving.close();
    await come(symbol, headers);
    await expect.poll(() => topicsAtBook(symbol)).toEqual([`ticker ${symbol}`]);
    staying.close();
  });

  it('at the book itself leaves no levels behind that it goes on to keep', async () => {
    const symbol = await freshPair();
    await buy(symbol, 10);
    const [path, headers] = [`/v1/ws?symbol=${symbol}`, { 'cf-connecting-ip': '10.78.0.2' }];
    const staying = await FeedSocket.open(path, headers);
    staying.subscribe('ticker', symbol);
    const { sequence } = await staying.next('ticker');
    const leaving = await FeedSocket.open(path, headers);
    leaving.subscribe('orderbook', symbol, { depth: 7 });
    leaving.close();
    await come(symbol, headers, path);
    await expect.poll(() => topicsAtBook(symbol)).toEqual([`ticker ${symbol}`]);
    // What has changed since somebody followed the book is kept for 30 s, for one who comes back.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    await buy(symbol, 11);
    vi.useRealTimers();
    staying.subscribe('orderbook', symbol, { depth: 7, resume_from: sequence });
    await staying.next('subscribed', ({ depth }) => depth === 7);
    await staying.next('reset');
    staying.close();
  });

  it('of the own account leaves nobody who follows it', async () => {
    const holder = await createKeyHolder(db);
    const leaving = await FeedSocket.open('/v1/ws', holder.headers);
    leaving.subscribe('account', '*');
    leaving.close();
    await come(await freshPair(), holder.headers);
    const topic = { channel: 'account', symbol: '*', account: holder.accountId } as const;
    const feed = env.FEED.getByName(`feed-${shardOf(userGateName(holder.owner, holder.userId), 16)}`);
    const heard = () => runInDurableObject(feed, (object) => (object as Feed).heartbeat(topic, Date.now()));
    await expect.poll(heard).toBeNull();
  });
});
