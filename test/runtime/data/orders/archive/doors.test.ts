import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archiveOrders } from '../../../../../application/orders/archive-orders.ts';
import type { Database } from '../../../../../data/database.ts';
import { hasOrdersOn } from '../../../../../data/orders/account-orders.ts';
import { DAY_MS } from '../../../../../domain/calendar/durations.ts';
import type { PlaceCommand } from '../../../../../durable-objects/order-book/api.ts';
import { createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { EVERY_FIVE_MINUTES, EVERY_HOUR, runCron } from '../../../fixtures/run-cron.ts';
import { settle } from '../../../fixtures/settle.ts';

const LATER_MS = 8 * DAY_MS;

let db: Database;
let maker: KeyHolder;
let taker: KeyHolder;
let exchange: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'OLD');
  await createPair(db, 'ELSE');
});

/** A trader with orders in every state on two markets, some of them open, and the one who took from it. */
beforeEach(async () => {
  maker = await createKeyHolder(db, { cash: 1_000_00 });
  taker = await createKeyHolder(db);
  await giveHolding({ accountId: taker.accountId, asset: 'old', lots: [{ quantity: 100 }] });
  exchange = await signedIn(maker);
  const buy = { symbol: 'OLD-USD', side: 'buy', type: 'limit', size: 2, price: 1 };
  for (let round = 0; round < 3; round++) {
    await placed({ ...buy, client_order_id: `kept-${round}` });
    const cancelled = await placed({ ...buy, client_order_id: `cancelled-${round}` });
    await maker.client.delete(`/v1/orders/${cancelled}`);
    await placed({ ...buy, price: 3 });
    expect((await taker.client.post('/v1/orders', { ...buy, side: 'sell', price: 3 })).status).toBe(200);
    await maker.client.post('/v1/orders', { ...buy, size: 1_000_000 });
    const other = await placed({ ...buy, symbol: 'ELSE-USD' });
    await maker.client.delete(`/v1/orders/${other}`);
    await placed({ ...buy, time_in_force: 'IOC' });
  }
  await settle('OLD-USD', 'ELSE-USD');
});

async function placed(body: unknown): Promise<string> {
  const answer = await maker.client.post('/v1/orders', body);
  expect(answer.status).toBe(200);
  return String(answer.body.order_id);
}

const archive = () => archiveOrders(env, Date.now() + LATER_MS);

type Read = {
  get(path: string): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }>;
};

/** A whole list, page by page, along its Link headers. */
async function follow(client: Read, path: string, field: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let next: string | null = path; next !== null; ) {
    const { status, headers, body } = await client.get(next);
    expect([next, status]).toEqual([next, 200]);
    rows.push(...((body as Record<string, Record<string, unknown>[]>)[field] ?? []));
    const target = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    const cursor = target === undefined ? null : new URL(target).searchParams.get('cursor');
    next = cursor === null ? null : `${path}&cursor=${cursor}`;
  }
  return rows;
}

const STATUSES = ['open', 'partially_filled', 'filled', 'cancelled', 'rejected', 'pending_trigger', 'expired', 'all'];

/** Every listing of every filter, in pages of one, four and all. */
async function everyListing(): Promise<Record<string, unknown>> {
  const listings: Record<string, unknown> = {};
  const book = [
    ...STATUSES.map((status) => `status=${status}`),
    'symbol=OLD-USD',
    'symbol=ELSE-USD&status=cancelled',
    'client_order_id=cancelled-1',
    'client_order_id=kept-1',
    'client_order_id=cancelled-1&status=filled',
    'client_order_id=nobody',
  ];
  for (const query of book)
    for (const limit of [1, 4, 1_000])
      listings[`book ${query} ${limit}`] = await follow(maker.client, `/v1/orders?${query}&limit=${limit}`, 'orders');
  const filters = ['PENDING', 'EXECUTED', 'CANCELLED', 'ALL'].map((status) => `status=${status}`);
  for (const query of [...filters, 'assetId=old', 'assetId=else&status=CANCELLED', 'assetId=none'])
    for (const limit of ['&limit=1', '&limit=4', ''])
      listings[`exchange ${query} ${limit}`] = await follow(exchange, `/v1/orders?${query}${limit}`, 'data');
  listings.fills = await follow(maker.client, '/v1/fills?limit=2', 'fills');
  listings.transactions = await follow(exchange, '/v1/core-transactions?type=all', 'data');
  return listings;
}

const everyId = async () =>
  (await follow(maker.client, '/v1/orders?limit=1000', 'orders')).map(({ order_id }) => String(order_id));

const countInD1 = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM orders WHERE account = ?1')
    .bind(maker.accountId)
    .first<number>('n')) ?? 0;

