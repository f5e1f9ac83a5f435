import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findOpenOrder, listOpenOrders } from '../../../../application/order-book/open-orders.ts';
import type { Database } from '../../../../data/database.ts';
import { orderStore } from '../../../../data/orders/archive/order-store.ts';
import { findBookOrder, listBookOrders } from '../../../../data/orders/book-orders.ts';
import { remainingOf } from '../../../../domain/orders/remaining-of.ts';
import type { PlaceCommand } from '../../../../durable-objects/order-book/api.ts';
import { orderOf } from '../../../../workers/book/order.ts';
import worker from '../../../../workers/index.ts';
import { type Answer, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

/** Statements are made of an absent D1 as of any other; running one fails. */
const asked = { count: 0 };
const absent: object = new Proxy(
  {},
  { get: (_, name) => (name === 'prepare' || name === 'bind' ? () => absent : name === 'then' ? undefined : fails) },
);

function fails(): Promise<never> {
  asked.count += 1;
  return Promise.reject(new Error('D1_ERROR: Network connection lost.'));
}

const withoutD1 = { ...env, DB: absent as D1Database };

let db: Database;
/** Each test has a market of its own. */
let base: string;
let symbol: string;
let bid: { symbol: string; side: string; type: string; size: number; price: number };
let markets = 0;
let holder: KeyHolder;
let other: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'TWO');
});

beforeEach(async () => {
  markets += 1;
  base = `LIVE${markets}`;
  ({ symbol } = await createPair(db, base));
  bid = { symbol, side: 'buy', type: 'limit', size: 4, price: 2 };
  holder = await createKeyHolder(db, { cash: 100_000_00 });
  other = await createKeyHolder(db, { cash: 100_000_00 });
  await giveHolding({ accountId: holder.accountId, asset: base.toLowerCase(), lots: [{ quantity: 100 }] });
  await giveHolding({ accountId: other.accountId, asset: base.toLowerCase(), lots: [{ quantity: 100 }] });
});

afterEach(() => {
  clearLedgerFaults();
  vi.useRealTimers();
});

/** D1 is away for the Worker and for the ledger. */
function takeD1Away(): void {
  planLedgerFaults({ d1: () => 'away' });
}

/** A call of the Worker that has no D1. */
async function call(
  { headers }: Pick<KeyHolder, 'headers'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const ctx = createExecutionContext();
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], withoutD1, ctx);
  const answer = {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
  await waitOnExecutionContext(ctx);
  return answer;
}

const NOT_READ = { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } };

async function placed(by: KeyHolder, body: unknown): Promise<string> {
  const answer = await by.client.post('/v1/orders', body);
  expect([answer.status, answer.body]).toMatchObject([200, { order_id: expect.any(String) }]);
  return String(answer.body.order_id);
}

/** Open orders of every kind on two markets. */
async function placeEveryKind(): Promise<string[]> {
  const filled = await placed(holder, { ...bid, size: 10, price: 3, client_order_id: 'partly' });
  await placed(other, { ...bid, side: 'sell', size: 4, price: 3 });
  const amended = await placed(holder, { ...bid, client_order_id: 'amended' });
  expect((await holder.client.patch(`/v1/orders/${amended}`, { size: 3, price: 1.5 })).status).toBe(200);
  const triggered = { ...bid, type: 'stop_loss_limit', stop_price: 3, price: 3.1, client_order_id: 'triggered' };
  return [
    filled,
    amended,
    await placed(holder, { ...bid, time_in_force: 'GTD', expires_at: Date.now() + 3_600_000 }),
    await placed(holder, { ...bid, type: 'stop_loss_limit', stop_price: 50, price: 51 }),
    // Reached already: it rests as a limit order.
    await placed(holder, triggered),
    await placed(holder, { ...bid, type: 'limit_maker' }),
    await placed(holder, { ...bid, side: 'sell', price: 90 }),
    await placed(holder, { ...bid, symbol: 'TWO-USD', client_order_id: 'elsewhere' }),
  ].sort((a, b) => (a < b ? 1 : -1));
}

const idsOf = ({ body }: Answer) => (body.orders as { order_id: string }[]).map(({ order_id }) => order_id);

