import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import type { Database } from '../../../../data/database.ts';
import { idempotencyKeysOf } from '../../../../durable-objects/idempotency-keys/api.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setRules } from '../../fixtures/operate.ts';

let db: Database;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
});

/** A pair of its own, a trader with cash and shares, and an open buy of 5 at 10. */
async function openOrder(): Promise<{ symbol: string; trader: KeyHolder; orderId: string }> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `RC${pairs}`);
  const trader = await createKeyHolder(db, { cash: 1_000_000_00 });
  await giveHolding({ accountId: trader.accountId, asset: baseAsset, lots: [{ quantity: 1_000 }] });
  const placed = await trader.client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size: 5, price: 10 });
  return { symbol, trader, orderId: String(placed.body.order_id) };
}

/** A request with this key whose answer was lost: it has claimed the key, and its Worker is gone. */
async function lost(trader: KeyHolder, key: string, method: string, path: string, body = ''): Promise<void> {
  const keys = idempotencyKeysOf(env, trader.accountId);
  const requestHash = await sha256Hex(`${method}\n${path}\n${body}`);
  const claimId = uuidv7();
  const state = await keys.claim({ key, requestHash, claimId });
  if (state.type !== 'claimed') throw new Error(`fixture: ${state.type}`);
  await keys.release({ key, claimId, resourceId: state.resourceId });
}

const keyed = (key: string) => ({ 'idempotency-key': key });

describe('DELETE /v1/orders/{order_id} under an Idempotency-Key', () => {
  it('answers a repetition as before; under another key, or none, the order is final', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    const first = await trader.client.delete(path, undefined, keyed('cancel-1'));
    expect(first).toMatchObject({ status: 200, body: { order_id: orderId, status: 'cancelled' } });
    const again = await trader.client.delete(path, undefined, keyed('cancel-1'));
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const refused = { status: 400, body: { error: { code: 'ORDER_NOT_CANCELLABLE' } } };
    expect(await trader.client.delete(path, undefined, keyed('cancel-2'))).toMatchObject(refused);
    expect(await trader.client.delete(path)).toMatchObject(refused);
    const other = await trader.client.delete(`/v1/orders/${uuidv7()}`, undefined, keyed('cancel-1'));
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
  });

  it('answers the repetition of a cancel whose answer was lost with the cancelled order', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    await lost(trader, 'gone', 'DELETE', `/book${path}`);
    await trader.client.delete(path);
    expect(await trader.client.delete(path, undefined, keyed('gone'))).toMatchObject({
      status: 200,
      body: { order_id: orderId, status: 'cancelled', size: 5, filled_size: 0 },
    });
    const tenant = await signedIn(trader);
    await lost(trader, 'gone-a', 'DELETE', `/exchange/v1/orders/${orderId}`);
    expect(await tenant.delete(`/v1/orders/${orderId}`, undefined, keyed('gone-a'))).toMatchObject({
      status: 200,
      body: { data: { orderId, status: 'CANCELLED', filledQuantity: 0 } },
    });
  });

  it('carries out one that was lost before it reached the book', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    await lost(trader, 'early', 'DELETE', `/book${path}`);
    expect(await trader.client.delete(path, undefined, keyed('early'))).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
  });

  it('refuses a repetition where something else has ended the order', async () => {
    const filled = await openOrder();
    const sell = { symbol: filled.symbol, side: 'sell', type: 'limit', size: 5, price: 10 };
    const seller = await createKeyHolder(db);
    await giveHolding({
      accountId: seller.accountId,
      asset: filled.symbol.replace('-USD', '').toLowerCase(),
      lots: [{ quantity: 9 }],
    });
    expect(await seller.client.post('/v1/orders', sell)).toMatchObject({ body: { status: 'filled' } });
    const halted = await openOrder();
    await setRules(halted.symbol, { status: 'halted' });
    await env.ORDER_BOOK.getByName(halted.symbol).reconfigure();
    for (const { trader, orderId } of [filled, halted]) {
      await lost(trader, 'ended', 'DELETE', `/book/v1/orders/${orderId}`);
      expect(await trader.client.delete(`/v1/orders/${orderId}`, undefined, keyed('ended'))).toMatchObject({
        status: 400,
        body: { error: { code: 'ORDER_NOT_CANCELLABLE' } },
      });
    }
  });

  it('answers a batch and a mass cancel as before', async () => {
    const { trader, orderId } = await openOrder();
    const batch = { order_ids: [orderId] };
    await lost(trader, 'batch', 'DELETE', '/book/v1/orders/batch', JSON.stringify(batch));
    await trader.client.delete(`/v1/orders/${orderId}`);
    const done = { status: 200, body: { results: [{ order: { order_id: orderId, status: 'cancelled' } }] } };
    expect(await trader.client.delete('/v1/orders/batch', batch, keyed('batch'))).toMatchObject(done);
    expect(await trader.client.delete('/v1/orders/batch', batch, keyed('batch'))).toMatchObject(done);
    const all = await openOrder();
    const cancelled = { status: 200, body: { order_ids: [all.orderId], pending_order_ids: [] } };
    expect(await all.trader.client.delete('/v1/orders', undefined, keyed('all'))).toMatchObject(cancelled);
    expect(await all.trader.client.delete('/v1/orders', undefined, keyed('all'))).toMatchObject(cancelled);
  });
});

describe('PATCH /v1/orders/{order_id} under an Idempotency-Key', () => {
  it('answers a repetition as before, whatever the order has become', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    const first = await trader.client.patch(path, { size: 4 }, keyed('amend-1'));
    expect(first).toMatchObject({ status: 200, body: { size: 4 } });
    await trader.client.patch(path, { size: 3 });
    const again = await trader.client.patch(path, { size: 4 }, keyed('amend-1'));
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await trader.client.get(path)).toMatchObject({ body: { size: 3 } });
    expect(await trader.client.patch(path, { size: 2 }, keyed('amend-1'))).toMatchObject({ status: 422 });
  });

  it('answers the repetition of an amendment whose answer was lost with the order, though it is final by now', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    await lost(trader, 'gone', 'PATCH', `/book${path}`, JSON.stringify({ size: 4 }));
    await trader.client.patch(path, { size: 4 });
    await trader.client.delete(path);
    expect(await trader.client.patch(path, { size: 4 }, keyed('gone'))).toMatchObject({
      status: 200,
      body: { order_id: orderId, size: 4, price: 10, status: 'cancelled' },
    });
  });

  it('carries out one that was lost before it reached the book, in profile A, too', async () => {
    const { trader, orderId } = await openOrder();
    const path = `/v1/orders/${orderId}`;
    await lost(trader, 'early', 'PATCH', `/book${path}`, JSON.stringify({ price: 9 }));
    expect(await trader.client.patch(path, { price: 9 }, keyed('early'))).toMatchObject({
      status: 200,
      body: { price: 9, size: 5 },
    });
    const tenant = await signedIn(trader);
    await lost(trader, 'early-a', 'PUT', `/exchange${path}`, JSON.stringify({ quantity: 2 }));
    const put = { status: 200, body: { data: { orderId, quantity: 2 } } };
    expect(await tenant.put(path, { quantity: 2 }, keyed('early-a'))).toMatchObject(put);
    expect(await tenant.put(path, { quantity: 2 }, keyed('early-a'))).toMatchObject(put);
  });
});
