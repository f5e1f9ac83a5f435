import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { FeedSocket, type FeedTopic } from './feed-socket.ts';

let server: WebSocketServer;
let feed: FeedSocket;

afterEach(() => {
  feed.rest();
  for (const socket of server.clients) socket.terminate();
  server.close();
  vi.useRealTimers();
});

/** A feed of the gateway at a server that keeps what it is told. */
async function connected(...topics: readonly FeedTopic[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const ended: string[] = [];
  feed = new FeedSocket(new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`), () => ({}), {
    message: () => undefined,
    ended: ({ channel, symbol }, { code }) => void ended.push(`${channel} ${symbol} ${code}`),
    resumed: () => undefined,
    lost: () => undefined,
  });
  feed.wake();
  for (const topic of topics) feed.follow(topic);
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  const said: string[] = [];
  socket.on('message', (data) => {
    const { type, channel, symbol } = JSON.parse(String(data)) as Record<string, string>;
    said.push(type === 'pong' ? 'pong' : `${type} ${channel} ${symbol}`);
  });
  /** All that has been said by now: an answer comes behind it. */
  const heard = async () => {
    socket.send(JSON.stringify({ type: 'ping', id: 1 }));
    while (said.at(-1) !== 'pong') await once(socket, 'message');
    return said.splice(0).slice(0, -1);
  };
  const error = (channel: string, symbol: string, code: string) =>
    socket.send(JSON.stringify({ type: 'error', channel, symbol, code, message: 'no' }));
  const confirm = (channel: string, symbol: string) =>
    socket.send(JSON.stringify({ type: 'subscribed', channel, symbol }));
  return { heard, error, confirm, ended };
}

const topics = (channel: FeedTopic['channel'], count: number): FeedTopic[] =>
  Array.from({ length: count }, (_, at) => ({ channel, symbol: `P${at}-USD` }));

it('Many topics are asked for some at a time, own orders first: a connection that says more in a second is closed', async () => {
  const { heard } = await connected(...topics('trades', 8), ...topics('orders', 14));
  const turns: string[][] = [await heard()];
  for (let turn = 1; turn < 4; turn++) {
    await vi.advanceTimersByTimeAsync(500);
    turns.push(await heard());
  }
  expect(turns.map(({ length }) => length)).toEqual([10, 10, 2, 0]);
  const asked = turns.flat();
  expect(asked.slice(0, 14).every((text) => text.startsWith('subscribe orders'))).toBe(true);
  expect(new Set(asked).size).toBe(22);
});

it('What is followed no more before it was asked for is not asked for', async () => {
  const { heard } = await connected(...topics('trades', 12));
  expect(await heard()).toHaveLength(10);
  feed.unfollow({ channel: 'trades', symbol: 'P11-USD' });
  feed.unfollow({ channel: 'trades', symbol: 'P0-USD' });
  expect(await heard()).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await heard()).toEqual(['subscribe trades P10-USD', 'unsubscribe trades P0-USD']);
});

it('A topic that has no room now is asked for again; a book beyond what may be followed has ended, and own orders have not', async () => {
  const { heard, error, ended } = await connected(
    { channel: 'orders', symbol: 'A-USD' },
    { channel: 'trades', symbol: 'A-USD' },
    { channel: 'orderbook', symbol: 'B-USD' },
  );
  await heard();
  error('orders', 'A-USD', 'RATE_LIMIT_EXCEEDED');
  error('trades', 'A-USD', 'SERVICE_UNAVAILABLE');
  error('orderbook', 'B-USD', 'TOO_MANY_SUBSCRIPTIONS');
  expect(await heard()).toEqual([]);
  expect(ended).toEqual(['orderbook B-USD TOO_MANY_SUBSCRIPTIONS']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await heard()).toEqual(['subscribe orders A-USD', 'subscribe trades A-USD']);
  expect(feed.isLive).toBe(false);
});

it('Own orders of a market that the feed does not know are not waited for, and asked for again after a minute', async () => {
  const { heard, error, confirm, ended } = await connected(
    { channel: 'orders', symbol: 'A-USD' },
    { channel: 'orders', symbol: 'B-USD' },
  );
  await heard();
  error('orders', 'A-USD', 'INVALID_SYMBOL');
  await heard();
  expect(feed.isLive).toBe(false);
  confirm('orders', 'B-USD');
  await heard();
  expect(feed.isLive).toBe(true);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await heard()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await heard()).toEqual(['subscribe orders A-USD']);
  expect(ended).toEqual([]);
});

it('Books and trades leave room for own orders', async () => {
  await connected(...topics('orders', 30), ...topics('trades', 60));
  expect(feed.hasRoomFor([...topics('orderbook', 20), ...topics('trades', 60)])).toBe(true);
  expect(feed.hasRoomFor(topics('orderbook', 21))).toBe(false);
});
