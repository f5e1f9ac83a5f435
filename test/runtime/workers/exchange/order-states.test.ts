import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import type { ComplianceFacts } from '../../../../domain/accounts/account.ts';
import { createKey } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { ErrorBody } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts, setRules } from '../../fixtures/operate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let db: Database;
let nextPair = 0;

/** A market of its own for every test, with a buyer who has cash and a seller who has shares. */
async function market(): Promise<{ asset: string; buyer: TradingClient; seller: TradingClient }> {
  const symbol = `STATE${nextPair++}`;
  const asset = symbol.toLowerCase();
  await createPair(db, symbol, { market: { referencePrice: 10_00 } });
  const buyer = await tradingClient(db, { cash: 1_000_000_00 });
  const seller = await tradingClient(db, {}, { asset, lots: [{ quantity: 1_000 }] });
  return { asset, buyer, seller };
}

beforeAll(async () => {
  db = await migrate();
});

describe('POST /v1/orders', () => {
  test('all validation checks pass: PENDING, in the tabled envelope', async () => {
    const { asset, buyer } = await market();
    const answer = await buyer.post('/v1/orders', limitOrder(asset, 'BUY', 5, 9.5));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        orderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        assetId: asset,
        side: 'BUY',
        orderType: 'limit',
        quantity: 5,
        status: 'PENDING',
        createdAt: expect.stringMatching(ISO),
      },
      message: 'ok',
    });
  });

  test("the order is persisted and visible in the user's order list; limit orders are placed on the book", async () => {
    const { asset, buyer } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 9.5));
    const { body } = await buyer.get('/v1/orders');
    expect(body).toEqual({
      data: [
        {
          orderId,
          assetId: asset,
          side: 'BUY',
          orderType: 'limit',
          quantity: 5,
          limitPrice: 9.5,
          isPreIPO: false,
          isRestrictedOrder: false,
          status: 'PENDING',
          filledQuantity: 0,
          timeInForce: 'GTC',
          createdAt: expect.stringMatching(ISO),
        },
      ],
      message: 'ok',
    });
    expect((await buyer.get(`/v1/assets/${asset}/book`)).body).toMatchObject({
      bids: [{ price: 9.5, size: 5 }],
      asks: [],
    });
  });

  test('market orders are executed at the best prices', async () => {
    const { asset, buyer, seller } = await market();
    await placed(seller, limitOrder(asset, 'SELL', 5, 10));
    await placed(buyer, limitOrder(asset, 'BUY', 1, 10));
    await placed(seller, limitOrder(asset, 'SELL', 5, 10.25));
    const orderId = await placed(buyer, { assetId: asset, side: 'BUY', orderType: 'market', quantity: 8 });
    const order = await orderOf(buyer, orderId);
    expect(order).toMatchObject({
      orderType: 'market',
      status: 'EXECUTED',
      filledQuantity: 8,
      averagePrice: 10.125,
      timeInForce: 'IOC',
    });
    expect(order).not.toHaveProperty('limitPrice');
  });

  test('the extra optional fields timeInForce, expiresAt and clientOrderId are kept', async () => {
    const { asset, buyer } = await market();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const orderId = await placed(buyer, {
      ...limitOrder(asset, 'BUY', 1, 1),
      timeInForce: 'GTD',
      expiresAt,
      clientOrderId: 'mine-1',
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({ timeInForce: 'GTD', expiresAt, clientOrderId: 'mine-1' });
  });

  test('a client order id stands for one order of the account: 409 CONFLICT', async () => {
    const { asset, buyer } = await market();
    const existingOrderId = await placed(buyer, { ...limitOrder(asset, 'BUY', 1, 1), clientOrderId: 'mine' });
    const answer = await buyer.post('/v1/orders', { ...limitOrder(asset, 'BUY', 1, 1), clientOrderId: 'mine' });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { existingOrderId } } } });
    expect((await buyer.get<{ data: unknown[] }>('/v1/orders')).body.data).toHaveLength(1);
  });

  test('a repeated Idempotency-Key gives the first answer and places nothing', async () => {
    const { asset, buyer } = await market();
    const post = () => buyer.post('/v1/orders', limitOrder(asset, 'BUY', 1, 1), { 'idempotency-key': 'once' });
    expect((await post()).body).toEqual((await post()).body);
    expect((await buyer.get<{ data: unknown[] }>('/v1/orders')).body.data).toHaveLength(1);
  });
});

