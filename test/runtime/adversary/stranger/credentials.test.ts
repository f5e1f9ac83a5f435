import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import worker from '../../../../workers/index.ts';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { call } from '../../fixtures/call.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let venue: BuyerAndSeller;
let key: TestKey;

/** Calls of objects by the Worker, as `<binding> <name>`, and statements that it prepares for D1. */
const asked: string[] = [];
let statements = 0;

function counted<T extends object>(of: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(of, {
    get: (target, name) => {
      const value = name in replaced ? replaced[name as keyof T] : Reflect.get(target, name);
      return typeof value === 'function' && !(name in replaced) ? value.bind(target) : value;
    },
  });
}

function countingStub(binding: string, name: string, stub: object): object {
  return new Proxy(stub, {
    get: (target, method) => {
      const value = Reflect.get(target, method) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        asked.push(`${binding} ${name}`);
        return (target as Record<string, (...args: unknown[]) => unknown>)[method as string]!(...args);
      };
    },
  });
}

const objectsOf = (binding: 'GATE' | 'ORDER_BOOK' | 'LEDGER' | 'IDEMPOTENCY_KEYS') => {
  const namespace = env[binding] as DurableObjectNamespace;
  return counted(namespace, {
    getByName: (name: string) => countingStub(binding, name, namespace.getByName(name)),
  });
};

const countingEnv = counted(env, {
  GATE: objectsOf('GATE'),
  ORDER_BOOK: objectsOf('ORDER_BOOK'),
  LEDGER: objectsOf('LEDGER'),
  IDEMPOTENCY_KEYS: objectsOf('IDEMPOTENCY_KEYS'),
  DB: counted(env.DB, {
    prepare: (query: string) => {
      statements++;
      return env.DB.prepare(query);
    },
  }),
});

async function ask(target: string, headers: Record<string, string>, json?: unknown): Promise<number> {
  const [method = '', path = ''] = target.split(' ');
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...body,
  });
  const ctx = createExecutionContext();
  const response = await worker.fetch(request as never, countingEnv, ctx);
  await response.arrayBuffer();
  await waitOnExecutionContext(ctx);
  return response.status;
}

const order = (symbol: string, price = 99) => ({ symbol, side: 'buy', type: 'limit', size: 1, price });

beforeAll(async () => {
  const db = await migrate();
  await createApp();
  venue = await createBuyerAndSeller(db, 'CW');
  key = await createTestKey(venue.buyer);
});

beforeEach(() => {
  asked.length = 0;
  statements = 0;
});

describe('an ordinary request', () => {
  it('of a key that has held here asks its user’s Gate and its book, and nobody else (T-02)', async () => {
    const symbol = await venue.freshPair();
    const headers = { ...key.headers, 'cf-connecting-ip': freshAddress() };
    expect(await ask('POST /book/v1/orders', headers, order(symbol))).toBe(200);
    asked.length = 0;
    expect(await ask('POST /book/v1/orders', headers, order(symbol))).toBe(200);
    expect(asked).toEqual([`GATE ${userGateName(venue.buyer.owner, venue.buyer.userId)}`, `ORDER_BOOK ${symbol}`]);
  });

  it('draws nothing on its caller’s address, whichever form the credential has (T-02)', async () => {
    const address = { 'cf-connecting-ip': freshAddress() };
    const { bearer } = await signIn(venue.buyer.phone);
    const path = '/book/v1/account/balances';
    for (const headers of [
      (await createTestKey(venue.buyer)).headers,
      bearer,
      { ...bearer, 'x-api-key': key.id },
      await sign(key, { method: 'GET', path }),
      await sign(key, { method: 'GET', path, timestamp: Date.now() - 5_000 }),
    ])
      expect(await ask(`GET ${path}`, { ...headers, ...address })).toBe(200);
    const left = await call('GET /book/v1/time', { address: address['cf-connecting-ip'] });
    expect(left.headers.get('x-ratelimit-remaining')).toBe('99');
  });

  it('finds room although 300 of its address come at once, before any of them is known (T-02)', async () => {
    const fresh = await createTestKey(venue.buyer, { rateLimits: { private: 1_000 } });
    const headers = { ...fresh.headers, 'cf-connecting-ip': freshAddress() };
    const statuses = await Promise.all(
      Array.from({ length: 300 }, () => ask('GET /book/v1/account/balances', headers)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('an address that has used up its limit', () => {
  it.each([
    ['a made-up key', async () => ({ 'x-api-key': uuidv7(), 'x-api-secret': 'a'.repeat(32) })],
    ['the key of somebody, with a wrong secret', async () => ({ ...key.headers, 'x-api-secret': 'a'.repeat(32) })],
    [
      'a session of somebody’s key',
      async () => ({ 'x-api-key': key.id, 'x-api-session': `1800000000000.${'a'.repeat(64)}` }),
    ],
    [
      'a signature under somebody’s key',
      async () => ({
        ...(await sign(key, { method: 'POST', path: '/book/v1/orders' })),
        'x-api-signature': 'a'.repeat(64),
      }),
    ],
    ['a made-up token', async () => ({ authorization: 'Bearer e30.e30.aaaa' })],
  ])('asks no object but its own Gate, and no database, with %s (T-02)', async (_, guess) => {
    const address = freshAddress();
    stopClock();
    await Promise.all(Array.from({ length: 100 }, () => call('GET /book/v1/time', { address })));
    for (let at = 0; at < 20; at++)
      expect(await ask('POST /book/v1/orders', { ...(await guess()), 'cf-connecting-ip': address }, order('X'))).toBe(
        429,
      );
    expect(new Set(asked)).toEqual(new Set([`GATE ip:${address}`]));
    expect(asked).toHaveLength(1);
    expect(statements).toBe(0);
  });
});

it('T-02: wrong secrets for somebody’s key are counted, and its owner goes on', async () => {
  const address = freshAddress();
  stopClock();
  const owner = userGateName(venue.buyer.owner, venue.buyer.userId);
  const statuses: number[] = [];
  for (let at = 0; at < 130; at++) {
    const headers = { ...key.headers, 'x-api-secret': `${'a'.repeat(32)}${at}`, 'cf-connecting-ip': address };
    statuses.push(await ask('GET /book/v1/account/balances', headers));
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect(asked.filter((one) => one === `GATE ${owner}`)).toHaveLength(100);
  expect(await ask('GET /book/v1/account/balances', { ...key.headers, 'cf-connecting-ip': freshAddress() })).toBe(200);
});
