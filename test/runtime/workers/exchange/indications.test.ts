import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { SECOND_MS } from '../../../../domain/calendar/durations.ts';
import { INDICATIONS_PER_ACCOUNT_MAX } from '../../../../durable-objects/order-book/rpc/commands.ts';
import { createKey } from '../../fixtures/book-client.ts';
import { balanceOf, orderRow } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { TraderTerms } from '../../fixtures/create-trader.ts';
import { anyone, type ErrorBody } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { limitOrder, type OrderBody, placed } from '../../fixtures/placing.ts';
import { settle } from '../../fixtures/settle.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { orderOf, tradingClient } from '../../fixtures/trading-client.ts';

const VERIFIED: TraderTerms = { accreditationStatus: 'completed', accreditationType: '506c' };
const BOOK = 'START.IOI-USD';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'START', {
    asset: {
      category: 'pre-ipo',
      executionRoute: 'indication',
      accreditationType: '506c',
      regulation: 'reg_d_506c',
    },
    market: { route: 'indication', lotSize: 10, quantityMin: 10, quantityMax: 10_000, tickSize: 5 },
  });
});
afterEach(expectRightLedger);

const investor = (terms: TraderTerms = {}) => tradingClient(db, { ...VERIFIED, ...terms });
const interest = (quantity: number, limitPrice: number, more: Partial<OrderBody> = {}): OrderBody => ({
  ...limitOrder('start', 'BUY', quantity, limitPrice),
  isPreIPO: true,
  ...more,
});

describe('an indication of interest', () => {
  test('is PENDING and holds nothing, whatever the account has', async () => {
    const client = await investor();
    const orderId = await placed(client, interest(100, 12.5));
    const indicated = {
      orderId,
      assetId: 'start',
      side: 'BUY',
      quantity: 100,
      limitPrice: 12.5,
      isPreIPO: true,
      indication: 'INDICATED',
      status: 'PENDING',
      filledQuantity: 0,
    };
    expect(await orderOf(client, orderId)).toMatchObject(indicated);
    expect(await balanceOf(client.accountId, 'usd')).toEqual({ available: 0, held: 0 });
    for (const query of ['', '?status=PENDING', '?assetId=start'])
      expect((await client.get(`/v1/orders${query}`)).body).toMatchObject({ data: [indicated] });
    const { client: key } = await createKey(db, client);
    expect((await key.get('/v1/orders')).body).toMatchObject({
      orders: [{ order_id: orderId, status: 'open', is_indication: true }],
    });
    await settle(BOOK);
    expect(await orderRow(orderId)).toMatchObject({ status: 'open', reserve: 0, pre_ipo: 1, book: BOOK });
    expect(await orderOf(await investor(), orderId)).toBeUndefined();
  });

  test('two that could meet do not, and nobody but its owner sees any', async () => {
    const clients = [await investor(), await investor()];
    const ids = await Promise.all(clients.map((client) => placed(client, interest(50, 20))));
    for (const [at, client] of clients.entries())
      expect(await orderOf(client, ids[at] as string)).toMatchObject({ status: 'PENDING' });
    expect((await anyone().get('/v1/assets/start/book')).body).toMatchObject({ bids: [], asks: [], stale: false });
    expect((await anyone().get('/v1/assets/start/quote')).body).toMatchObject({ last: 0, volume: 0, stale: false });
    for (const symbol of [BOOK, 'START-USD']) expect((await anyone().get(`/v1/orderbook/${symbol}`)).status).toBe(404);
  });

  test('is the same for the same Idempotency-Key and client order id', async () => {
    const client = await investor();
    const body = interest(10, 15, { clientOrderId: 'ioi-1' });
    const key = { 'Idempotency-Key': 'indication-1' };
    const first = await client.post<{ data: { orderId: string } }>('/v1/orders', body, key);
    expect(await client.post('/v1/orders', body, key)).toMatchObject({ status: 200, body: first.body });
    const other = await client.post<ErrorBody>('/v1/orders', body);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await client.get<{ data: unknown[] }>('/v1/orders')).body.data).toHaveLength(1);
  });

  test('is changed and withdrawn as any pending order is', async () => {
    const client = await investor();
    const orderId = await placed(client, interest(100, 12.5));
    const changed = await client.put(`/v1/orders/${orderId}`, { quantity: 200, limitPrice: 13 });
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { quantity: 200, limitPrice: 13, status: 'PENDING' } },
    });
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 205 })).toMatchObject({ status: 400 });
    expect(await orderOf(client, orderId)).toMatchObject({ quantity: 200, limitPrice: 13, indication: 'INDICATED' });
    expect(await client.delete(`/v1/orders/${orderId}`)).toMatchObject({
      status: 200,
      body: { data: { status: 'CANCELLED', filledQuantity: 0 } },
    });
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'CANCELLED', indication: 'WITHDRAWN' });
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 100 })).toMatchObject({
      status: 400,
      body: { error: { code: 'ORDER_NOT_MODIFIABLE' } },
    });
    expect(await balanceOf(client.accountId, 'usd')).toEqual({ available: 0, held: 0 });
  });

  test('outlives its book, which recovers it from its journal', async () => {
    const client = await investor();
    const [kept, withdrawn] = [await placed(client, interest(100, 12.5)), await placed(client, interest(50, 12.5))];
    await client.put(`/v1/orders/${kept}`, { quantity: 70 });
    await evictDurableObject(env.ORDER_BOOK.getByName(BOOK));
    expect(await orderOf(client, kept)).toMatchObject({ quantity: 70, indication: 'INDICATED' });
    expect(await client.delete(`/v1/orders/${withdrawn}`)).toMatchObject({ status: 200 });
  });
});

