import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let symbol: string;
let buyer: KeyHolder;
let seller: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  const pair = await createPair(db, 'FIL', { market: { makerFeeBps: 0, takerFeeBps: 10 } });
  symbol = pair.symbol;
  [buyer, seller] = await Promise.all([createKeyHolder(db, { cash: 1_000_000_00 }), createKeyHolder(db)]);
  await giveHolding({ accountId: seller.accountId, asset: pair.baseAsset, lots: [{ quantity: 1_000 }] });
});

async function place(holder: KeyHolder, side: 'buy' | 'sell', size: number, clientOrderId?: string): Promise<unknown> {
  const order = { symbol, side, type: 'limit', size, price: 10, client_order_id: clientOrderId ?? null };
  const { status, body } = await holder.client.post('/v1/orders', order);
  expect(status).toBe(200);
  return body.order_id;
}

interface WireFill {
  readonly trade_id: string;
  readonly order_id: string;
  readonly side: string;
  readonly size: number;
  readonly filled_size: number;
  readonly remaining_size: number;
  readonly adjustment_sequence: number;
}

async function fillsOf(holder: KeyHolder, query = ''): Promise<WireFill[]> {
  const { status, body } = await holder.client.get(`/v1/fills${query}`);
  expect(status).toBe(200);
  return body.fills as WireFill[];
}

describe('GET /v1/fills', () => {
  it('shows each side its own fills, with fee and liquidity, as soon as the order is acknowledged', async () => {
    const resting = await place(seller, 'sell', 5);
    const taking = await place(buyer, 'buy', 5);
    const fill = { symbol, price: 10, size: 5 };
    expect(await fillsOf(buyer)).toMatchObject([
      { ...fill, order_id: taking, side: 'buy', liquidity: 'taker', fee: 0.05 },
    ]);
    expect(await fillsOf(seller)).toMatchObject([
      { ...fill, order_id: resting, side: 'sell', liquidity: 'maker', fee: 0 },
    ]);
  });

  it('goes on after the cursor, oldest first, page by page', async () => {
    const before = (await fillsOf(buyer)).at(-1)?.trade_id;
    for (const size of [1, 2, 3]) {
      await place(seller, 'sell', size);
      await place(buyer, 'buy', size);
    }
    const later = await fillsOf(buyer, `?cursor=${before}`);
    expect(later.map(({ size }) => size)).toEqual([1, 2, 3]);
    const first = await buyer.client.get(`/v1/fills?cursor=${before}&limit=2`);
    expect((first.body.fills as WireFill[]).map(({ size }) => size)).toEqual([1, 2]);
    expect(first.headers.get('link')).toContain(`cursor=${later[1]?.trade_id}`);
    expect(await fillsOf(buyer, `?cursor=${later[1]?.trade_id}&symbol=${symbol}`)).toMatchObject([{ size: 3 }]);
  });

  it('begins with the newest where the caller asks for it, and goes on to older ones page by page', async () => {
    const all = (await fillsOf(buyer)).map(({ trade_id }) => trade_id).reverse();
    const page = (query: string) => buyer.client.get(`/v1/fills?order=newest_first&limit=2${query}`);
    const first = await page('');
    const ids = (body: unknown) => (body as { fills: WireFill[] }).fills.map(({ trade_id }) => trade_id);
    expect(ids(first.body)).toEqual(all.slice(0, 2));
    expect(first.headers.get('link')).toContain(`cursor=${all[1]}`);
    expect(ids((await page(`&cursor=${all[1]}`)).body)).toEqual(all.slice(2, 4));
    expect((await buyer.client.get('/v1/fills?order=newest')).status).toBe(400);
  });

  it('says what each order had filled with it and had left, as the book knew it: amended and decremented since', async () => {
    const resting = await place(seller, 'sell', 10);
    await place(buyer, 'buy', 4);
    expect((await seller.client.patch(`/v1/orders/${resting}`, { size: 7 })).status).toBe(200);
    const own = { symbol, side: 'buy', type: 'limit', size: 1, price: 10, self_trade_prevention: 'decrement' };
    expect((await seller.client.post('/v1/orders', own)).status).toBe(200);
    await place(buyer, 'buy', 2);
    const progress = (await fillsOf(seller, `?order_id=${resting}`)).map(({ filled_size, remaining_size }) => [
      filled_size,
      remaining_size,
    ]);
    expect(progress).toEqual([
      [4, 6],
      [6, 0],
    ]);
    expect((await fillsOf(buyer)).slice(-2)).toMatchObject([
      { size: 4, filled_size: 4, remaining_size: 0 },
      { size: 2, filled_size: 2, remaining_size: 0 },
    ]);
  });

  it('with order_id shows the fills of that order alone', async () => {
    const resting = await place(seller, 'sell', 3);
    for (const size of [1, 2]) await place(buyer, 'buy', size);
    expect((await fillsOf(seller, `?order_id=${resting}`)).map(({ size }) => size)).toEqual([1, 2]);
    expect(await fillsOf(buyer, `?order_id=${resting}`)).toEqual([]);
  });

  it('refuses an unknown symbol', async () => {
    const { status, body } = await buyer.client.get('/v1/fills?symbol=NOPE-USD');
    expect([status, (body.error as { code: string }).code]).toEqual([400, 'INVALID_SYMBOL']);
  });
});

