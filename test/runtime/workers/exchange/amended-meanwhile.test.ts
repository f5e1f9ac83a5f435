import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { amendOrder } from '../../../../application/order-entry/amend-order.ts';
import type { OrderEntryContext } from '../../../../application/order-entry/order-entry-context.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import type { OrderBookApi } from '../../../../durable-objects/order-book/api.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let traders: BuyerAndSeller;

beforeAll(async () => {
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'AM');
});

/** Order entry by a key that may order 10 shares at most; `meanwhile` happens between its checks and its book. */
async function limited(baseAsset: string, meanwhile: () => Promise<unknown>): Promise<OrderEntryContext> {
  const { userId, owner } = traders.buyer;
  const facts = (await findUserFacts(db, userId))?.account ?? null;
  let isFirst = true;
  const books = {
    getByName: (symbol: string) => ({
      openOrders: (...args: Parameters<OrderBookApi['openOrders']>) =>
        env.ORDER_BOOK.getByName(symbol).openOrders(...args),
      submitText: async (text: string) => {
        if (isFirst) await meanwhile();
        isFirst = false;
        return env.ORDER_BOOK.getByName(symbol).submitText(text);
      },
    }),
  };
  return {
    env: { ...env, ORDER_BOOK: books } as unknown as Env,
    principal: {
      kind: 'user',
      userId,
      owner,
      roles: ['trader'],
      scopes: ['read', 'trade'],
      keyId: uuidv7(),
      tokenIssuedAt: null,
      secretVersion: null,
      positionLimits: null,
      dailyLossMax: null,
      orderSizeLimits: { [baseAsset]: 10 },
      dailyNotionalMax: null,
      symbols: null,
      facts,
      clientAddress: '192.0.2.1',
    },
  };
}

test('an amendment is checked again where the order has other terms by the time it reaches its book', async () => {
  const symbol = await traders.freshPair();
  const { client } = traders.buyer;
  const { body } = await client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size: 5, price: 10 });
  const orderId = body.order_id as string;
  const price = { orderId, quantity: null, price: 11, stopPrice: null, unfilledOnly: false };
  const enlarged = () => client.patch(`/v1/orders/${orderId}`, { size: 20 });
  const context = await limited(symbol.replace('-USD', '').toLowerCase(), enlarged);
  expect(await amendOrder(context, price)).toMatchObject({
    ok: false,
    error: { reason: 'order_size_exceeded', quantity: 20 },
  });
  expect((await client.get(`/v1/orders/${orderId}`)).body).toMatchObject({ size: 20, price: 10 });
});
