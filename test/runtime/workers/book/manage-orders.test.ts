import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { findCalledOrder } from '../../../../application/order-entry/find-called-order.ts';
import type { Database } from '../../../../data/database.ts';
import { type Answer, anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { place as placement } from '../../fixtures/book-commands.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { agentOf } from '../agent/agent-client.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

let pairs = 0;
/** A pair, a buyer and a seller that no other test knows. */
async function freshMarket(): Promise<{ symbol: string; buyer: KeyHolder; seller: KeyHolder }> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `MO${pairs}`);
  const [buyer, seller] = await Promise.all([createKeyHolder(db, { cash: 1_000_000_00 }), createKeyHolder(db)]);
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 1_000 }] });
  return { symbol, buyer, seller };
}

const limit = (symbol: string, side: 'buy' | 'sell', size: number, price: number) => ({
  symbol,
  side,
  type: 'limit',
  size,
  price,
});

function place(holder: KeyHolder, order: ReturnType<typeof limit> & Record<string, unknown>): Promise<Answer> {
  return holder.client.post('/v1/orders', order);
}

async function idOf(placed: Promise<Answer>): Promise<string> {
  return String((await placed).body.order_id);
}

async function listed(holder: KeyHolder, query: string): Promise<unknown[]> {
  const { status, body } = await holder.client.get(`/v1/orders${query}`);
  expect(status).toBe(200);
  return (body.orders as { order_id: string }[]).map(({ order_id }) => order_id);
}

async function freeCash(holder: KeyHolder): Promise<unknown> {
  const { body } = await holder.client.get('/v1/account/balances');
  return (body.balances as { asset: string; free: number }[]).find(({ asset }) => asset === 'USD')?.free;
}

describe('an order from which self-trade prevention has taken', () => {
  it('X-17: is answered with what is left of it, after an amendment, a fill and its end', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    await giveBalance({ accountId: seller.accountId, asset: 'usd', amount: 1_000_00 });
    const id = await idOf(place(seller, limit(symbol, 'sell', 20, 11)));
    const own = { ...limit(symbol, 'buy', 2, 11), time_in_force: 'IOC', self_trade_prevention: 'decrement' };
    await place(seller, own);
    const path = `/v1/orders/${id}`;
    const ofProfileA = await (await signedIn(seller)).get(`/v1/orders/${id}`);
    expect(ofProfileA.body).toMatchObject({
      data: { status: 'PENDING', quantity: 20, filledQuantity: 0, remainingQuantity: 18 },
    });
    const { structured } = await (await agentOf(seller)).tool('get_open_orders', { symbol });
    expect(structured).toMatchObject({ orders: [{ quantity: '20', filledQuantity: '0', remainingQuantity: '18' }] });
    expect((await seller.client.patch(path, { price: 10 })).body).toMatchObject({ filled_size: 0, remaining_size: 18 });
    await place(buyer, limit(symbol, 'buy', 5, 10));
    const amended = await seller.client.patch(path, { price: 12 });
    expect(amended.body).toMatchObject({ status: 'partially_filled', filled_size: 5, remaining_size: 13 });
    expect((await seller.client.delete(path)).body).toMatchObject({ status: 'cancelled', remaining_size: 0 });
  });
});

