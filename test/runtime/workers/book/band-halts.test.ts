import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { LIMIT_STATE_MS } from '../../../../durable-objects/order-book/cycle/trading-band.ts';
import { anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setRules } from '../../fixtures/operate.ts';
import { settle } from '../../fixtures/settle.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let others: readonly KeyHolder[];

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
  seller = await createKeyHolder(db);
  others = [await createKeyHolder(db, { cash: 1_000_00 }), await createKeyHolder(db, { cash: 1_000_00 })];
});

/** A market at 10.00 with a band of 1 %, asks of one share at these prices. */
async function banded(symbol: string, bandHaltSeconds: number, asks: readonly number[]): Promise<string> {
  const market = { bandBps: 100, bandHaltSeconds, referencePrice: 10_00 };
  const pair = await createPair(db, symbol, { market });
  await giveHolding({ accountId: seller.accountId, asset: pair.baseAsset, lots: [{ quantity: 1_000 }] });
  // Asks beyond the band are those of a time at which it lay elsewhere.
  await change(pair.symbol, { bandBps: 0 });
  for (const price of asks) expect(await place(seller, pair.symbol, 'sell', { price })).toMatchObject({ status: 200 });
  await change(pair.symbol, { bandBps: 100 });
  return pair.symbol;
}

async function change(symbol: string, rules: Parameters<typeof setRules>[1]): Promise<void> {
  await setRules(symbol, rules);
  expect(await env.ORDER_BOOK.getByName(symbol).reconfigure()).toBe(true);
}

function place(holder: KeyHolder, symbol: string, side: 'buy' | 'sell', terms: object) {
  return holder.client.post('/v1/orders', { symbol, side, type: 'limit', size: 1, ...terms });
}

/** Three accounts buy at this end of the band, and the time is over that trading may stand there: the book halts with what comes next. */
async function standAtTheEnd(symbol: string, price: number): Promise<void> {
  for (const holder of [buyer, ...others])
    expect((await place(holder, symbol, 'buy', { price })).body).toMatchObject({ status: 'filled' });
  skipTime(LIMIT_STATE_MS);
  expect(await place(buyer, symbol, 'buy', { price: 9.9 })).toMatchObject({ status: 400 });
}

async function marketOf(symbol: string): Promise<unknown> {
  await settle(symbol);
  const { body } = await anyone().get('/v1/markets');
  return (body.markets as { symbol: string }[]).find((market) => market.symbol === symbol);
}