describe('every check of order entry runs on it', () => {
  test.each<[string, TraderTerms, OrderBody, string]>([
    ['accreditation', { accreditationType: '506b' }, interest(10, 10), 'ACCREDITATION_REQUIRED'],
    ['the lot of the market', {}, interest(15, 10), 'VALIDATION_ERROR'],
    ['the tick of the market', {}, interest(10, 10.01), 'VALIDATION_ERROR'],
    ['no firm order is meant', {}, interest(10, 10, { isPreIPO: false }), 'INVALID_ORDER_TYPE'],
    ['a price is named', {}, { ...interest(10, 10), orderType: 'market', limitPrice: undefined }, 'INVALID_ORDER_TYPE'],
    ['it stands until it ends', {}, interest(10, 10, { timeInForce: 'IOC' }), 'INVALID_ORDER_TYPE'],
    ['none is for sale', {}, interest(10, 10, { side: 'SELL' }), 'ASSET_NOT_TRADEABLE'],
  ])('%s', async (_, terms, body, code) => {
    const client = await investor(terms);
    const answer = await client.post<ErrorBody>('/v1/orders', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code } } });
    const rejected = await orderOf(client, answer.body.error.details.orderId as string);
    expect(rejected).toMatchObject({ status: 'REJECTED', code, isPreIPO: body.isPreIPO });
    expect(rejected).not.toHaveProperty('indication');
  });

  test('also when it is changed', async () => {
    const client = await investor();
    const orderId = await placed(client, interest(10, 10));
    await setFacts(client.accountId, { accreditationStatus: 'expired' });
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 20 })).toMatchObject({
      status: 400,
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
  });

  test('an account has so many on one asset at most', async () => {
    const client = await investor();
    for (let count = 0; count < INDICATIONS_PER_ACCOUNT_MAX; count++) await placed(client, interest(10, 10));
    skipTime(SECOND_MS);
    expect(await client.post('/v1/orders', interest(10, 10))).toMatchObject({
      status: 403,
      body: { error: { code: 'RISK_LIMIT_EXCEEDED' } },
    });
  });
});
