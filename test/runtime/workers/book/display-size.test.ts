import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let symbol: string;
let holder: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  symbol = (await createPair(db, 'ICE')).symbol;
  holder = await createKeyHolder(db, { cash: 1_000_000_00 });
});

const bid = (price: number, display: number) => ({
  symbol,
  side: 'buy',
  type: 'limit',
  size: 100,
  price,
  display_size: display,
});

describe('hidden and iceberg orders', () => {
  it('come in by a gateway, and the book shows no more than they say', async () => {
    const gateway = { 'x-gateway-secret': env.GATEWAY_SECRET };
    const batch = { orders: [bid(10, 0), bid(9, 25)] };
    const { status, body } = await holder.client.post('/v1/orders/batch', batch, gateway);
    expect([status, body.results]).toMatchObject([200, [{ order: { size: 100 } }, { order: { size: 100 } }]]);
    const book = await anyone().get(`/v1/orderbook/${symbol}`);
    expect(book.body.bids).toEqual([{ price: 9, size: 25 }]);
  });

  it('have no field for anybody else', async () => {
    const { body } = await holder.client.post('/v1/orders/batch', { orders: [bid(8, 0)] });
    expect(body.results).toMatchObject([{ error: { code: 'VALIDATION_ERROR' } }]);
    expect((await holder.client.post('/v1/orders', bid(8, 0))).status).toBe(400);
  });
});