describe('a market with a price band', () => {
  it('lets no market order trade beyond it, nor a series of them drag it along', async () => {
    const symbol = await banded('BAND', 0, [10.05, 10.1, 10.2, 10.3]);
    const sweep = { type: 'market', size: 4, price: undefined };
    const swept = await place(buyer, symbol, 'buy', sweep);
    expect(swept.body).toMatchObject({ status: 'cancelled', filled_size: 2, average_price: 10.075 });
    expect((await place(buyer, symbol, 'buy', sweep)).body).toMatchObject({ status: 'cancelled', filled_size: 0 });
    const preview = await buyer.client.post('/v1/orders/preview', { symbol, side: 'buy', type: 'market', size: 1 });
    expect(preview.body).toMatchObject({ worst_price: 10.1 });
    expect(await marketOf(symbol)).toMatchObject({ status: 'open', price_band: { low: 9.9, high: 10.1 } });
    expect((await place(buyer, symbol, 'buy', { price: 10.11 })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: { reason: 'outside_price_band', low: 9.9, high: 10.1 } },
    });
    await expectRightLedger();
  });

  it('lets no triggered stop trade beyond it', async () => {
    const symbol = await banded('STOP', 0, [10.05, 10.1, 10.2, 10.3]);
    const stop = await place(buyer, symbol, 'buy', { type: 'stop_loss', size: 3, stop_price: 10.05 });
    expect(stop.body).toMatchObject({ status: 'pending_trigger' });
    await place(buyer, symbol, 'buy', { price: 10.05 });
    const read = async () => (await buyer.client.get(`/v1/orders/${stop.body.order_id}`)).body;
    expect(await read()).toMatchObject({ status: 'partially_filled', filled_size: 1, average_price: 10.1 });
    // what is left stands at the end of the band, and may be made less there.
    const bids = async () => ((await anyone().get(`/v1/orderbook/${symbol}`)).body as { bids: unknown }).bids;
    expect(await bids()).toMatchObject([{ price: 10.1, size: 2 }]);
    const less = await buyer.client.patch(`/v1/orders/${stop.body.order_id}`, { size: 2 });
    expect(less).toMatchObject({ status: 200, body: { price: null, remaining_size: 1 } });
    expect(await bids()).toMatchObject([{ price: 10.1, size: 1 }]);
    await buyer.client.delete(`/v1/orders/${stop.body.order_id}`);
    expect(await read()).toMatchObject({ status: 'cancelled', filled_size: 1 });
    await expectRightLedger();
  });

  it('halts by itself for its time once trading has reached the end of the band', async () => {
    const symbol = await banded('TOUCH', 3_600, [10.1, 10.1, 10.1, 10.2]);
    const resting = await place(buyer, symbol, 'buy', { price: 9.95 });
    const before = Date.now();
    await standAtTheEnd(symbol, 10.1);
    expect(await marketOf(symbol)).toMatchObject({ status: 'halted', halted_until: expect.any(Number) });

    const refused = await place(buyer, symbol, 'buy', { price: 10 });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'ASSET_NOT_TRADEABLE' } } });
    const { details } = refused.body.error as { details: { reason: string; resumes_at: string } };
    expect(details.reason).toBe('market_halted');
    expect(Date.parse(details.resumes_at)).toBeGreaterThanOrEqual(before + 3_600_000);
    const preview = await buyer.client.post('/v1/orders/preview', { symbol, side: 'buy', type: 'market', size: 1 });
    expect(preview.body).toMatchObject({ error: { details: { reason: 'market_halted' } } });
    expect(await buyer.client.patch(`/v1/orders/${resting.body.order_id}`, { size: 2 })).toMatchObject({ status: 400 });
    const cancelled = await buyer.client.delete(`/v1/orders/${resting.body.order_id}`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });

    skipTime(3_600_000);
    expect((await place(buyer, symbol, 'buy', { price: 10.15 })).status).toBe(200);
    expect(await marketOf(symbol)).toMatchObject({
      status: 'open',
      halted_until: null,
      price_band: { low: 10, high: 10.2 },
    });
    await expectRightLedger();
  });

  it('T-08: is not halted by two accounts that trade at the end of the band, and shows the band that they have not moved', async () => {
    const symbol = await banded('TWO', 3_600, [10.1, 10.1]);
    for (let round = 0; round < 2; round++) {
      expect((await place(buyer, symbol, 'buy', { price: 10.1 })).body).toMatchObject({ status: 'filled' });
      skipTime(60_000);
    }
    expect((await place(buyer, symbol, 'buy', { price: 9.9 })).status).toBe(200);
    expect(await marketOf(symbol)).toMatchObject({ status: 'open', price_band: { low: 9.9, high: 10.1 } });
  });

  it('is halted no longer once an operator takes the halt from its rules', async () => {
    const symbol = await banded('FREED', 3_600, [10.1, 10.1, 10.1]);
    await standAtTheEnd(symbol, 10.1);
    expect(await marketOf(symbol)).toMatchObject({ status: 'halted' });
    await change(symbol, { bandHaltSeconds: 0 });
    expect(await place(buyer, symbol, 'buy', { price: 10.15 })).toMatchObject({ status: 200 });
    expect(await marketOf(symbol)).toMatchObject({ status: 'open', halted_until: null });
    await expectRightLedger();
  });
});