describe('X-17: an order that is changed or cancelled is answered as it is read', () => {
  const named = <Body extends object>(body: Body, name: string) => ({
    ...body,
    client_order_id: `${name}-${crypto.randomUUID()}`,
  });

  it.each([
    ['a limit', {}, { size: 4 }, { size: 4, stop_price: null }],
    ['one with a time', { time_in_force: 'GTD', expires_at: Date.now() + 3_600_000 }, { price: 9 }, { price: 9 }],
    ['a stop', { type: 'stop_loss_limit', stop_price: 12 }, { stop_price: 13 }, { stop_price: 13 }],
  ])('%s', async (_, terms, change, changed) => {
    const { symbol, buyer } = await freshMarket();
    const read = async (id: string) => (await buyer.client.get(`/v1/orders/${id}`)).body;
    const placed = (await place(buyer, named({ ...limit(symbol, 'buy', 5, 10), ...terms }, 'changed'))).body;
    const id = String(placed.order_id);
    expect(await read(id)).toEqual(placed);
    const amended = await buyer.client.patch(`/v1/orders/${id}`, change);
    expect(amended).toMatchObject({ status: 200, body: changed });
    expect(amended.body).toEqual(await read(id));
    const cancelled = await buyer.client.delete(`/v1/orders/${id}`);
    expect(cancelled).toMatchObject({ status: 200, body: { ...changed, status: 'cancelled', side: 'buy' } });
    expect(cancelled.body).toEqual(await read(id));
  });

  it('by its client order id, and in a batch', async () => {
    const { symbol, buyer } = await freshMarket();
    const read = async (id: unknown) => (await buyer.client.get(`/v1/orders/${id}`)).body;
    const [one, two] = [
      (await place(buyer, named(limit(symbol, 'buy', 1, 10), 'by-name'))).body,
      (await place(buyer, limit(symbol, 'buy', 1, 10))).body,
    ];
    const byName = await buyer.client.delete(`/v1/orders/client/${one.client_order_id}`);
    expect(byName.body).toEqual(await read(one.order_id));
    const batch = await buyer.client.delete('/v1/orders/batch', { order_ids: [two.order_id] });
    expect(batch.body).toEqual({ results: [{ order: await read(two.order_id) }] });
  });

  it('a repetition means no order that was placed after it under the same client order id', async () => {
    const { symbol, buyer } = await freshMarket();
    const body = named(limit(symbol, 'buy', 1, 10), 'again');
    const before = uuidv7();
    const id = await idOf(place(buyer, body));
    const after = uuidv7();
    const find = (placedBefore: string | null) =>
      findCalledOrder(env, buyer.accountId, body.client_order_id, placedBefore);
    for (const state of ['open', 'cancelled']) {
      expect(await find(null), state).toEqual({ ok: true, value: id });
      expect(await find(after), state).toEqual({ ok: true, value: id });
      expect(await find(before), state).toEqual({ ok: false, error: { reason: 'order_not_found' } });
      await buyer.client.delete(`/v1/orders/${id}`);
    }
  });
});

