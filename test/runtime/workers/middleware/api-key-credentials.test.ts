import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { endKey } from '../../fixtures/operate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

const BALANCES = '/book/v1/account/balances';
const FILLS = '/book/v1/fills';

let db: Database;
let trader: Trader;

beforeAll(async () => {
  db = await migrate();
  trader = await createTrader(db);
});

afterEach(() => {
  vi.useRealTimers();
});

async function statusWith(headers: Record<string, string>, path = BALANCES, address?: string): Promise<number> {
  return (await call(`GET ${path}`, { headers, ...(address === undefined ? {} : { address }) })).status;
}

describe('key and secret', () => {
  it('are accepted together', async () => {
    const key = await createTestKey(trader);
    expect(await statusWith(key.headers)).toBe(200);
  });

  it.each([
    [
      'the secret of another key',
      (key: TestKey) => ({ 'x-api-key': key.id, 'x-api-secret': key.secret.replace(/.$/, '_') }),
    ],
    ['a secret of another length', (key: TestKey) => ({ 'x-api-key': key.id, 'x-api-secret': `${key.secret}0` })],
    ['no secret', (key: TestKey) => ({ 'x-api-key': key.id })],
    ['no key', (key: TestKey) => ({ 'x-api-secret': key.secret })],
    ['an unknown key', (key: TestKey) => ({ 'x-api-key': crypto.randomUUID(), 'x-api-secret': key.secret })],
    ['a malformed key', (key: TestKey) => ({ 'x-api-key': "' or 1=1", 'x-api-secret': key.secret })],
    ['a token besides', (key: TestKey) => ({ ...key.headers, authorization: 'Bearer a.b.c' })],
  ])('are refused with %s', async (_, headersOf) => {
    const key = await createTestKey(trader);
    expect(await statusWith(headersOf(key))).toBe(401);
  });

  it('are needed to place and to cancel', async () => {
    for (const target of ['POST /book/v1/orders', 'DELETE /book/v1/orders/some-id', 'DELETE /book/v1/orders/client/a'])
      expect((await call(target)).status).toBe(401);
  });

  it('are refused once the key is revoked', async () => {
    const key = await createTestKey(trader);
    await endKey({ id: key.id, account: trader.accountId });
    expect(await statusWith(key.headers)).toBe(401);
  });

  it('stand in the database encrypted, bound to their row', async () => {
    const [one, other] = [await createTestKey(trader), await createTestKey(trader)];
    const { results } = await env.DB.prepare('SELECT * FROM api_keys WHERE id = ?').bind(one.id).all();
    expect(JSON.stringify(results)).not.toContain(one.secret);
    await env.DB.prepare('UPDATE api_keys SET secret_ciphertext = ? WHERE id = ?')
      .bind(results[0]!.secret_ciphertext, other.id)
      .run();
    const stolen = { 'x-api-key': other.id, 'x-api-secret': one.secret };
    expect(await statusWith(stolen)).toBe(503);
  });
});