describe('orders that have moved into the archive', () => {
  test('are listed as before, by every filter, page by page, and so are their fills', async () => {
    const before = await everyListing();
    expect(before['book status=rejected 1000']).toHaveLength(3);
    expect(before['book status=filled 1000']).toHaveLength(3);
    expect(before['book client_order_id=cancelled-1 1000']).toHaveLength(1);
    expect(before.fills).toHaveLength(3);
    expect(await countInD1()).toBe(18);
    await archive();
    // The three that are open.
    expect(await countInD1()).toBe(3);
    expect(await everyListing()).toEqual(before);
    await expectRightLedger();
  });

  test('are found by their ids, by their owner alone', async () => {
    const ids = await everyId();
    const read = () =>
      Promise.all(
        ids.map(async (id) => [await maker.client.get(`/v1/orders/${id}`), await exchange.get(`/v1/orders/${id}`)]),
      );
    const bodies = async () => (await read()).map((both) => both.map(({ status, body }) => ({ status, body })));
    const before = await bodies();
    expect(before.flat().every(({ status }) => status === 200)).toBe(true);
    await archive();
    expect(await bodies()).toEqual(before);
    const strangers = await signedIn(taker);
    for (const id of ids) {
      expect(await taker.client.get(`/v1/orders/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'ORDER_NOT_FOUND' } },
      });
      expect(await strangers.get(`/v1/orders/${id}`)).toMatchObject({ status: 404 });
    }
    expect(await follow(taker.client, '/v1/orders?client_order_id=cancelled-1', 'orders')).toEqual([]);
  });

  test('are final: cancelling and amending say so', async () => {
    const [cancelled] = await follow(maker.client, '/v1/orders?client_order_id=cancelled-1', 'orders');
    const id = String(cancelled?.order_id);
    await archive();
    const final = { status: 400, body: { error: { code: 'ORDER_NOT_CANCELLABLE', details: { status: 'cancelled' } } } };
    expect(await maker.client.delete(`/v1/orders/${id}`)).toMatchObject(final);
    expect(await maker.client.delete('/v1/orders/batch', { order_ids: [id] })).toMatchObject({
      body: { results: [{ error: { code: 'ORDER_NOT_CANCELLABLE' } }] },
    });
    expect(await maker.client.patch(`/v1/orders/${id}`, { size: 1 })).toMatchObject({
      body: { error: { code: 'ORDER_NOT_MODIFIABLE' } },
    });
    expect(await taker.client.delete(`/v1/orders/${id}`)).toMatchObject({
      body: { error: { code: 'ORDER_NOT_FOUND' } },
    });
  });

  test('are met again by who repeats them', async () => {
    const [cancelled] = await follow(maker.client, '/v1/orders?client_order_id=cancelled-1', 'orders');
    await archive();
    const repeated: PlaceCommand = {
      type: 'place',
      orderId: String(cancelled?.order_id),
      account: maker.accountId,
      owner: maker.owner,
      keyId: maker.keyId,
      clientOrderId: 'cancelled-1',
      terms: {
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        quantity: 2,
        price: 100,
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
    expect(await env.ORDER_BOOK.getByName('OLD-USD').submit([repeated])).toMatchObject([
      { type: 'done', report: { orderId: repeated.orderId, status: 'cancelled' } },
    ]);
  });

  test('show which markets an account has placed orders on', async () => {
    await archive();
    expect(await hasOrdersOn(db, maker.accountId, 'ELSE-USD')).toBe(true);
    expect(await hasOrdersOn(db, taker.accountId, 'ELSE-USD')).toBe(false);
    expect(await hasOrdersOn(db, taker.accountId, 'OLD-USD')).toBe(true);
  });
});

test('the schedule of every five minutes archives, the hourly one does not', async () => {
  await env.DB.prepare(
    `INSERT INTO orders (id, account, owner, asset_id, open, status, side, type, time_in_force, quantity, reserve_asset, created_at,
       updated_at)
     VALUES ('00000000-0000-7000-8000-000000000000', ?1, ?2, 'old', 0, 'rejected', 'buy', 'limit', 'GTC', 1, 'usd', 0, 0)`,
  )
    .bind(maker.accountId, maker.owner)
    .run();
  await runCron(EVERY_HOUR);
  expect(await countInD1()).toBe(19);
  await runCron(EVERY_FIVE_MINUTES);
  expect(await countInD1()).toBe(18);
});

describe('while the archive cannot be read', () => {
  test('orders of long ago are refused with Retry-After, newer ones are answered', async () => {
    await archive();
    await placed({ symbol: 'OLD-USD', side: 'buy', type: 'limit', size: 1, price: 1 });
    const { results } = await env.DB.prepare('SELECT key FROM order_slices').all<{ key: string }>();
    await env.ORDER_ARCHIVE.delete(results.map(({ key }) => key));
    expect(await maker.client.get('/v1/orders?limit=1')).toMatchObject({ status: 200 });
    const refused = await maker.client.get('/v1/orders');
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVICE_UNAVAILABLE', details: { reason: 'order_archive_unavailable' } } },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
  });
});
