import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CLIENT_ORDER_ID } from '../../../../protocol/order-entry/client-order-id.ts';
import { createTestKey, type TestKey } from '../../fixtures/api-key.ts';
import { createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

/** That none of the doors may take: delimiters of other protocols, half characters, and what no path can name. */
const NO_NAMES = [
  '',
  '.',
  '..',
  'x\u0001150=F\u000139=2',
  'y10=\u000110=123',
  'a b',
  'a\nb',
  'a\tb',
  'a\u007fb',
  'u\u20ac',
  'ü',
  'lone \ud800',
  '\ud800',
  '😀',
  'x'.repeat(65),
];

let session: SignedIn;
let key: TestKey;
let symbol: string;

const order = (client_order_id: string) => ({ symbol, side: 'buy', type: 'limit', price: 1, size: 1, client_order_id });

beforeAll(async () => {
  const db = await migrate();
  await createApp();
  const { freshPair } = await createBuyerAndSeller(db, 'NAMES');
  symbol = await freshPair();
  const trader = await createTrader(db, { cash: 1_000_000 });
  session = await signIn(trader.phone);
  key = await createTestKey(trader, { rateLimits: { orders: 100_000, private: 100_000, cancels: 100_000 } });
});

/** The limit of orders a second is not what is tried here: each test comes a minute after the one before. */
let minutes = 0;

function aMinuteLater(): void {
  minutes += 1;
  const now = Date.now.bind(Date);
  const ahead = minutes * 60_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => clock.mockRestore());
}

describe('X-13: a name that no path has, or that another protocol would cut', () => {
  it.each(NO_NAMES)('is refused at every door: %j', async (name) => {
    aMinuteLater();
    const { headers } = key;
    const doors = [
      await call('POST /book/v1/orders', { headers, json: order(name) }),
      await call('POST /book/v1/orders/preview', { headers, json: order(name) }),
      await call('POST /exchange/v1/orders', {
        headers: session.tenant,
        json: { assetId: 'names1', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 1, clientOrderId: name },
      }),
    ];
    for (const { status, body } of doors) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    }
    const batch = await call('POST /book/v1/orders/batch', { headers, json: { orders: [order(name)] } });
    expect(JSON.stringify(batch.body)).toContain('VALIDATION_ERROR');
    expect(JSON.stringify(batch.body)).not.toContain('"order_id"');
    const { client_order_id: clientOrderId, ...asked } = order(name);
    // Absent and empty are one in protobuf.
    if (name !== '' && !name.includes('\ud800')) {
      const rpc = await call('POST /book/TradingService/PlaceOrder', { headers, json: { ...asked, clientOrderId } });
      expect(rpc.status).toBe(400);
    }
  });

  it('is refused at the order socket', async () => {
    const socket = await OrderSocket.open(key.headers);
    for (const [id, name] of NO_NAMES.entries()) {
      socket.say({ type: 'place', id, order: order(name) });
      expect(await socket.answerTo(id)).toMatchObject({ type: 'error', error: { code: 'VALIDATION_ERROR' } });
    }
    socket.close();
  });
});

describe('X-13: a name that a door takes', () => {
  it('is one under which the order is read and cancelled, whatever it is', async () => {
    const { headers } = key;
    const named = fc
      .string({ unit: fc.constantFrom(...'./\\%?#&+=:;,@~!$^`\'"<>{}|()*[]-_2eEaZ0'), minLength: 1, maxLength: 64 })
      .filter((name) => CLIENT_ORDER_ID.test(name));
    const sampled = fc.sample(named, { numRuns: 30, seed: 13 });
    for (const name of new Set(['...', './..', '%2e', '%2E%2e', '%', '/', '?', '#', '\\', 'a%2Fb', ...sampled])) {
      const placed = await call('POST /book/v1/orders', { headers, json: order(name) });
      expect([name, placed.status, placed.body]).toMatchObject([name, 200, {}]);
      const { order_id } = placed.body as { order_id: string };
      const path = `/book/v1/orders/client/${encodeURIComponent(name)}`;
      expect(await call(`GET ${path}`, { headers })).toMatchObject({
        status: 200,
        body: { order_id, client_order_id: name },
      });
      expect(await call(`DELETE ${path}`, { headers })).toMatchObject({ status: 200, body: { order_id } });
    }
  });
});