describe('open orders as their books have them', () => {
  test('are, field by field, what D1 shows once it has caught up', async () => {
    const ids = await placeEveryKind();
    await settle(symbol, 'TWO-USD');
    const { accountId: account, owner } = holder;
    const all = { statuses: null, book: null, clientOrderId: null, before: null, limit: 100 };
    const fromBooks = await listOpenOrders(env, { account, owner }, { ...all, assetId: null });
    const fromD1 = await listBookOrders(orderStore(env), {
      ...all,
      account,
      statuses: ['open', 'partially_filled', 'pending_trigger'],
    });
    // For an order to which nothing has happened, D1 has the time at which it was made, and its book that of the cycle.
    const untimed = (each: Parameters<typeof orderOf>[0]) => ({ ...orderOf(each), updated_at: null });
    expect(fromBooks?.orders.map(untimed)).toEqual(fromD1.orders.map(untimed));
    expect(fromBooks?.orders.map(({ order }) => order.id)).toEqual(ids);
    for (const [at, id] of ids.entries()) {
      const [inBook, inD1] = [
        await findOpenOrder(env, { account, owner }, id),
        await findBookOrder(orderStore(env), account, id),
      ];
      if (inBook === null || inBook === 'unknown' || inD1 === null) throw new Error(`order ${at} was not found`);
      const shown = ({ createdAt: _, updatedAt: __, ...order }: typeof inD1.order) => ({
        ...order,
        remaining: remainingOf(order),
      });
      expect(shown(inBook.order)).toEqual(shown(inD1.order));
      expect(inBook.market).toMatchObject(inD1.market);
    }
  });

  test('are listed by every filter, page by page, in the same order', async () => {
    const ids = await placeEveryKind();
    const [, , , , , , , filled] = ids;
    const listed = async (query: string) => idsOf(await holder.client.get(`/v1/orders?${query}`));
    expect(await listed('status=open')).toEqual(ids);
    expect(await listed('status=partially_filled')).toEqual([filled]);
    expect(await listed('status=pending_trigger')).toHaveLength(1);
    expect(await listed('status=open&symbol=TWO-USD')).toEqual(ids.slice(0, 1));
    expect(await listed('status=open&client_order_id=partly')).toEqual([filled]);
    expect(await listed('status=pending_trigger&client_order_id=partly')).toEqual([]);
    expect(await listed('status=open&client_order_id=partly&symbol=TWO-USD')).toEqual([]);
    expect(await listed('status=open&client_order_id=nobody')).toEqual([]);
    const pages: string[] = [];
    for (let next: string | null = '/v1/orders?status=open&limit=3'; next !== null; ) {
      const answer: Answer = await holder.client.get(next);
      pages.push(...idsOf(answer));
      expect(idsOf(answer).length).toBeLessThanOrEqual(3);
      const cursor = /cursor=([^>&]+)/.exec(answer.headers.get('link') ?? '')?.[1];
      next = cursor === undefined ? null : `/v1/orders?status=open&limit=3&cursor=${cursor}`;
    }
    expect(pages).toEqual(ids);
    const exchange = await signedIn(holder);
    const pending = async (query: string) =>
      ((await exchange.get<{ data: { orderId: string }[] }>(`/v1/orders?status=PENDING${query}`)).body.data ?? []).map(
        ({ orderId }) => orderId,
      );
    expect(await pending('')).toEqual(ids);
    expect(await pending('&assetId=two')).toEqual(ids.slice(0, 1));
    expect(await pending('&limit=2')).toEqual(ids.slice(0, 2));
  });

  test('are listed from any number of books', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { symbol } = await createPair(db, `${base}N${n}`);
      ids.unshift(await placed(holder, { ...bid, symbol }));
    }
    expect(idsOf(await holder.client.get('/v1/orders?status=open'))).toEqual(ids);
    const first = await holder.client.get('/v1/orders?status=open&limit=4');
    expect(idsOf(first)).toEqual(ids.slice(0, 4));
    expect(first.headers.get('link')).toContain(`cursor=${ids[3]}`);
    expect(idsOf(await holder.client.get(`/v1/orders?status=open&limit=4&cursor=${ids[3]}`))).toEqual(ids.slice(4));
  });

  test("are nobody else's", async () => {
    const [id] = await placeEveryKind();
    const strange = { account: other.accountId, owner: other.owner };
    expect(await findOpenOrder(env, strange, String(id))).toBeNull();
    expect(await other.client.get(`/v1/orders/${id}`)).toMatchObject({ status: 404 });
    expect(idsOf(await other.client.get('/v1/orders?status=open&client_order_id=partly'))).toEqual([]);
    expect(idsOf(await other.client.get('/v1/orders?status=open'))).toEqual([]);
  });

  test('are read from D1 when a book cannot say', async () => {
    const [id] = await placeEveryKind();
    await settle(symbol, 'TWO-USD');
    const silent = { openOrders: async () => null, settled: async () => true };
    const mute = { ...env, ORDER_BOOK: { getByName: () => silent } as unknown as Env['ORDER_BOOK'] };
    const { accountId: account, owner } = holder;
    expect(await findOpenOrder(mute, { account, owner }, String(id))).toBe('unknown');
    const ctx = createExecutionContext();
    for (const path of ['/book/v1/orders?status=open', `/book/v1/orders/${id}`]) {
      const request = new Request(`http://localhost${path}`, { headers: holder.headers });
      expect((await worker.fetch(request as Parameters<typeof worker.fetch>[0], mute, ctx)).status).toBe(200);
    }
    await waitOnExecutionContext(ctx);
  });
});