describe('a signed request', () => {
  const path = `${FILLS}?limit=1`;

  it('is accepted without sending the secret', async () => {
    const key = await createTestKey(trader);
    expect(await statusWith(await sign(key, { method: 'GET', path }), path)).toBe(200);
  });

  it('covers the body', async () => {
    const key = await createTestKey(trader);
    const post = async (signed: string, sent: unknown) => {
      const headers = await sign(key, { method: 'POST', path: '/book/v1/orders', body: signed });
      return (await call('POST /book/v1/orders', { headers, json: sent })).status;
    };
    expect(await post('{"a":1}', { a: 1 })).toBe(400);
    expect(await post('{"a":1}', { a: 2 })).toBe(401);
  });

  it('covers a body that is no text', async () => {
    const key = await createTestKey(trader);
    const target = '/book/TradingService/PlaceOrder';
    const body = new Uint8Array([0x0a, 0x02, 0xff, 0xfe]).buffer;
    const post = async (sent: ArrayBuffer) => {
      const headers = await sign(key, { method: 'POST', path: target, body });
      return call(`POST ${target}`, { headers: { ...headers, 'content-type': 'application/proto' }, body: sent });
    };
    expect((await post(body)).headers.get('x-error-code')).not.toBe('UNAUTHORIZED');
    expect((await post(new Uint8Array([0x0a, 0x02, 0xff, 0xfd]).buffer)).status).toBe(401);
  });

  it('cannot be split anew between path and body', async () => {
    const key = await createTestKey(trader);
    const split = async (method: string, rest: string) => {
      const headers = await sign(key, { method, path: `/book/v1/orders${rest}` });
      return (await call(`${method} /book/v1/orders`, { headers, body: rest })).status;
    };
    expect(await split('POST', '/batch')).toBe(401);
    expect(await split('DELETE', `/${crypto.randomUUID()}`)).toBe(400);
  });

  it.each([
    ['another method', { method: 'DELETE', path }],
    ['another query', { method: 'GET', path: `${FILLS}?limit=2` }],
    ['another path', { method: 'GET', path: '/v1/fills?limit=1' }],
    ['a timestamp 31 s old', { method: 'GET', path, timestamp: Date.now() - 31_000 }],
    ['a timestamp 31 s ahead', { method: 'GET', path, timestamp: Date.now() + 40_000 }],
  ])('is refused when signed for %s', async (_, request) => {
    const key = await createTestKey(trader);
    expect(await statusWith(await sign(key, request), path)).toBe(401);
  });

  it('is accepted with a timestamp within 30 s', async () => {
    const key = await createTestKey(trader);
    for (const offset of [-28_000, 28_000]) {
      const headers = await sign(key, { method: 'GET', path, timestamp: Date.now() + offset });
      expect(await statusWith(headers, path)).toBe(200);
    }
  });

  it('is refused when the timestamp is not the signed one', async () => {
    const key = await createTestKey(trader);
    const headers = await sign(key, { method: 'GET', path });
    expect(await statusWith({ ...headers, 'x-api-timestamp': String(Date.now() + 5) }, path)).toBe(401);
  });

  it('serves once: of many replays at the same time one passes', async () => {
    const key = await createTestKey(trader);
    const headers = await sign(key, { method: 'GET', path });
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusWith(headers, path)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
  });

  it('is refused as a replay after the Gate object was lost', async () => {
    const key = await createTestKey(trader);
    const headers = await sign(key, { method: 'GET', path });
    expect(await statusWith(headers, path)).toBe(200);
    const gate = env.GATE.getByName(userGateName(trader.owner, trader.userId));
    await expect(runInDurableObject(gate, (_, state) => state.abort('killed'))).rejects.toThrow();
    expect(await statusWith(headers, path)).toBe(401);
    expect(await statusWith(await sign(key, { method: 'GET', path }), path)).toBe(200);
  });

  it('is forgotten once its timestamp alone refuses it', async () => {
    const owner = await createTrader(db);
    const key = await createTestKey(owner);
    const gate = env.GATE.getByName(userGateName(owner.owner, owner.userId));
    const remembered = () =>
      runInDurableObject(gate, (_, state) => state.storage.sql.exec('SELECT count(*) AS n FROM signatures').one().n);
    await statusWith(await sign(key, { method: 'GET', path }), path);
    expect(await remembered()).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await statusWith(await sign(key, { method: 'GET', path }), path);
    expect(await remembered()).toBe(1);
  });
});

describe('an IP allowlist', () => {
  it('admits its addresses and blocks alone', async () => {
    const key = await createTestKey(trader, { ipAllowlist: ['198.51.100.7', '2001:db8::/32'] });
    const from = (address: string) => statusWith(key.headers, BALANCES, address);
    expect(await from('198.51.100.7')).toBe(200);
    expect(await from('2001:db8:7::1')).toBe(200);
    expect(await from('198.51.100.8')).toBe(401);
  });
});