describe('GET /v1/fills/adjusted', () => {
  const adjustedOf = async ({ client }: KeyHolder, query = '') => {
    const { status, body, headers } = await client.get(`/v1/fills/adjusted${query}`);
    expect(status).toBe(200);
    return { fills: body.fills as WireFill[], next: headers.get('link') };
  };

  it('lists what was taken back or corrected, in the sequence in which it was, whatever the age of the trade', async () => {
    const made = await Promise.all([createKeyHolder(db, { cash: 1_000_00 }), createKeyHolder(db, { cash: 1_000_00 })]);
    const [from, to] = made;
    await giveHolding({
      accountId: from.accountId,
      asset: symbol.split('-')[0]?.toLowerCase() ?? '',
      lots: [{ quantity: 9 }],
    });
    for (const size of [1, 2, 3]) {
      await place(from, 'sell', size);
      await place(to, 'buy', size);
    }
    const [first, second, third] = (await fillsOf(to)).map(({ trade_id }) => trade_id);
    const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const adjust = async (trade: string | undefined, how: 'bust' | 'correction', body: object) => {
      const path = `/v1/operator/trades/${trade}/${how}`;
      const answer = await operator.post(path, { reason: 'erroneous', ...body }, { 'idempotency-key': uuidv7() });
      expect(answer.status).toBe(200);
    };
    await adjust(third, 'bust', {});
    await adjust(first, 'correction', { price: 9 });
    await adjust(second, 'bust', {});
    const { fills, next } = await adjustedOf(to);
    expect(next).toBeNull();
    expect(fills).toMatchObject([
      { trade_id: third, side: 'buy', status: 'bust', size: 3, filled_size: 3, corrected_fee: 0 },
      { trade_id: first, status: 'correction', price: 10, corrected_price: 9, adjusted_at: expect.any(Number) },
      { trade_id: second, status: 'bust' },
    ]);
    const page = await adjustedOf(to, '?limit=2');
    expect(page.fills).toEqual(fills.slice(0, 2));
    expect(page.next).toContain(`cursor=${fills[1]?.adjustment_sequence}`);
    expect((await adjustedOf(to, `?cursor=${fills[1]?.adjustment_sequence}`)).fills).toEqual(fills.slice(2));
    expect((await adjustedOf(from)).fills.map(({ trade_id, side }) => [trade_id, side])).toEqual(
      [third, first, second].map((trade) => [trade, 'sell']),
    );
    expect((await adjustedOf(buyer)).fills).toEqual([]);
    const shown = await to.client.get(`/v1/trades/${symbol}?limit=3`);
    expect((shown.body.trades as object[]).toReversed()).toMatchObject([
      { trade_id: first, status: 'correction', corrected_price: 9 },
      { trade_id: second, status: 'bust', corrected_price: null, adjusted_at: expect.any(Number) },
      { trade_id: third, status: 'bust' },
    ]);
  });
});

describe('GET /v1/orders?client_order_id=', () => {
  it('finds the one order that carries it', async () => {
    const orderId = await place(buyer, 'buy', 1, 'mine-1');
    await place(buyer, 'buy', 1, 'mine-2');
    const { body } = await buyer.client.get('/v1/orders?client_order_id=mine-1');
    expect(body.orders).toMatchObject([{ order_id: orderId, client_order_id: 'mine-1' }]);
    expect((await seller.client.get('/v1/orders?client_order_id=mine-1')).body.orders).toEqual([]);
  });
});