describe('GET /v1/orders', () => {
  it('lists orders by state, newest first; open means every order that is not final', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const filled = await idOf(place(seller, limit(symbol, 'sell', 1, 10)));
    await place(buyer, limit(symbol, 'buy', 1, 10));
    const partial = await idOf(place(seller, limit(symbol, 'sell', 5, 10)));
    await place(buyer, limit(symbol, 'buy', 2, 10));
    const pending = await idOf(
      place(seller, { ...limit(symbol, 'sell', 1, 5), type: 'stop_loss_limit', stop_price: 6 }),
    );
    const cancelled = await idOf(place(seller, limit(symbol, 'sell', 1, 11)));
    await seller.client.delete(`/v1/orders/${cancelled}`);
    const rejected = await place(seller, { ...limit(symbol, 'sell', 9, 20), time_in_force: 'FOK' });
    const rejectedId = (rejected.body.error as { details: { order_id: string } }).details.order_id;
    const open = await idOf(place(seller, limit(symbol, 'sell', 1, 12)));

    expect(await listed(seller, '?status=open')).toEqual([open, pending, partial]);
    expect(await listed(seller, '?status=partially_filled')).toEqual([partial]);
    expect(await listed(seller, '?status=pending_trigger')).toEqual([pending]);
    expect(await listed(seller, '?status=filled')).toEqual([filled]);
    expect(await listed(seller, '?status=cancelled')).toEqual([cancelled]);
    expect(await listed(seller, '?status=rejected')).toEqual([rejectedId]);
    expect(await listed(seller, '?status=expired')).toEqual([]);
    expect((await listed(seller, '?status=done')).toSorted()).toEqual([filled, cancelled].toSorted());
    expect(await listed(seller, '')).toEqual([open, rejectedId, cancelled, pending, partial, filled]);
    expect((await seller.client.get('/v1/orders?status=pending')).status).toBe(400);
  });

  it('narrows to a symbol, and refuses one that does not exist with INVALID_SYMBOL', async () => {
    const { symbol, buyer } = await freshMarket();
    const other = await freshMarket();
    const here = await idOf(place(buyer, limit(symbol, 'buy', 1, 1)));
    await place(buyer, limit(other.symbol, 'buy', 1, 1));
    expect(await listed(buyer, `?status=open&symbol=${symbol}`)).toEqual([here]);
    expect(await buyer.client.get('/v1/orders?symbol=NOPE-USD')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_SYMBOL' } },
    });
  });

  it('pages by limit and cursor with a Link header', async () => {
    const { symbol, buyer } = await freshMarket();
    const ids: string[] = [];
    for (let price = 1; price <= 5; price += 1) ids.unshift(await idOf(place(buyer, limit(symbol, 'buy', 1, price))));
    await buyer.client.delete(`/v1/orders/${ids[2]}`);

    const pages: string[][] = [];
    let path: string | undefined = '/v1/orders?limit=2';
    while (path !== undefined) {
      const { body, headers } = await buyer.client.get(path);
      pages.push((body.orders as { order_id: string }[]).map(({ order_id }) => order_id));
      path = /^<http:\/\/localhost\/book([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect((await buyer.client.get('/v1/orders?limit=1001')).status).toBe(400);
  });

  it('sees an order as soon as it is acknowledged', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    for (let round = 0; round < 5; round += 1) {
      await place(seller, limit(symbol, 'sell', 1, 10));
      const taken = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
      expect((await listed(buyer, '?status=filled'))[0]).toBe(taken);
    }
  });
});

