import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { BookClient, createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';

let db: Database;
let symbols: string[];

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  symbols = [(await createPair(db, 'CSA')).symbol, (await createPair(db, 'CSB')).symbol];
});

afterEach(() => {
  clearFaults();
  vi.useRealTimers();
});

const freshHolder = () => createKeyHolder(db, { cash: 100_000_00 });

/** A bid on each market; answers their ids. */
async function bids(client: BookClient): Promise<string[]> {
  const placed = await Promise.all(
    symbols.map((symbol) => client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size: 1, price: 10 })),
  );
  return placed.map(({ body }) => String(body.order_id));
}

async function openOrders(client: BookClient): Promise<string[]> {
  const { orders } = (await client.get('/v1/orders?status=open')).body as { orders: { order_id: string }[] };
  return orders.map(({ order_id }) => order_id).sort();
}

const switchOf = ({ keyId }: Pick<KeyHolder, 'keyId'>) => env.CANCEL_SWITCH.getByName(`key:${keyId}`);

/** What is armed rings now. */
async function ring(holder: Pick<KeyHolder, 'keyId'>): Promise<void> {
  await runInDurableObject(switchOf(holder), (_, { storage }) => {
    const armed = storage.kv.get<{ triggers: Record<string, number> }>('armed');
    if (armed === undefined) return;
    const triggers = Object.fromEntries(Object.keys(armed.triggers).map((trigger) => [trigger, Date.now() - 1]));
    storage.kv.put('armed', { ...armed, triggers });
  });
  await runDurableObjectAlarm(switchOf(holder));
}

describe('POST /v1/orders/cancel-after', () => {
  it('cancels the open orders of the key on every market when its time comes, by the clock, and those of no other key', async () => {
    const holder = await freshHolder();
    const other = await createKey(db, holder);
    await bids(holder.client);
    const kept = await bids(other.client);
    expect(await openOrders(holder.client)).toHaveLength(4);
    const from = Date.now();
    const armed = await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 1_000 });
    expect(armed.status).toBe(200);
    expect(Number(armed.body.cancel_at) - from).toBeGreaterThanOrEqual(1_000);
    await expect.poll(() => openOrders(holder.client)).toEqual(kept.sort());
    expect(Date.now() - from).toBeGreaterThanOrEqual(1_000);
  });

  it('begins anew with each call, and 0 disarms it', async () => {
    const holder = await freshHolder();
    const ids = await bids(holder.client);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 1_000 });
    const later = await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 60_000 });
    vi.setSystemTime(Date.now() + 1_500);
    await runDurableObjectAlarm(switchOf(holder));
    expect(await openOrders(holder.client)).toEqual(ids.sort());
    const at = await runInDurableObject(switchOf(holder), (_, { storage }) => storage.getAlarm());
    expect(at).toBe(later.body.cancel_at);
    expect((await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 0 })).body).toEqual({ cancel_at: null });
    expect(await runInDurableObject(switchOf(holder), (_, { storage }) => storage.getAlarm())).toBeNull();
    await ring(holder);
    expect(await openOrders(holder.client)).toEqual(ids);
  });

  it('takes 0, or a second to an hour, from a key that may trade', async () => {
    const holder = await freshHolder();
    for (const timeout_ms of [-1, 1, 999, 3_600_001, 1_500.5, '1000'])
      expect((await holder.client.post('/v1/orders/cancel-after', { timeout_ms })).status).toBe(400);
    const reading = await createKey(db, holder, { scopes: ['read'] });
    expect((await reading.client.post('/v1/orders/cancel-after', { timeout_ms: 5_000 })).status).toBe(403);
  });

  it('cancels all orders of the account for a token without a key', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    const token = await tokenWith({ subject: holder.userId, owner: holder.owner });
    const bearer = new BookClient({ authorization: `Bearer ${token}` });
    await bids(bearer);
    expect((await bearer.post('/v1/orders/cancel-after', { timeout_ms: 1_000 })).status).toBe(200);
    await expect.poll(() => openOrders(holder.client)).toEqual([]);
  });

  it('rings although the switch, a book or the ledger was lost meanwhile', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 2_000 });
    await evictDurableObject(switchOf(holder));
    const lost = [env.ORDER_BOOK.getByName(symbols[0] as string), env.LEDGER.getByName('ledger:0')];
    for (const stub of lost)
      await runInDurableObject(stub as never, (_, state: DurableObjectState) => state.abort('killed by a test')).catch(
        () => undefined,
      );
    await expect.poll(() => openOrders(holder.client).catch(() => null)).toEqual([]);
  });

  it('forgets that it has rung once nothing is left to cancel', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    await holder.client.post('/v1/orders/cancel-after', { timeout_ms: 60_000 });
    await ring(holder);
    expect(await openOrders(holder.client)).toEqual([]);
    const left = await runInDurableObject(switchOf(holder), (_, { storage }) => storage.kv.get('armed'));
    expect(left).toBeUndefined();
  });
});