describe('scopes', () => {
  it('read alone may not place orders, trade alone may not read', async () => {
    const reader = await createTestKey(trader, { scopes: ['read'] });
    const placed = await call('POST /book/v1/orders', { headers: reader.headers, json: {} });
    expect([placed.status, placed.body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
    const trades = await createTestKey(trader, { scopes: ['trade'] });
    expect(await statusWith(trades.headers)).toBe(403);
  });

  it.each([
    ['/book/v1/orders?', 200],
    ["/book/v1/orders?client_order_id='a'", 200],
    ["/book/v1/orders?client_order_id=it's%20mine", 200],
    ['/book/v1/orders?client_order_id="a<b>"', 200],
    ['/book/v1/orders?symbol=Ü', 400],
    ['/book/v1/orders/client/a^b', 404],
    ['/book/v1/orders/client/{a}', 404],
    ['/book/v1/orders?client_order_id=%27a%27', 200],
    ['/book/v1/orders?limit=5&', 200],
    ['/book/v1/orders?client_order_id=a%2cb', 200],
    ['/book/v1/orders?client_order_id=a+b', 200],
    ['/book/v1/orders?client_order_id=foo@bar.com', 200],
    ['/book/v1/orders?client_order_id=%61', 200],
    ['/book/v1/orders/client/a~b', 404],
    ['/book/v1/orders/client/a%7Eb', 404],
    ['/book/v1/orders?symbol=%C3%9C', 400],
  ])('X-05: holds over the path as it was sent: %s', async (sent, status) => {
    const key = await createTestKey(trader);
    expect(await statusWith(await sign(key, { method: 'GET', path: sent }), sent)).toBe(status);
  });

  it.each(["/book/v1/orders?client_order_id='a'", '/book/v1/./orders/../orders?', '/book/v1/orders/client/{a}'])(
    'X-05: holds over the path as the URL standard writes it: %s',
    async (sent) => {
      const key = await createTestKey(trader);
      const { pathname, search } = new URL(`http://localhost${sent}`);
      expect(await statusWith(await sign(key, { method: 'GET', path: pathname + search }), sent)).not.toBe(401);
    },
  );
});

describe('a refused signature', () => {
  const errorOf = async (headers: Record<string, string>, target = `GET ${BALANCES}`) => {
    const { status, body } = await call(target, { headers });
    return { status, ...(body as { error: { message: string; details: Record<string, unknown> } }).error };
  };
  const signed = async (timestamp = Date.now()) =>
    sign(await createTestKey(trader), { method: 'GET', path: BALANCES, timestamp });

  it.each([
    ['timestamp_malformed', async () => ({ ...(await signed()), 'x-api-timestamp': '1750000000' })],
    ['timestamp_malformed', async () => ({ ...(await signed()), 'x-api-timestamp': '1750000000000.5' })],
    ['signature_malformed', async () => ({ ...(await signed()), 'x-api-signature': 'A'.repeat(64) })],
    ['signature_malformed', async () => ({ ...(await signed()), 'x-api-signature': 'a'.repeat(63) })],
  ])('X-09: says that it is %s', async (reason, headers) => {
    expect(await errorOf(await headers())).toMatchObject({ status: 401, details: { reason } });
  });

  it('X-09: says that its timestamp is stale, with the time here, whether the key exists or not', async () => {
    stopClock();
    for (const off of [-31_000, 31_000]) {
      const headers = await signed(Date.now() + off);
      const refused = { status: 401, details: { reason: 'timestamp_stale', server_time: Date.now() } };
      expect(await errorOf(headers)).toMatchObject(refused);
      expect(await errorOf({ ...headers, 'x-api-key': uuidv7() })).toEqual(await errorOf(headers));
      expect(await errorOf({ ...headers, 'x-api-signature': 'a'.repeat(64) })).toEqual(await errorOf(headers));
    }
  });

  it('X-09: says that it was used before, to whom it is right for alone', async () => {
    const headers = await signed();
    expect(await statusWith(headers)).toBe(200);
    expect(await errorOf(headers)).toMatchObject({ status: 401, details: { reason: 'signature_used' } });
    expect(await errorOf(headers, `GET ${BALANCES}?x=1`)).toMatchObject({ status: 401, details: {} });
  });

  it('X-09: says no more of a wrong one than of a key that nobody has', async () => {
    const headers = await signed();
    const wrong = await errorOf({ ...headers, 'x-api-signature': 'a'.repeat(64) });
    expect(wrong).toEqual({ ...wrong, status: 401, message: 'missing or invalid authentication', details: {} });
    expect(await errorOf({ ...headers, 'x-api-key': uuidv7() })).toEqual(wrong);
  });

  it('X-09: says so at the order socket and over Connect', async () => {
    const stale = { ...(await signed(Date.now() - 60_000)) };
    const socket = await call('GET /book/v1/ws/orders', { headers: { ...stale, upgrade: 'websocket' } });
    expect(socket.body).toMatchObject({ error: { details: { reason: 'timestamp_stale' } } });
    const rpc = await call('POST /book/TradingService/PlaceOrder', {
      headers: { ...stale, 'content-type': 'application/proto' },
      body: new ArrayBuffer(0),
    });
    expect(rpc.status).toBe(401);
    expect(JSON.stringify(rpc.body)).toContain('more than 30 s from now');
  });
});