describe('GET /v1/orders/{order_id}', () => {
  it("answers ORDER_NOT_FOUND for another account's order and for one that does not exist", async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    expect(await seller.client.get(`/v1/orders/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'ORDER_NOT_FOUND' } },
    });
    expect((await seller.client.get('/v1/orders/nothing')).status).toBe(404);
    expect(await listed(seller, '')).toEqual([]);
  });
});

describe('DELETE /v1/orders/{order_id}', () => {
  it('cancels an open order and gives its hold back', async () => {
    const { symbol, buyer } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 10, 10)));
    expect(await freeCash(buyer)).toBe(999_900);
    const cancelled = await buyer.client.delete(`/v1/orders/${id}`);
    expect(cancelled).toMatchObject({
      status: 200,
      body: { order_id: id, symbol, status: 'cancelled', size: 10, filled_size: 0, price: 10, average_price: null },
    });
    expect((await buyer.client.get(`/v1/orders/${id}`)).body).toMatchObject({ status: 'cancelled', reason: 'user' });
    expect(await freeCash(buyer)).toBe(1_000_000);
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [] });
  });

  it('cancels the unfilled portion of a partially filled order', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 10, 10)));
    await place(seller, limit(symbol, 'sell', 4, 10));
    expect((await buyer.client.delete(`/v1/orders/${id}`)).body).toMatchObject({
      status: 'cancelled',
      filled_size: 4,
      average_price: 10,
    });
    expect(await freeCash(buyer)).toBe(999_960);
  });

  it('cancels a stop that waits for its trigger', async () => {
    const { symbol, buyer } = await freshMarket();
    const id = await idOf(place(buyer, { ...limit(symbol, 'buy', 1, 12), type: 'stop_loss_limit', stop_price: 11 }));
    expect((await buyer.client.delete(`/v1/orders/${id}`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('knows an order on no symbol but its own, be it open or ended, remembered or not', async () => {
    const { symbol, buyer } = await freshMarket();
    const { symbol: another } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    // Another isolate's: this one remembers what it has placed.
    const command = placement(buyer.accountId, 'buy', 1, 9_00, { timeInForce: 'IOC' });
    await env.ORDER_BOOK.getByName(symbol).submit([command]);
    const on = (order: string, where: string) => buyer.client.delete(`/v1/orders/${order}?symbol=${where}`);
    const unknown = { status: 404, body: { error: { code: 'ORDER_NOT_FOUND' } } };
    const ended = { status: 400, body: { error: { code: 'ORDER_NOT_CANCELLABLE', details: { status: 'cancelled' } } } };
    expect(await on(id, another)).toMatchObject(unknown);
    expect(await on(id, symbol)).toMatchObject({ status: 200 });
    for (const order of [id, command.orderId]) {
      await settle(symbol);
      expect(await on(order, another)).toMatchObject(unknown);
      expect(await on(order, symbol)).toMatchObject(ended);
      expect(await on(order, another)).toMatchObject(unknown);
    }
  });

  it('refuses a final order with ORDER_NOT_CANCELLABLE and leaves it unchanged', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    await place(seller, limit(symbol, 'sell', 1, 10));
    const filled = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    const cancelled = await idOf(place(buyer, limit(symbol, 'buy', 1, 9)));
    await buyer.client.delete(`/v1/orders/${cancelled}`);
    for (const [id, status] of [
      [filled, 'filled'],
      [cancelled, 'cancelled'],
    ]) {
      expect(await buyer.client.delete(`/v1/orders/${id}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'ORDER_NOT_CANCELLABLE', details: { status } } },
      });
      expect((await buyer.client.get(`/v1/orders/${id}`)).body).toMatchObject({ status });
    }
  });

  it("answers ORDER_NOT_FOUND for another account's order, which stays", async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    expect(await seller.client.delete(`/v1/orders/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'ORDER_NOT_FOUND' } },
    });
    expect(await listed(buyer, '?status=open')).toEqual([id]);
  });
});

describe('PATCH /v1/orders/{order_id}', () => {
  it('keeps priority when the size is reduced and loses it otherwise', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const first = await idOf(place(seller, limit(symbol, 'sell', 5, 10)));
    const second = await idOf(place(seller, limit(symbol, 'sell', 5, 10)));
    expect(await seller.client.patch(`/v1/orders/${first}`, { size: 4 })).toMatchObject({
      status: 200,
      body: { order_id: first, size: 4, price: 10, status: 'open' },
    });
    await place(buyer, limit(symbol, 'buy', 4, 10));
    expect(await listed(seller, '?status=filled')).toEqual([first]);

    const third = await idOf(place(seller, limit(symbol, 'sell', 5, 10)));
    await seller.client.patch(`/v1/orders/${second}`, { size: 6 });
    await place(buyer, limit(symbol, 'buy', 5, 10));
    expect(await listed(seller, '?status=filled')).toEqual([third, first]);
  });

  it('moves the price, matches at once where it crosses, and adjusts the hold', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    await place(seller, limit(symbol, 'sell', 4, 12));
    const id = await idOf(place(buyer, limit(symbol, 'buy', 10, 10)));
    expect((await buyer.client.patch(`/v1/orders/${id}`, { price: 12 })).body).toMatchObject({
      status: 'partially_filled',
      price: 12,
      filled_size: 4,
      average_price: 12,
    });
    expect(await freeCash(buyer)).toBe(1_000_000 - 120);
  });

  it('is refused where the new terms break a rule, and the order stays as it was', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 10, 10)));
    await place(seller, limit(symbol, 'sell', 4, 10));
    for (const [change, code] of [
      [{}, 'VALIDATION_ERROR'],
      [{ size: 4 }, 'VALIDATION_ERROR'],
      [{ price: 10.001 }, 'VALIDATION_ERROR'],
      [{ size: 10_000_000 }, 'INSUFFICIENT_BALANCE'],
      [{ stop_price: 4 }, 'VALIDATION_ERROR'],
    ] as const) {
      expect(await buyer.client.patch(`/v1/orders/${id}`, change)).toMatchObject({
        status: 400,
        body: { error: { code } },
      });
    }
    expect((await buyer.client.get(`/v1/orders/${id}`)).body).toMatchObject({ size: 10, price: 10, filled_size: 4 });
    expect(await freeCash(buyer)).toBe(999_900);
  });

  it("is ORDER_NOT_MODIFIABLE for a final order and ORDER_NOT_FOUND for another account's", async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const id = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    expect(await seller.client.patch(`/v1/orders/${id}`, { size: 2 })).toMatchObject({ status: 404 });
    await buyer.client.delete(`/v1/orders/${id}`);
    expect(await buyer.client.patch(`/v1/orders/${id}`, { size: 2 })).toMatchObject({
      status: 400,
      body: { error: { code: 'ORDER_NOT_MODIFIABLE' } },
    });
  });
});

describe('two changes of one order at once', () => {
  it('pass no daily limit of the API key that each of them keeps', async () => {
    pairs += 1;
    const { symbol } = await createPair(db, `TWICE${pairs}`);
    const holder = await createKeyHolder(db, { cash: 100_000_000_00 }, { dailyNotionalMax: 1_000_00 });
    const placed = await holder.client.post('/v1/orders', limit(symbol, 'buy', 10, 10));
    const path = `/v1/orders/${placed.body.order_id}`;
    await Promise.all([holder.client.patch(path, { size: 100 }), holder.client.patch(path, { price: 100 })]);
    const { body } = await holder.client.get(path);
    expect(Number(body.size) * Number(body.price)).toBeLessThanOrEqual(1_000);
  });
});

describe('POST /v1/orders/batch', () => {
  it('answers each order by itself and in sequence', async () => {
    const { symbol, buyer } = await freshMarket();
    const other = await freshMarket();
    const { status, body } = await buyer.client.post('/v1/orders/batch', {
      orders: [
        limit(symbol, 'buy', 1, 10),
        limit('NOPE-USD', 'buy', 1, 10),
        { ...limit(symbol, 'buy', 1, 11), type: 'iceberg' },
        { ...limit(other.symbol, 'buy', 2, 9), client_order_id: 'b-3' },
        limit(symbol, 'buy', 1_000_000, 9),
      ],
    });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { order: { symbol, status: 'open', price: 10 } },
      { error: { code: 'INVALID_SYMBOL' } },
      { error: { code: 'INVALID_ORDER_TYPE' } },
      { order: { symbol: other.symbol, status: 'open', client_order_id: 'b-3', size: 2 } },
      { error: { code: 'INSUFFICIENT_BALANCE' } },
    ]);
    expect(await listed(buyer, '?status=open')).toHaveLength(2);
  });

  it('takes up to 100 orders, keeps their sequence in the book and in the listing', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const orders = Array.from({ length: 100 }, () => limit(symbol, 'buy', 1, 10));
    const { body } = await buyer.client.post('/v1/orders/batch', { orders });
    const ids = (body.results as { order: { order_id: string } }[]).map(({ order }) => order.order_id);
    expect(await listed(buyer, '?status=open')).toEqual(ids.toReversed());
    await place(seller, limit(symbol, 'sell', 3, 10));
    expect(await listed(buyer, '?status=filled')).toEqual(ids.slice(0, 3).toReversed());
    expect((await buyer.client.post('/v1/orders/batch', { orders: [...orders, ...orders.slice(0, 1)] })).status).toBe(
      400,
    );
    expect((await buyer.client.post('/v1/orders/batch', { orders: [] })).status).toBe(400);
  });

  it('places nothing when one of its orders is malformed', async () => {
    const { symbol, buyer } = await freshMarket();
    const orders = [limit(symbol, 'buy', 1, 10), { symbol, side: 'buy' }];
    expect(await buyer.client.post('/v1/orders/batch', { orders })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
    expect(await listed(buyer, '')).toEqual([]);
  });

  it('repeated under its Idempotency-Key places nothing more', async () => {
    const { symbol, buyer } = await freshMarket();
    const batch = { orders: [limit(symbol, 'buy', 1, 10), limit(symbol, 'buy', 1, 9)] };
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await buyer.client.post('/v1/orders/batch', batch, key);
    expect((await buyer.client.post('/v1/orders/batch', batch, key)).body).toEqual(first.body);
    expect(await listed(buyer, '')).toHaveLength(2);
  });

  it('while a book is away is no answer for its Idempotency-Key: the repetition meets the orders', async () => {
    const { symbol: near, buyer } = await freshMarket();
    const { symbol: away } = await freshMarket();
    const batch = { orders: [limit(near, 'buy', 1, 10), limit(away, 'buy', 1, 10)] };
    const key = { 'idempotency-key': crypto.randomUUID() };
    faults.plan = { kills: (point, book) => book === away && point === 'before_commit', ledger: () => 'through' };
    const first = await buyer.client.post('/v1/orders/batch', batch, key).finally(clearFaults);
    expect(first).toMatchObject({
      status: 200,
      body: { results: [{ order: { status: 'open' } }, { error: { code: 'SERVICE_UNAVAILABLE' } }] },
    });
    const placed = (first.body.results as { order: object }[])[0];
    const second = await buyer.client.post('/v1/orders/batch', batch, key);
    expect(second).toMatchObject({
      status: 200,
      body: { results: [placed, { order: { symbol: away, status: 'open' } }] },
    });
    expect((await buyer.client.post('/v1/orders/batch', batch, key)).body).toEqual(second.body);
    for (const symbol of [near, away]) {
      expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [{ price: 10, size: 1 }] });
    }
  });
});

describe('DELETE /v1/orders/batch', () => {
  it('answers each order by itself', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const mine = await idOf(place(buyer, limit(symbol, 'buy', 1, 10)));
    const final = await idOf(place(buyer, { ...limit(symbol, 'buy', 1, 9), time_in_force: 'IOC' }));
    const theirs = await idOf(place(seller, limit(symbol, 'sell', 1, 20)));
    const { status, body } = await buyer.client.delete('/v1/orders/batch', { order_ids: [mine, final, theirs] });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { order: { order_id: mine, status: 'cancelled' } },
      { error: { code: 'ORDER_NOT_CANCELLABLE' } },
      { error: { code: 'ORDER_NOT_FOUND' } },
    ]);
    expect(await listed(seller, '?status=open')).toEqual([theirs]);
  });

  it('takes at most 100 orders', async () => {
    const { buyer } = await freshMarket();
    const ids = Array.from({ length: 101 }, () => crypto.randomUUID());
    expect((await buyer.client.delete('/v1/orders/batch', { order_ids: ids })).status).toBe(400);
    expect((await buyer.client.delete('/v1/orders/batch', { order_ids: ids.slice(1) })).status).toBe(200);
  });
});

describe('DELETE /v1/orders', () => {
  it('narrowed otherwise under the same Idempotency-Key is a conflict', async () => {
    const [here, other] = [await freshMarket(), await freshMarket()];
    const { seller } = here;
    const first = await idOf(place(seller, limit(here.symbol, 'sell', 1, 20)));
    await giveBalance({ accountId: seller.accountId, asset: 'usd', amount: 1_000_00 });
    const second = await idOf(place(seller, limit(other.symbol, 'buy', 1, 10)));
    const key = { 'idempotency-key': crypto.randomUUID() };
    const cancelAll = (symbol: string) => seller.client.delete(`/v1/orders?symbol=${symbol}`, undefined, key);
    expect((await cancelAll(here.symbol)).body).toEqual({ order_ids: [first], pending_order_ids: [] });
    expect(await cancelAll(other.symbol)).toMatchObject({
      status: 422,
      body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    });
    expect(await listed(seller, '?status=open')).toEqual([second]);
  });

  it("cancels every open order of the account and nobody else's", async () => {
    const { symbol, buyer, seller } = await freshMarket();
    const other = await freshMarket();
    const theirs = await idOf(place(seller, limit(symbol, 'sell', 1, 20)));
    const mine = [
      await idOf(place(buyer, limit(symbol, 'buy', 1, 10))),
      await idOf(place(buyer, limit(other.symbol, 'buy', 1, 10))),
    ];
    const { status, body } = await buyer.client.delete('/v1/orders');
    expect(status).toBe(200);
    expect((body.order_ids as string[]).toSorted()).toEqual(mine.toSorted());
    expect(await listed(buyer, '?status=open')).toEqual([]);
    expect(await listed(seller, '?status=open')).toEqual([theirs]);
    expect(await freeCash(buyer)).toBe(1_000_000);
  });

  it('narrows to a symbol and to a side', async () => {
    const { symbol, seller } = await freshMarket();
    const other = await freshMarket();
    await giveBalance({ accountId: seller.accountId, asset: 'usd', amount: 1_000_00 });
    const sell = await idOf(place(seller, limit(symbol, 'sell', 1, 20)));
    const buy = await idOf(place(seller, limit(symbol, 'buy', 1, 10)));
    const elsewhere = await idOf(place(seller, limit(other.symbol, 'buy', 1, 10)));
    expect((await seller.client.delete(`/v1/orders?symbol=${symbol}&side=buy`)).body).toEqual({
      order_ids: [buy],
      pending_order_ids: [],
    });
    expect(await listed(seller, '?status=open')).toEqual([elsewhere, sell]);
    expect(await seller.client.delete('/v1/orders?symbol=NOPE-USD')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_SYMBOL' } },
    });
  });
});

describe('/v1/orders/client/{client_order_id}', () => {
  it('reads and cancels the order of the account that carries the id', async () => {
    const { symbol, buyer } = await freshMarket();
    const orderId = await idOf(place(buyer, { ...limit(symbol, 'buy', 2, 10), client_order_id: 'mine-1' }));
    expect((await buyer.client.get('/v1/orders/client/mine-1')).body).toMatchObject({
      order_id: orderId,
      status: 'open',
    });
    const cancelled = await buyer.client.delete('/v1/orders/client/mine-1');
    expect(cancelled).toMatchObject({ status: 200, body: { order_id: orderId, status: 'cancelled' } });
    expect(await freeCash(buyer)).toBe(1_000_000);
    expect((await buyer.client.get('/v1/orders/client/mine-1')).body).toMatchObject({ status: 'cancelled' });
  });

  it('refuses to cancel what is final, with its state, and knows no order of another account', async () => {
    const { symbol, buyer, seller } = await freshMarket();
    await place(seller, limit(symbol, 'sell', 1, 10));
    await place(buyer, { ...limit(symbol, 'buy', 1, 10), client_order_id: 'mine-2' });
    expect(await buyer.client.delete('/v1/orders/client/mine-2')).toMatchObject({
      status: 400,
      body: { error: { code: 'ORDER_NOT_CANCELLABLE', details: { status: 'filled' } } },
    });
    for (const answer of [
      await seller.client.delete('/v1/orders/client/mine-2'),
      await seller.client.get('/v1/orders/client/mine-2'),
      await buyer.client.delete('/v1/orders/client/nothing'),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'ORDER_NOT_FOUND' } } });
    }
  });

  it('a repetition under the same Idempotency-Key is answered as the first', async () => {
    const { symbol, buyer } = await freshMarket();
    await place(buyer, { ...limit(symbol, 'buy', 2, 10), client_order_id: 'mine-3' });
    const cancel = () =>
      buyer.client.delete('/v1/orders/client/mine-3', undefined, { 'idempotency-key': 'cancel-mine-3' });
    const first = await cancel();
    expect(first.status).toBe(200);
    expect((await cancel()).body).toEqual(first.body);
  });
});