describe('cancel_on_disconnect', () => {
  it('cancels the open orders of the key when the connection ends, and of no other', async () => {
    const holder = await freshHolder();
    const other = await createKey(db, holder);
    await bids(holder.client);
    const kept = await bids(other.client);
    const socket = await OrderSocket.open(holder.headers);
    expect((await socket.ask('cancel_on_disconnect', { enabled: true })).result).toEqual({ enabled: true });
    await scheduler.wait(200);
    expect(await openOrders(holder.client)).toHaveLength(4);
    socket.close();
    await expect.poll(() => openOrders(holder.client)).toEqual(kept.sort());
  });

  it('cancels nothing where it was never asked for, or is off again', async () => {
    const holder = await freshHolder();
    const ids = await bids(holder.client);
    const plain = await OrderSocket.open(holder.headers);
    await plain.ask('cancel', { order_id: 'nothing' });
    plain.close();
    const off = await OrderSocket.open(holder.headers);
    await off.ask('cancel_on_disconnect', { enabled: true });
    await off.ask('cancel_on_disconnect', { enabled: false });
    off.close();
    await scheduler.wait(500);
    expect(await openOrders(holder.client)).toEqual(ids.sort());
  });

  it('cancels within a minute when nobody says any more whether the connection lives', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    const socket = await OrderSocket.open(holder.headers);
    await socket.ask('cancel_on_disconnect', { enabled: true });
    const at = await runInDurableObject(switchOf(holder), (_, { storage }) => storage.getAlarm());
    expect(Number(at) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(Number(at) - Date.now()).toBeGreaterThan(40_000);
    await ring(holder);
    expect(await openOrders(holder.client)).toEqual([]);
    socket.close();
  });

  it('is kept from ringing while the connection lives', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    const socket = await OrderSocket.open(holder.headers);
    await socket.ask('cancel_on_disconnect', { enabled: true });
    const before = await runInDurableObject(switchOf(holder), (_, { storage }) => storage.getAlarm());
    for (let shard = 0; shard < 4; shard++) {
      const object = env.ORDER_ENTRY.getByName(`orders-${shard}`);
      // Its beat, as after twenty seconds: an object that was evicted does not know when it last did.
      await evictDurableObject(object).catch(() => undefined);
      await runDurableObjectAlarm(object);
    }
    const after = await runInDurableObject(switchOf(holder), (_, { storage }) => storage.getAlarm());
    expect(Number(after)).toBeGreaterThan(Number(before));
    expect(await openOrders(holder.client)).toHaveLength(2);
    socket.close();
    await expect.poll(() => openOrders(holder.client)).toEqual([]);
  });

  it('cancels what was still being placed when the connection ended', async () => {
    const holder = await freshHolder();
    const socket = await OrderSocket.open(holder.headers);
    await socket.ask('cancel_on_disconnect', { enabled: true });
    // The book has the orders and the ledger does not when the switch first rings.
    const awayUntil = Date.now() + 2_000;
    faults.plan = { kills: () => false, ledger: () => (Date.now() < awayUntil ? 'request_lost' : 'through') };
    const order = { symbol: symbols[0], side: 'buy', type: 'limit', size: 1, price: 10 };
    for (let id = 0; id < 20; id++) socket.say({ type: 'place', id, order });
    await scheduler.wait(300);
    socket.close();
    const cancelled = async () => {
      const { orders } = (await holder.client.get('/v1/orders?status=cancelled')).body as { orders?: unknown[] };
      return orders?.length;
    };
    await expect.poll(cancelled).toBe(20);
    expect(await openOrders(holder.client)).toEqual([]);
  });

  it('leaves to a connection that comes after one that went unheard what that had guarded', async () => {
    const holder = await freshHolder();
    const [unheard, other] = ['ended-unheard', 'heard-to-end'];
    const who = { account: holder.accountId, keyId: holder.keyId };
    await switchOf(holder).arm(who, unheard, Date.now() + 30_000);
    const socket = await OrderSocket.open(holder.headers);
    await socket.ask('cancel_on_disconnect', { enabled: true });
    const ids = await bids(holder.client);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    await runDurableObjectAlarm(switchOf(holder));
    vi.useRealTimers();
    expect(await openOrders(holder.client)).toEqual(ids.sort());
    // One that is heard to end cancels, whoever else is there.
    await switchOf(holder).arm(who, other, Date.now());
    await expect.poll(() => openOrders(holder.client)).toEqual([]);
    await bids(holder.client);
    socket.close();
    await expect.poll(() => openOrders(holder.client)).toEqual([]);
  });

  it('is kept from ringing although the Gate of another connection does not answer', async () => {
    const holder = await freshHolder();
    const socket = await OrderSocket.open(holder.headers);
    await socket.ask('cancel_on_disconnect', { enabled: true });
    const hanging = { acquireConnection: () => new Promise(() => undefined) };
    const beats = Array.from({ length: 4 }, (_, shard) =>
      runInDurableObject(env.ORDER_ENTRY.getByName(`orders-${shard}`), async (object) => {
        const away = object as unknown as { env: object };
        const before = away.env;
        away.env = { ...before, GATE: { getByName: () => hanging } };
        await object.alarm();
        away.env = before;
        return true;
      }),
    );
    expect(await Promise.all(beats)).toEqual([true, true, true, true]);
    socket.close();
  });

  it('is the dead-man’s switch of the socket, too', async () => {
    const holder = await freshHolder();
    await bids(holder.client);
    const socket = await OrderSocket.open(holder.headers);
    expect((await socket.ask('cancel_after', { timeout_ms: 1_000 })).result).toMatchObject({
      cancel_at: expect.any(Number),
    });
    await expect.poll(() => openOrders(holder.client)).toEqual([]);
    expect((await socket.ask('cancel_after', { timeout_ms: 0 })).result).toEqual({ cancel_at: null });
    socket.close();
  });
});