describe('a match', () => {
  test('filled quantity equals quantity: EXECUTED with filledQuantity, averagePrice and executedAt', async () => {
    const { asset, buyer, seller } = await market();
    const sell = await placed(seller, limitOrder(asset, 'SELL', 10, 12));
    const buy = await placed(buyer, limitOrder(asset, 'BUY', 10, 12.5));
    for (const order of [await orderOf(buyer, buy), await orderOf(seller, sell)]) {
      expect(order).toMatchObject({
        status: 'EXECUTED',
        filledQuantity: 10,
        averagePrice: 12,
        executedAt: expect.stringMatching(ISO),
      });
      expect(order).not.toHaveProperty('remainingQuantity');
    }
  });

  test.each([
    ['the limit price', 12],
    ['better than the limit price', 11.5],
  ])('PENDING, counter-order found at %s: matched', async (_, price) => {
    const { asset, buyer, seller } = await market();
    const buy = await placed(buyer, limitOrder(asset, 'BUY', 10, 12));
    const worse = await placed(seller, limitOrder(asset, 'SELL', 10, 12.01));
    expect([await orderOf(buyer, buy), await orderOf(seller, worse)]).toMatchObject([
      { status: 'PENDING', filledQuantity: 0 },
      { status: 'PENDING', filledQuantity: 0 },
    ]);
    const counter = await placed(seller, limitOrder(asset, 'SELL', 10, price));
    const matched = { status: 'EXECUTED', filledQuantity: 10, averagePrice: 12 };
    expect([await orderOf(buyer, buy), await orderOf(seller, counter)]).toMatchObject([matched, matched]);
    expect(await orderOf(seller, worse)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
  });

  test('partial fill: PARTIALLY_FILLED, remainingQuantity reported, the order stays open', async () => {
    const { asset, buyer, seller } = await market();
    const buy = await placed(buyer, limitOrder(asset, 'BUY', 10, 12));
    await placed(seller, limitOrder(asset, 'SELL', 4, 12));
    expect(await orderOf(buyer, buy)).toMatchObject({
      status: 'PARTIALLY_FILLED',
      filledQuantity: 4,
      remainingQuantity: 6,
      averagePrice: 12,
    });
    expect((await buyer.get(`/v1/assets/${asset}/book`)).body).toMatchObject({ bids: [{ price: 12, size: 6 }] });
  });

  test('PARTIALLY_FILLED, remaining quantity filled: EXECUTED', async () => {
    const { asset, buyer, seller } = await market();
    const buy = await placed(buyer, limitOrder(asset, 'BUY', 10, 12));
    await placed(seller, limitOrder(asset, 'SELL', 4, 12));
    await placed(seller, limitOrder(asset, 'SELL', 6, 11));
    expect(await orderOf(buyer, buy)).toMatchObject({ status: 'EXECUTED', filledQuantity: 10, averagePrice: 12 });
  });

  test('price-time priority: best price first, at equal price the earlier order', async () => {
    const { asset, buyer, seller } = await market();
    const later = await tradingClient(db, {}, { asset, lots: [{ quantity: 10 }] });
    const dear = await placed(later, limitOrder(asset, 'SELL', 1, 11));
    const first = await placed(seller, limitOrder(asset, 'SELL', 1, 10));
    const second = await placed(later, limitOrder(asset, 'SELL', 1, 10));
    await placed(buyer, limitOrder(asset, 'BUY', 1, 11));
    expect([await orderOf(seller, first), await orderOf(later, second), await orderOf(later, dear)]).toMatchObject([
      { status: 'EXECUTED' },
      { status: 'PENDING' },
      { status: 'PENDING' },
    ]);
  });
});

describe('time in force', () => {
  test('IOC: fill what is available, cancel the rest', async () => {
    const { asset, buyer, seller } = await market();
    await placed(seller, limitOrder(asset, 'SELL', 4, 10));
    const orderId = await placed(buyer, { ...limitOrder(asset, 'BUY', 10, 10), timeInForce: 'IOC' });
    expect(await orderOf(buyer, orderId)).toMatchObject({
      status: 'CANCELLED',
      filledQuantity: 4,
      cancelledAt: expect.stringMatching(ISO),
    });
  });

  test.each([
    ['POST_ONLY', 'POST_ONLY_WOULD_TAKE', 1],
    ['FOK', 'FOK_NOT_FILLABLE', 10],
  ])('%s that cannot be: 400 %s, kept as REJECTED', async (timeInForce, code, quantity) => {
    const { asset, buyer, seller } = await market();
    await placed(seller, limitOrder(asset, 'SELL', 4, 10));
    const { status, body } = await buyer.post<ErrorBody>('/v1/orders', {
      ...limitOrder(asset, 'BUY', quantity, 10),
      timeInForce,
    });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code });
    expect(await orderOf(buyer, body.error.details.orderId as string)).toMatchObject({
      status: 'REJECTED',
      code,
      filledQuantity: 0,
    });
  });

  test.each([
    ['PENDING', 0],
    ['PARTIALLY_FILLED', 2],
  ])('%s, expiry: CANCELLED', async (status, filled) => {
    const { asset, buyer, seller } = await market();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const orderId = await placed(buyer, { ...limitOrder(asset, 'BUY', 5, 10), timeInForce: 'GTD', expiresAt });
    if (filled > 0) await placed(seller, limitOrder(asset, 'SELL', filled, 10));
    expect(await orderOf(buyer, orderId)).toMatchObject({ status });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    await runDurableObjectAlarm(env.ORDER_BOOK.getByName(`${asset.toUpperCase()}-USD`));
    await expect.poll(() => orderOf(buyer, orderId)).toMatchObject({ status: 'CANCELLED', filledQuantity: filled });
  });
});

