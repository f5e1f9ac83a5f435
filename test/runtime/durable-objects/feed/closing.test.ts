import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ORDER_ENTRY_OBJECTS } from '../../../../durable-objects/order-entry/api.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';

const SYMBOL = 'CLOSING-USD';

beforeAll(async () => {
  const db = await migrate();
  await createCurrency(db);
  await createPair(db, 'CLOSING');
});

afterEach(() => {
  vi.useRealTimers();
});

/** Doors that close a connection that says nothing for 10 s, and the objects behind them. */
const DOORS = {
  'a feed': { path: `/v1/ws?symbol=${SYMBOL}`, objects: () => [env.ORDER_BOOK.getByName(SYMBOL)] },
  'order entry': {
    path: '/v1/ws/orders',
    objects: () =>
      Array.from({ length: ORDER_ENTRY_OBJECTS }, (_, shard) => env.ORDER_ENTRY.getByName(`orders-${shard}`)),
  },
} as const;

describe.each(Object.keys(DOORS) as (keyof typeof DOORS)[])('a connection to %s that the server closes', (door) => {
  it('keeps its place among the five while its client does not read, until the client takes it', async () => {
    const { path, objects } = DOORS[door];
    const headers = { 'cf-connecting-ip': door === 'a feed' ? '10.79.0.1' : '10.79.0.2' };
    const handshake = () => FeedSocket.handshake(path, headers);
    // Nobody accepts these sockets, so nobody reads from them.
    const unread = await Promise.all(Array.from({ length: 5 }, handshake));
    expect(unread.map(({ status }) => status)).toEqual([101, 101, 101, 101, 101]);
    // They are closed at the first, and a place ends after 60 s unless somebody keeps it.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const from = Date.now();
    for (const later_ms of [11_000, 50_000, 100_000]) {
      vi.setSystemTime(from + later_ms);
      for (const object of objects()) await runDurableObjectAlarm(object);
      await scheduler.wait(50);
      expect((await handshake()).status).toBe(429);
    }
    vi.useRealTimers();

    const codes: number[] = [];
    for (const { webSocket } of unread) {
      webSocket?.addEventListener('close', ({ code }) => void codes.push(code));
      webSocket?.accept();
    }
    await expect.poll(() => codes).toEqual([1000, 1000, 1000, 1000, 1000]);
    await expect.poll(async () => (await handshake()).status).toBe(101);
  });
});
