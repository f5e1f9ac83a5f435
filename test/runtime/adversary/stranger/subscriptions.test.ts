import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { ListedMarkets } from '../../../../durable-objects/fan-out/listed-markets.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { FaultyOrderBook } from '../../fixtures/faults.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { lookUps } from '../../fixtures/look-ups.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let db: Database;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  symbol = (await createPair(db, 'DRAWN')).symbol;
});

afterEach(() => {
  vi.restoreAllMocks();
});

const subscriptionOf = (name: string) => ({ type: 'subscribe', channel: 'trades', symbol: name });

describe.each([
  ['many pairs', () => '/v1/ws'],
  ['one pair', () => `/v1/ws?symbol=${symbol}`],
])('T-11: a stranger on a connection that follows %s', (_, path) => {
  it('is refused the 101st request of a minute, which asks D1 nothing', async () => {
    const headers = { 'cf-connecting-ip': path() === '/v1/ws' ? '10.81.0.1' : '10.81.0.2' };
    // Three handshakes and 97 subscriptions; a connection may say 50 things in a second.
    stopClock();
    const feeds = await Promise.all([1, 2, 3].map(() => FeedSocket.open(path(), headers)));
    const codes = () => feeds.flatMap((feed) => feed.of('error')).map(({ code }) => code);
    for (let at = 0; at < 97; at++) feeds[at % 3]?.say(subscriptionOf(`NONE${at}-USD`));
    await expect.poll(codes).toEqual(Array(97).fill('INVALID_SYMBOL'));
    const looked = lookUps();
    const [feed] = feeds as [FeedSocket];
    const before = feed.received.length;
    for (const name of ['NONE100-USD', symbol]) feed.say(subscriptionOf(name));
    await expect
      .poll(() => feed.received.slice(before))
      .toMatchObject([
        { type: 'error', code: 'RATE_LIMIT_EXCEEDED', channel: 'trades', symbol: 'NONE100-USD' },
        { type: 'error', code: 'RATE_LIMIT_EXCEEDED', channel: 'trades', symbol },
      ]);
    expect(looked()).toBe(0);
    for (const each of feeds) each.close();
    // It is the caller who is limited, and no connection of theirs.
    expect((await FeedSocket.handshake('/v1/ws', headers)).status).toBe(429);
  });
});

describe('T-11: a holder of a key', () => {
  it('draws on the limit of the key', async () => {
    const holder = await createKeyHolder(db, {}, { rateLimits: { private: 3 } });
    stopClock();
    const feed = await FeedSocket.open('/v1/ws', holder.headers);
    for (const name of [symbol, 'NONE1-USD', 'NONE2-USD', 'NONE3-USD']) feed.say(subscriptionOf(name));
    await expect
      .poll(() => feed.of('error').map(({ code }) => code))
      .toEqual(['INVALID_SYMBOL', 'INVALID_SYMBOL', 'RATE_LIMIT_EXCEEDED']);
    feed.close();
  });
});

describe('T-11: names of pairs', () => {
  it('that are asked for together are looked up in one statement, and those of nobody are not kept', async () => {
    const markets = new ListedMarkets(env);
    const looked = lookUps();
    const names = Array.from({ length: 2_000 }, (_, at) => `NONE${at}-USD`);
    const found = await Promise.all([...names, symbol].map((name) => markets.find(name)));
    expect(found.filter((asset) => asset !== null)).toHaveLength(1);
    // The first goes by itself.
    const before = looked();
    expect(before).toBeLessThanOrEqual(2);
    expect(await markets.find(symbol)).not.toBeNull();
    expect(looked()).toBe(before);
  });
});

describe('T-01: depths of a book through a feed object', () => {
  it('leave one topic at the book, whatever was asked for before', async () => {
    const other = (await createPair(db, 'DEPTHS')).symbol;
    const feed = await FeedSocket.open();
    for (let depth = 1; depth <= 40; depth++) feed.subscribe('orderbook', other, { depth });
    await expect.poll(() => feed.of('subscribed').length).toBe(40);
    expect(feed.of('subscribed').at(-1)).toMatchObject({ depth: 50 });
    const topics = await runInDurableObject(env.ORDER_BOOK.getByName(other), (book) => [
      ...(book as FaultyOrderBook).sockets.topics,
    ]);
    expect(topics).toEqual([`orderbook ${other} 50`]);
    feed.close();
  });
});
