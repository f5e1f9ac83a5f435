import { beforeAll, describe, expect, it } from 'vitest';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

let trader: Trader;
let session: SignedIn;
let operator: SignedIn;
let key: TestKey;
let symbol: string;
let transfer: string;

const limit = (side: string, price: number) => ({ symbol, side, type: 'limit', price, size: 1, time_in_force: 'GTC' });

async function placed(headers: Readonly<Record<string, string>>, json: object): Promise<string> {
  const { status, body } = await call('POST /book/v1/orders', { headers, json });
  expect(status).toBe(200);
  return (body as { order_id: string }).order_id;
}

beforeAll(async () => {
  const db = await migrate();
  await createApp();
  const { seller, freshPair } = await createBuyerAndSeller(db, 'CASE');
  trader = await createTrader(db, { cash: 10_000 });
  session = await signIn(trader.phone);
  operator = await signIn((await createTrader(db, { roles: ['operator'], owner: 'venue' })).phone);
  key = await createTestKey(trader, { rateLimits: { orders: 1_000, private: 1_000 } });
  symbol = await freshPair();
  await placed(seller.headers, limit('sell', 2));
  await placed(key.headers, limit('buy', 2));
  await settle(symbol);
  const asked = await call('POST /exchange/v1/account/deposits', {
    headers: session.tenant,
    json: { assetId: 'usd', amount: 1 },
  });
  transfer = (asked.body as { data: { id: string } }).data.id;
});

describe('X-12: an id in upper case', () => {
  it('names the same order in every call of profile B', async () => {
    const { headers } = key;
    const ids = [
      await placed(headers, limit('buy', 1)),
      await placed(headers, limit('buy', 1)),
      await placed(headers, limit('buy', 1)),
    ] as const;
    const upper = ids.map((id) => id.toUpperCase());
    const lower = await call(`GET /book/v1/orders/${ids[0]}`, { headers });
    expect(lower.status).toBe(200);
    expect((await call(`GET /book/v1/orders/${upper[0]}`, { headers })).body).toEqual(lower.body);
    expect(await call(`PATCH /book/v1/orders/${upper[0]}`, { headers, json: { size: 2 } })).toMatchObject({
      status: 200,
      body: { order_id: ids[0] },
    });
    expect((await call(`GET /book/v1/fills?order_id=${upper[0]}`, { headers })).status).toBe(200);
    expect(await call(`DELETE /book/v1/orders/${upper[0]}`, { headers })).toMatchObject({
      status: 200,
      body: { order_id: ids[0], status: 'cancelled' },
    });
    const batch = await call('DELETE /book/v1/orders/batch', { headers, json: { order_ids: [upper[1]] } });
    expect(JSON.stringify(batch.body)).toContain('"cancelled"');
    const rpc = await call('POST /book/TradingService/CancelOrder', { headers, json: { orderId: upper[2] } });
    expect(rpc.status).toBe(200);
    const page = await call(`GET /book/v1/orders?limit=1&cursor=${upper[1]}`, { headers });
    expect(page.body).toEqual((await call(`GET /book/v1/orders?limit=1&cursor=${ids[1]}`, { headers })).body);
  });

  it('stays what a client has called its order', async () => {
    const { headers } = key;
    const name = crypto.randomUUID().toUpperCase();
    const id = await placed(headers, { ...limit('buy', 1), client_order_id: name });
    expect(await call(`GET /book/v1/orders/client/${name}`, { headers })).toMatchObject({
      status: 200,
      body: { order_id: id, client_order_id: name },
    });
    expect((await call(`GET /book/v1/orders/client/${name.toLowerCase()}`, { headers })).status).toBe(404);
    expect((await call(`DELETE /book/v1/orders/client/${name}`, { headers })).status).toBe(200);
  });

  it('is that of the order, the transfer, the user and the account in the calls of the other profiles', async () => {
    const order = await placed(key.headers, limit('buy', 1));
    for (const [path, id, headers] of [
      ['/exchange/v1/orders/', order, session.tenant],
      ['/exchange/v1/orders/', order, operator.tenant],
      ['/exchange/v1/operator/accounts/', trader.accountId, operator.tenant],
      ['/exchange/v1/operator/users/', trader.userId, operator.tenant],
    ] as const) {
      const lower = await call(`GET ${path}${id}`, { headers });
      const upper = await call(`GET ${path}${id.toUpperCase()}`, { headers });
      expect([path, upper.status, upper.body]).toEqual([path, lower.status, lower.body]);
    }
    expect(
      await call(`PUT /exchange/v1/orders/${order.toUpperCase()}`, {
        headers: session.tenant,
        json: { quantity: 3, limitPrice: 1 },
      }),
    ).toMatchObject({ status: 200 });
    expect((await call(`DELETE /exchange/v1/orders/${order.toUpperCase()}`, { headers: session.tenant })).status).toBe(
      200,
    );
    const cancelled = await call(`DELETE /exchange/v1/account/deposits/${transfer.toUpperCase()}`, {
      headers: session.tenant,
    });
    expect(cancelled.status).toBe(200);
  });

  it('proves its key, by secret and by signature', async () => {
    const path = '/book/v1/account/balances';
    const upper = { 'x-api-key': key.id.toUpperCase() };
    expect((await call(`GET ${path}`, { headers: { ...key.headers, ...upper } })).status).toBe(200);
    const signed = await sign(key, { method: 'GET', path });
    expect((await call(`GET ${path}`, { headers: { ...signed, ...upper } })).status).toBe(200);
  });
});
