import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { MarketRules } from '../../../../domain/ledger/transactions.ts';
import { anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { haltVenue, setRules } from '../../fixtures/operate.ts';

let db: Database;
let trader: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  trader = await createKeyHolder(db, { cash: 1_000_000_00 });
});

async function change(symbol: string, rules: Partial<MarketRules>): Promise<void> {
  await setRules(symbol, rules);
  await env.ORDER_BOOK.getByName(symbol).reconfigure();
}

async function marketOf(symbol: string): Promise<unknown> {
  const { body } = await anyone().get('/v1/markets');
  return (body.markets as { symbol: string }[]).find((market) => market.symbol === symbol);
}

const order = (symbol: string) => ({ symbol, side: 'buy', type: 'limit', size: 1, price: 10 });

describe('a halted market', () => {
  it('refuses orders, cancels those that are open and is shown as halted until it resumes', async () => {
    const { symbol } = await createPair(db, 'HALT');
    const resting = await trader.client.post('/v1/orders', order(symbol));
    await change(symbol, { status: 'halted' });

    expect(await marketOf(symbol)).toMatchObject({ status: 'halted' });
    expect(await trader.client.post('/v1/orders', order(symbol))).toMatchObject({
      status: 400,
      body: { error: { code: 'ASSET_NOT_TRADEABLE', details: { reason: 'market_halted' } } },
    });
    expect((await trader.client.get(`/v1/orders/${resting.body.order_id}`)).body).toMatchObject({
      status: 'cancelled',
      reason: 'halt',
    });

    await change(symbol, { status: 'open' });
    expect(await marketOf(symbol)).toMatchObject({ status: 'open' });
    await expect.poll(async () => (await trader.client.post('/v1/orders', order(symbol))).status).toBe(200);
  });
});

describe('the market-wide halt', () => {
  it('halts every market, and is shown in each', async () => {
    const { symbol } = await createPair(db, 'WIDE');
    await haltVenue(true);
    expect(await marketOf(symbol)).toMatchObject({ status: 'halted' });
    expect(await trader.client.post('/v1/orders', order(symbol))).toMatchObject({
      status: 400,
      body: { error: { code: 'ASSET_NOT_TRADEABLE', details: { reason: 'market_halted' } } },
    });
    await haltVenue(false);
    expect(await marketOf(symbol)).toMatchObject({ status: 'open' });
  });
});

describe('minimum, maximum and band', () => {
  it('apply to the next order once an operator has changed them, and are shown', async () => {
    const { symbol } = await createPair(db, 'RULE', { market: { referencePrice: 10_00 } });
    expect((await trader.client.post('/v1/orders', order(symbol))).status).toBe(200);
    await change(symbol, { quantityMin: 5, quantityMax: 50, bandBps: 500 });
    expect(await marketOf(symbol)).toMatchObject({ size_min: 5, size_max: 50, price_band: { low: 9.5, high: 10.5 } });
    const refused = await trader.client.post('/v1/orders', order(symbol));
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'below_minimum', size_min: 5 } } },
    });
    expect((await trader.client.post('/v1/orders', { ...order(symbol), size: 5, price: 11 })).body).toMatchObject({
      error: { details: { reason: 'outside_price_band' } },
    });
  });
});
