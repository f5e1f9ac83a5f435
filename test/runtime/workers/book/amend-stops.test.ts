import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { anyone, type KeyHolder } from '../../fixtures/book-client.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let freshPair: BuyerAndSeller['freshPair'];

beforeAll(async () => {
  db = await migrate();
  ({ buyer, seller, freshPair } = await createBuyerAndSeller(db, 'AS'));
});

/** A market whose last trade was at 10.00, its reference price. */
async function tradedPair(): Promise<string> {
  const symbol = await freshPair({ market: { referencePrice: 10_00 } });
  await trade(symbol, 10);
  return symbol;
}

async function trade(symbol: string, price: number): Promise<void> {
  for (const [holder, side] of [
    [seller, 'sell'],
    [buyer, 'buy'],
  ] as const)
    await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size: 1, price });
}

async function stopOf(symbol: string, terms: object): Promise<string> {
  const stop = { symbol, side: 'buy', type: 'stop_loss_limit', size: 2, price: 12, stop_price: 11, ...terms };
  const { body } = await buyer.client.post('/v1/orders', stop);
  expect(body).toMatchObject({ status: 'pending_trigger' });
  return body.order_id as string;
}

const read = async (id: string) => (await buyer.client.get(`/v1/orders/${id}`)).body;

async function held(): Promise<unknown> {
  const { body } = await buyer.client.get('/v1/account/balances');
  return (body.balances as { asset: string; locked: unknown }[]).find(({ asset }) => asset === 'USD')?.locked;
}

describe('a stop that awaits its trigger', () => {
  it('is amended in size, price and trigger, and triggers at the new one', async () => {
    const symbol = await tradedPair();
    const id = await stopOf(symbol, {});
    const answer = await buyer.client.patch(`/v1/orders/${id}`, { size: 3, price: 13, stop_price: 11.5 });
    expect(answer).toMatchObject({ status: 200, body: { size: 3, price: 13, status: 'pending_trigger' } });
    expect(await read(id)).toMatchObject({ size: 3, price: 13, stop_price: 11.5, status: 'pending_trigger' });
    await trade(symbol, 11);
    expect(await read(id)).toMatchObject({ status: 'pending_trigger' });
    await trade(symbol, 11.5);
    expect(await read(id)).toMatchObject({ status: 'open', stop_price: 11.5 });
    await buyer.client.delete(`/v1/orders/${id}`);
    expect(await read(id)).toMatchObject({ status: 'cancelled', size: 3, price: 13, stop_price: 11.5 });
    await expectRightLedger();
  });

  it('without a limit holds the collar around its new trigger', async () => {
    const symbol = await tradedPair();
    const id = await stopOf(symbol, { type: 'stop_loss', price: undefined });
    const answer = await buyer.client.patch(`/v1/orders/${id}`, { stop_price: 20 });
    expect(answer).toMatchObject({ status: 200, body: { price: null } });
    expect(await held()).toEqual(42);
    expect(await read(id)).toMatchObject({ price: null, stop_price: 20 });
    expect(await buyer.client.patch(`/v1/orders/${id}`, { price: 12 })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'no_price' } } },
    });
    await buyer.client.delete(`/v1/orders/${id}`);
    await expectRightLedger();
  });

  it('triggers at once where its new trigger is reached already', async () => {
    const symbol = await tradedPair();
    const id = await stopOf(symbol, { side: 'buy' });
    const answer = await buyer.client.patch(`/v1/orders/${id}`, { stop_price: 10 });
    expect(answer).toMatchObject({ status: 200, body: { status: 'open' } });
    expect((await anyone().get(`/v1/orderbook/${symbol}`)).body).toMatchObject({ bids: [{ price: 12, size: 2 }] });
    expect(await buyer.client.patch(`/v1/orders/${id}`, { stop_price: 9 })).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'no_stop_price' } } },
    });
    await buyer.client.delete(`/v1/orders/${id}`);
    await expectRightLedger();
  });

  it('is amended through profile A as well', async () => {
    const id = await stopOf(await tradedPair(), {});
    const client = await signedIn(buyer);
    const answer = await client.put(`/v1/orders/${id}`, { stopPrice: 11.25, quantity: 1, limitPrice: 11.75 });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'PENDING', quantity: 1, limitPrice: 11.75, stopPrice: 11.25 } },
    });
    await buyer.client.delete(`/v1/orders/${id}`);
  });
});

describe('a stop price without a stop type', () => {
  it.each(['limit', 'limit_maker', 'market'])(
    'is refused in an order of type %s, whatever else it says',
    async (type) => {
      const symbol = await tradedPair();
      const price = type === 'market' ? undefined : 9;
      const order = { symbol, side: 'buy', type, size: 1, price, stop_price: 9 };
      expect(await buyer.client.post('/v1/orders', order)).toMatchObject({
        status: 400,
        body: { error: { details: { reason: 'unexpected_field', field: 'stop_price' } } },
      });
    },
  );

  it.each(['stopPrice', 'stop_price', 'type', 'price'])(
    'is refused in profile A as any field that it does not have: %s',
    async (field) => {
      const symbol = await tradedPair();
      const assetId = symbol.replace('-USD', '').toLowerCase();
      const client = await signedIn(buyer);
      const order = { assetId, side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 9, [field]: 9 };
      expect(await client.post('/v1/orders', order)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR' } },
      });
      const { body } = await client.get<{ data: unknown[] }>(`/v1/orders?assetId=${assetId}&status=PENDING`);
      expect(body.data).toEqual([]);
    },
  );
});
