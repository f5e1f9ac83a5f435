import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
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
  readonly size: number;
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

  it('refuses an unknown symbol', async () => {
    const { status, body } = await buyer.client.get('/v1/fills?symbol=NOPE-USD');
    expect([status, (body.error as { code: string }).code]).toEqual([400, 'INVALID_SYMBOL']);
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