describe('while D1 is away', () => {
  test('open orders are placed, read, listed, amended and cancelled, each call seeing what was acknowledged before', async () => {
    // The isolate knows the market.
    await placed(holder, bid);
    takeD1Away();
    const { status, body } = await call(holder, 'POST', '/book/v1/orders', { ...bid, client_order_id: 'mine' });
    expect([status, body]).toMatchObject([200, { status: 'open' }]);
    const id = String(body.order_id);
    expect(await call(holder, 'GET', `/book/v1/orders/${id}`)).toMatchObject({ status: 200, body });
    const listed = await call(holder, 'GET', `/book/v1/orders?status=open&symbol=${symbol}`);
    expect(idsOf(listed)[0]).toBe(id);
    expect(idsOf(await call(holder, 'GET', '/book/v1/orders?status=open&client_order_id=mine'))).toEqual([id]);

    expect(await call(holder, 'PATCH', `/book/v1/orders/${id}`, { size: 3 })).toMatchObject({
      status: 200,
      body: { size: 3 },
    });
    expect(await call(holder, 'GET', `/book/v1/orders/${id}`)).toMatchObject({
      status: 200,
      body: { size: 3, status: 'open' },
    });
    // A fill is seen at once.
    await call(other, 'POST', '/book/v1/orders', { ...bid, side: 'sell', size: 1, price: 2 });
    await call(other, 'POST', '/book/v1/orders', { ...bid, side: 'sell', size: 4, price: 2 });
    expect((await call(holder, 'GET', `/book/v1/orders/${id}`)).body).toMatchObject({
      status: 'partially_filled',
      filled_size: 1,
    });
    expect(await call(holder, 'DELETE', `/book/v1/orders/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    expect(idsOf(await call(holder, 'GET', '/book/v1/orders?status=open'))).toEqual([]);
    clearLedgerFaults();
    expect((await holder.client.get(`/v1/orders/${id}`)).body).toMatchObject({ status: 'cancelled', filled_size: 1 });
    await expectRightLedger();
  });

  test('profile A sees, modifies and cancels them, too', async () => {
    const id = await placed(holder, bid);
    const tokens = { headers: await tokensOf(holder) };
    await placed(holder, bid);
    takeD1Away();
    const order = { orderId: id, status: 'PENDING', quantity: 4, limitPrice: 2, filledQuantity: 0 };
    const path = `/exchange/v1/orders/${id}`;
    expect(await call(tokens, 'GET', path)).toMatchObject({ status: 200, body: { data: order } });
    const pending = await call(tokens, 'GET', '/exchange/v1/orders?status=PENDING');
    expect([pending.status, pending.body.data]).toMatchObject([200, [{}, order]]);
    const modified = await call(tokens, 'PUT', path, { quantity: 3 });
    expect(modified).toMatchObject({ status: 200, body: { data: { ...order, quantity: 3 } } });
    expect(await call(tokens, 'GET', path)).toMatchObject({ body: { data: { quantity: 3 } } });
    expect(await call(tokens, 'DELETE', path)).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
    const left = await call(tokens, 'GET', '/exchange/v1/orders?status=PENDING');
    expect(left.body.data).toHaveLength(1);
  });

  test('history is refused with Retry-After, and nothing else is said', async () => {
    const id = await placed(holder, bid);
    await holder.client.delete(`/v1/orders/${id}`);
    await settle(symbol);
    for (const path of [`/v1/orders/${id}`, '/v1/orders', '/v1/orders?status=filled', '/v1/fills']) {
      const answer = await call(holder, 'GET', `/book${path}`);
      expect([path, answer]).toMatchObject([path, NOT_READ]);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await call(holder, 'PATCH', `/book/v1/orders/${id}`, { size: 1 })).toMatchObject(NOT_READ);
  });

  test('balances are those of the ledger', async () => {
    await placed(holder, bid);
    const before = await holder.client.get('/v1/account/balances');
    takeD1Away();
    expect(await call(holder, 'GET', '/book/v1/account/balances')).toMatchObject({ status: 200, body: before.body });
    await call(holder, 'POST', '/book/v1/orders', bid);
    expect(await call(holder, 'GET', '/book/v1/account/balances')).toMatchObject({
      body: { balances: [{ asset: base }, { asset: 'USD', free: 99_984, locked: 16 }] },
    });
  });

  test('orders go by a market that was read before for five minutes, and are refused after that', async () => {
    await placed(holder, bid);
    takeD1Away();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 299_000 });
    asked.count = 0;
    for (let n = 0; n < 3; n++) expect((await call(holder, 'POST', '/book/v1/orders', bid)).status).toBe(200);
    // Once a second is D1 asked again.
    expect(asked.count).toBe(1);
    vi.setSystemTime(now + 301_000);
    const refused = await call(holder, 'POST', '/book/v1/orders', bid);
    expect(refused).toMatchObject(NOT_READ);
    expect(refused.headers.get('retry-after')).toBe('1');
    // Cancels need no rules, only scales, which never change.
    const [id] = idsOf(await call(holder, 'GET', '/book/v1/orders?status=open'));
    expect((await call(holder, 'DELETE', `/book/v1/orders/${id}`)).status).toBe(200);
  });

  test('of a market that the isolate has never read, open orders are read and cancelled; nothing else is said', async () => {
    const command: PlaceCommand = {
      type: 'place',
      orderId: uuidv7(),
      account: holder.accountId,
      owner: holder.owner,
      keyId: holder.keyId,
      clientOrderId: null,
      terms: {
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        quantity: 4,
        price: 200,
        stopPrice: null,
        expiresAt: null,
        selfTradePrevention: 'cancel_newest',
        hidden: false,
        displayQuantity: null,
      },
      attributes: 0,
      requires: 0,
      allowanceAsset: null,
      positionAsset: null,
      daily: null,
      factsVersion: 1,
      rulesVersion: 1,
    };
    expect(await env.ORDER_BOOK.getByName(symbol).submit([command])).toMatchObject([{ type: 'done' }]);
    const order = `/book/v1/orders/${command.orderId}`;
    const terms = { order_id: command.orderId, symbol, size: 4, price: 2 };
    expect(await call(holder, 'GET', order)).toMatchObject({ status: 200, body: { ...terms, status: 'open' } });
    expect(idsOf(await call(holder, 'GET', `/book/v1/orders?status=open&symbol=${symbol}`))).toEqual([command.orderId]);
    expect(await call(holder, 'PATCH', order, { size: 3 })).toMatchObject(NOT_READ);
    expect(await call(holder, 'DELETE', order)).toMatchObject({ status: 200, body: { ...terms, status: 'cancelled' } });
    expect(await call(holder, 'POST', '/book/v1/orders', bid)).toMatchObject(NOT_READ);
    expect(await call({ headers: {} }, 'GET', `/book/v1/ticker/${symbol}`)).toMatchObject(NOT_READ);
  });
});