describe('DELETE /v1/orders/{id}', () => {
  test('PENDING, user cancels: CANCELLED with cancelledAt, what it held is free again', async () => {
    const { asset, buyer } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    const answer = await buyer.delete<{ data: { cancelledAt: string } }>(`/v1/orders/${orderId}`);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      data: { orderId, status: 'CANCELLED', cancelledAt: expect.stringMatching(ISO), filledQuantity: 0 },
      message: 'ok',
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({
      status: 'CANCELLED',
      cancelledAt: answer.body.data.cancelledAt,
    });
    expect((await buyer.get('/v1/account')).body).toMatchObject({
      data: { cashBalance: 1_000_000, buyingPower: 1_000_000 },
    });
  });

  test('PARTIALLY_FILLED, user cancels: the unfilled portion is cancelled', async () => {
    const { asset, buyer, seller } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await placed(seller, limitOrder(asset, 'SELL', 2, 10));
    expect((await buyer.delete(`/v1/orders/${orderId}`)).body).toMatchObject({
      data: { status: 'CANCELLED', filledQuantity: 2 },
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'CANCELLED', filledQuantity: 2, averagePrice: 10 });
  });

  test('EXECUTED, CANCELLED, REJECTED: cancellation refused with ORDER_NOT_CANCELLABLE, the order unchanged', async () => {
    const { asset, buyer, seller } = await market();
    const executed = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await placed(seller, limitOrder(asset, 'SELL', 5, 10));
    const cancelled = await placed(buyer, limitOrder(asset, 'BUY', 5, 9));
    await buyer.delete(`/v1/orders/${cancelled}`);
    const refused = await buyer.post<ErrorBody>('/v1/orders', limitOrder(asset, 'SELL', 900, 10));
    const states = { EXECUTED: executed, CANCELLED: cancelled, REJECTED: refused.body.error.details.orderId as string };
    for (const [status, orderId] of Object.entries(states)) {
      expect(await buyer.delete(`/v1/orders/${orderId}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'ORDER_NOT_CANCELLABLE', details: { status } } },
      });
      expect(await orderOf(buyer, orderId)).toMatchObject({ status });
    }
  });
});

describe('PUT /v1/orders/{id}', () => {
  test('PENDING, validation passes: PENDING, quantity and limitPrice updated', async () => {
    const { asset, buyer } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    const raised = await buyer.put(`/v1/orders/${orderId}`, { quantity: 8, limitPrice: 11 });
    expect(raised).toMatchObject({
      status: 200,
      body: { data: { orderId, status: 'PENDING', quantity: 8, limitPrice: 11 }, message: 'ok' },
    });
    const lowered = await buyer.put(`/v1/orders/${orderId}`, { quantity: 2 });
    expect(lowered.body).toMatchObject({ data: { quantity: 2, limitPrice: 11 } });
    expect(await orderOf(buyer, orderId)).toMatchObject({ quantity: 2, limitPrice: 11, status: 'PENDING' });
    expect((await buyer.get('/v1/account')).body).toMatchObject({ data: { buyingPower: 1_000_000 - 22 } });
  });

  test.each([
    ['more than the cash', { quantity: 1_000_000 }, 'INSUFFICIENT_BALANCE'],
    ['off the tick', { limitPrice: 10.005 }, 'VALIDATION_ERROR'],
    ['off the lot', { quantity: 5.5 }, 'VALIDATION_ERROR'],
    ['nothing at all', {}, 'VALIDATION_ERROR'],
  ])('PENDING, validation fails (%s): modification rejected, original order unchanged', async (_, body, code) => {
    const { asset, buyer } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    const before = await orderOf(buyer, orderId);
    expect(await buyer.put(`/v1/orders/${orderId}`, body)).toMatchObject({ status: 400, body: { error: { code } } });
    expect(await orderOf(buyer, orderId)).toEqual(before);
    expect((await buyer.get('/v1/account')).body).toMatchObject({ data: { buyingPower: 1_000_000 - 50 } });
  });

  test.each(['stop_loss', 'take_profit'])(
    'limitPrice of a PENDING order that has none (%s) is refused',
    async (type) => {
      const { asset, buyer, seller } = await market();
      await placed(seller, limitOrder(asset, 'SELL', 1, 10));
      await placed(buyer, limitOrder(asset, 'BUY', 1, 10));
      const symbol = `${asset.toUpperCase()}-USD`;
      const { client } = await createKey(db, seller);
      const stopPrice = type === 'stop_loss' ? 9 : 11;
      const stop = { symbol, side: 'sell', type, size: 5, stop_price: stopPrice };
      const orderId = String((await client.post('/v1/orders', stop)).body.order_id);
      const before = await orderOf(seller, orderId);
      expect(before).toMatchObject({ status: 'PENDING', orderType: 'market' });
      expect(await seller.put(`/v1/orders/${orderId}`, { limitPrice: 8 })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'no_price' } } },
      });
      expect(await orderOf(seller, orderId)).toEqual(before);
    },
  );

  test('a modification may match', async () => {
    const { asset, buyer, seller } = await market();
    await placed(seller, limitOrder(asset, 'SELL', 5, 11));
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    expect((await buyer.put(`/v1/orders/${orderId}`, { limitPrice: 11 })).body).toMatchObject({
      data: { status: 'EXECUTED', averagePrice: 11 },
    });
  });

  test('partially filled orders cannot be modified: ORDER_NOT_MODIFIABLE', async () => {
    const { asset, buyer, seller } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await placed(seller, limitOrder(asset, 'SELL', 2, 10));
    expect(await buyer.put(`/v1/orders/${orderId}`, { quantity: 10 })).toMatchObject({
      status: 400,
      body: {
        error: { code: 'ORDER_NOT_MODIFIABLE', details: { status: 'PARTIALLY_FILLED', reason: 'partially_filled' } },
      },
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({ quantity: 5 });
  });

  test('EXECUTED and CANCELLED orders cannot be modified: ORDER_NOT_MODIFIABLE', async () => {
    const { asset, buyer, seller } = await market();
    const executed = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await placed(seller, limitOrder(asset, 'SELL', 5, 10));
    const cancelled = await placed(buyer, limitOrder(asset, 'BUY', 5, 9));
    await buyer.delete(`/v1/orders/${cancelled}`);
    for (const orderId of [executed, cancelled]) {
      expect(await buyer.put(`/v1/orders/${orderId}`, { quantity: 10 })).toMatchObject({
        status: 400,
        body: { error: { code: 'ORDER_NOT_MODIFIABLE', details: { reason: 'final' } } },
      });
    }
  });

  test.each([
    [
      'accreditation',
      { accreditationType: '506b' as const },
      { accreditationStatus: 'expired' } as Partial<ComplianceFacts>,
      'ACCREDITATION_REQUIRED',
    ],
    ['identity verification', {}, { kycStatus: 'rejected' } as Partial<ComplianceFacts>, 'FORBIDDEN'],
  ])('all validation checks run again: %s', async (_, assetTerms, facts, code) => {
    const symbol = `AGAIN${nextPair++}`;
    await createPair(db, symbol, { asset: assetTerms });
    const buyer = await tradingClient(db, {
      cash: 100_00,
      accreditationStatus: 'completed',
      accreditationType: '506b',
    });
    const orderId = await placed(buyer, limitOrder(symbol.toLowerCase(), 'BUY', 5, 10));
    await setFacts(buyer.accountId, facts);
    expect(await buyer.put(`/v1/orders/${orderId}`, { quantity: 4 })).toMatchObject({ body: { error: { code } } });
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', quantity: 5 });
  });

  test.each([
    ['no longer tradeable', { tradeable: false }],
    ['suspended', { status: 'SUSPENDED' }],
  ] as const)('all validation checks run again: an asset that is %s is ASSET_NOT_TRADEABLE', async (_, terms) => {
    const { asset, buyer } = await market();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await db.update(assets).set(terms).where(eq(assets.id, asset));
    await setRules(`${asset.toUpperCase()}-USD`, { quantityMax: 1_000 });
    expect(await buyer.put(`/v1/orders/${orderId}`, { quantity: 4 })).toMatchObject({
      status: 400,
      body: { error: { code: 'ASSET_NOT_TRADEABLE', details: { reason: 'asset_not_open' } } },
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', quantity: 5 });
  });

  test('all validation checks run again: what a SELL order is raised to must be owned', async () => {
    const { asset, seller } = await market();
    const orderId = await placed(seller, limitOrder(asset, 'SELL', 1_000, 10));
    expect(await seller.put(`/v1/orders/${orderId}`, { quantity: 1_001 })).toMatchObject({
      status: 400,
      body: { error: { code: 'INSUFFICIENT_BALANCE', details: { asset: asset.toUpperCase() } } },
    });
    expect(await orderOf(seller, orderId)).toMatchObject({ status: 'PENDING', quantity: 1_000 });
  });
});

test("another user's order does not exist: 404 ORDER_NOT_FOUND for GET, PUT and DELETE", async () => {
  const { asset, buyer, seller } = await market();
  const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
  const found = { status: 404, body: { error: { code: 'ORDER_NOT_FOUND' } } };
  for (const id of [orderId, 'no-order-at-all']) {
    expect(await seller.get(`/v1/orders/${id}`)).toMatchObject(found);
    expect(await seller.put(`/v1/orders/${id}`, { quantity: 1 })).toMatchObject(found);
    expect(await seller.delete(`/v1/orders/${id}`)).toMatchObject(found);
  }
  expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', quantity: 5 });
  expect((await seller.get<{ data: unknown[] }>('/v1/orders')).body.data).toEqual([]);
});

describe('GET /v1/orders', () => {
  test('status: PENDING lists what is not final, EXECUTED, CANCELLED, ALL; the default is ALL', async () => {
    const { asset, buyer, seller } = await market();
    const partly = await placed(buyer, limitOrder(asset, 'BUY', 5, 10));
    await placed(seller, limitOrder(asset, 'SELL', 2, 10));
    const pending = await placed(buyer, limitOrder(asset, 'BUY', 1, 8));
    const cancelled = await placed(buyer, limitOrder(asset, 'BUY', 1, 7));
    await buyer.delete(`/v1/orders/${cancelled}`);
    await placed(seller, limitOrder(asset, 'SELL', 1, 12));
    const executed = await placed(buyer, limitOrder(asset, 'BUY', 1, 12));
    const refused = await buyer.post<ErrorBody>('/v1/orders', limitOrder(asset, 'SELL', 900, 10));
    const rejected = refused.body.error.details.orderId as string;
    const ids = async (query: string) => {
      const { body } = await buyer.get<{ data: { orderId: string }[]; message: string }>(`/v1/orders${query}`);
      expect(body.message).toBe('ok');
      return body.data.map(({ orderId }) => orderId);
    };
    expect(await ids('?status=PENDING')).toEqual([pending, partly]);
    expect(await ids('?status=EXECUTED')).toEqual([executed]);
    expect(await ids('?status=CANCELLED')).toEqual([cancelled]);
    expect(await ids('?status=PARTIALLY_FILLED')).toEqual([partly]);
    expect(await ids('?status=REJECTED')).toEqual([rejected]);
    expect(await ids('?status=MATCHED')).toEqual([]);
    expect(await ids('?status=ALL')).toEqual([rejected, executed, cancelled, pending, partly]);
    expect(await ids('')).toEqual([rejected, executed, cancelled, pending, partly]);
    expect((await buyer.get('/v1/orders?status=OPEN')).status).toBe(400);
  });

  test('assetId lists the orders of one asset', async () => {
    const { asset, buyer } = await market();
    const other = await market();
    await placed(buyer, limitOrder(asset, 'BUY', 1, 1));
    const wanted = await placed(buyer, limitOrder(other.asset, 'BUY', 1, 1));
    expect((await buyer.get(`/v1/orders?assetId=${other.asset}`)).body).toMatchObject({
      data: [{ orderId: wanted, assetId: other.asset }],
    });
  });

  test('from and to list what was placed between them, open or final, with pages', async () => {
    const { asset, buyer } = await market();
    const placedAt = async (price: number) => {
      const orderId = await placed(buyer, limitOrder(asset, 'BUY', 1, price));
      await scheduler.wait(2);
      return { orderId, createdAt: String((await orderOf(buyer, orderId)).createdAt) };
    };
    const [before, first, second, after] = [await placedAt(1), await placedAt(2), await placedAt(3), await placedAt(4)];
    await buyer.delete(`/v1/orders/${second.orderId}`);
    const ids = async (query: string) => {
      const { body } = await buyer.get<{ data: { orderId: string }[] }>(`/v1/orders${query}`);
      return body.data.map(({ orderId }) => orderId);
    };
    const range = `from=${first.createdAt}&to=${after.createdAt}`;
    expect(await ids(`?${range}`)).toEqual([second.orderId, first.orderId]);
    expect(await ids(`?${range}&status=PENDING`)).toEqual([first.orderId]);
    expect(await ids(`?${range}&status=CANCELLED`)).toEqual([second.orderId]);
    expect(await ids(`?${range}&limit=1&cursor=${second.orderId}`)).toEqual([first.orderId]);
    expect(await ids(`?${range}&cursor=${first.orderId}`)).toEqual([]);
    expect(await ids(`?to=${first.createdAt}`)).toEqual([before.orderId]);
    expect(await ids('?to=2020-01-01')).toEqual([]);
    expect(await ids('?from=2020-01-01')).toHaveLength(4);
    expect((await buyer.get('/v1/orders?from=yesterday')).status).toBe(400);
  });

  test('limit and cursor page through the list, Link rel=next leads on', async () => {
    const { asset, buyer } = await market();
    const ids: string[] = [];
    for (let price = 1; price <= 5; price++) ids.unshift(await placed(buyer, limitOrder(asset, 'BUY', 1, price)));
    const seen: string[] = [];
    let path: string | undefined = '/v1/orders?limit=2';
    let pages = 0;
    while (path !== undefined) {
      const answer: Awaited<ReturnType<typeof buyer.get<{ data: { orderId: string }[] }>>> = await buyer.get(path);
      seen.push(...answer.body.data.map(({ orderId }) => orderId));
      path = /<[^>]*\/exchange([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(seen).toEqual(ids);
    expect(pages).toBe(3);
    expect((await buyer.get('/v1/orders?limit=1001')).status).toBe(400);
  });
});

test('after all of it the ledger is right', async () => {
  await expectRightLedger();
});
