import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { createMarket, type MarketTerms } from '../../../../data/markets/markets.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { type Answer, type BookClient, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { keyOverHttp } from '../../fixtures/key-over-http.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts } from '../../fixtures/operate.ts';
import { settle } from '../../fixtures/settle.ts';
import { createApp } from '../../fixtures/sign-in.ts';

/** Units of a dollar that has four decimals, as in the demo. */
const DOLLAR = 10_000;
const CENTS = 100;

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  const createdAt = Date.now();
  const currency = { category: 'currency', createdAt } as const;
  await createAsset(db, { ...currency, id: 'usd', symbol: 'USD', name: 'US dollar', scale: 4 });
  for (const [id, name] of [
    ['eur', 'Euro'],
    ['gbp', 'Pound'],
    ['chf', 'Franc'],
    ['jpy', 'Yen'],
  ] as const)
    await createAsset(db, { ...currency, id, symbol: id.toUpperCase(), name, scale: 2 });
  await createAsset(db, {
    id: 'btc',
    symbol: 'BTC',
    name: 'Bitcoin',
    category: 'crypto',
    rail: 'digital',
    scale: 8,
    createdAt,
  });
  await market({ baseAsset: 'btc', quoteAsset: 'eur', tickSize: 100, lotSize: 1_000_000, quantityMin: 1_000_000 });
  for (const symbol of ['LOSS', 'LOST', 'TURN']) {
    await createPair(db, symbol);
    await market({ baseAsset: symbol.toLowerCase(), quoteAsset: 'eur' });
  }
  for (const [symbol, quotes] of [
    ['CROWD', ['eur']],
    ['EARLY', ['chf']],
    ['HELD', ['gbp']],
  ] as const) {
    await createPair(db, symbol, { asset: { regulation: 'reg_cf' } });
    for (const quoteAsset of quotes) await market({ baseAsset: symbol.toLowerCase(), quoteAsset });
  }
  await createPair(db, 'MOVED');
  await market({ baseAsset: 'moved', quoteAsset: 'gbp' });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  await rate('eur', 11, 10);
});

async function market(terms: Pick<MarketTerms, 'baseAsset' | 'quoteAsset'> & Partial<MarketTerms>): Promise<void> {
  const rules = { priceScale: 2, tickSize: 1, lotSize: 1, quantityMin: 1, quantityMax: 1_000_000_000_000 };
  const made = await createMarket(db, { ...rules, createdAt: Date.now(), ...terms });
  if (!made.ok) throw new Error(`the market was refused: ${JSON.stringify(made.error)}`);
}

const put = (asset: string, numerator: number, denominator: number, key = uuidv7()) =>
  operator.put(`/v1/operator/rates/${asset}`, { numerator, denominator }, { 'idempotency-key': key });

async function rate(asset: string, numerator: number, denominator: number): Promise<void> {
  expect(await put(asset, numerator, denominator)).toMatchObject({ status: 200 });
}

/** A trader with a million dollars, euros, pounds and francs. */
async function rich(terms: TraderTerms = {}) {
  const trader = await createTrader(db, { cash: 1_000_000 * DOLLAR, ...terms });
  for (const asset of ['eur', 'gbp', 'chf'])
    await giveBalance({ accountId: trader.accountId, asset, amount: 1_000_000 * CENTS });
  return trader;
}

async function holder(terms: TraderTerms = {}, key: Parameters<typeof createKeyHolder>[2] = {}): Promise<KeyHolder> {
  const made = await createKeyHolder(db, { cash: 1_000_000 * DOLLAR, ...terms }, key);
  for (const asset of ['eur', 'gbp', 'chf'])
    await giveBalance({ accountId: made.accountId, asset, amount: 1_000_000 * CENTS });
  return made;
}

type Placing = Pick<BookClient, 'post'>;

const placed = (client: Placing, symbol: string, side: string, size: number, price: number): Promise<Answer> =>
  client.post('/v1/orders', { symbol, side, type: 'limit', size, price });

const buy = (client: Placing, symbol: string, size: number, price: number) =>
  placed(client, symbol, 'buy', size, price);
const sell = (client: Placing, symbol: string, size: number, price: number) =>
  placed(client, symbol, 'sell', size, price);

function refusal({ status, body }: Answer): unknown {
  const { code, details } = (body.error ?? {}) as { code?: string; details?: Record<string, unknown> };
  return { status, code, ...details };
}

/** Somebody who has these shares, and sells them on a market at a price. */
async function offer(symbol: string, size: number, price: number): Promise<KeyHolder> {
  const seller = await holder();
  const asset = symbol.slice(0, symbol.indexOf('-')).toLowerCase();
  await giveHolding({ accountId: seller.accountId, asset, lots: [{ quantity: size }] });
  expect((await sell(seller.client, symbol, size, price)).status).toBe(200);
  return seller;
}

describe('a key that was made over HTTP with limits in dollars', () => {
  it('buys for $1,000 in euros at $1.10, and for no cent more', async () => {
    const client = await keyOverHttp(await rich(), { dailyNotionalMax: 1_000 });
    expect((await buy(client, 'BTC-EUR', 0.02, 30_000)).status).toBe(200);
    expect(refusal(await buy(client, 'BTC-EUR', 0.01, 30_910))).toMatchObject({
      status: 403,
      code: 'RISK_LIMIT_EXCEEDED',
      limit: 'daily_notional',
      currency: 'USD',
      required: 340.01,
      available: 340,
    });
    expect((await buy(client, 'BTC-EUR', 0.01, 30_909)).status).toBe(200);
    await expectRightLedger();
  });

  it('loses $1,000 in euros and dollars together', async () => {
    const trader = await rich();
    const lots = [{ quantity: 20, cost: 20 * 100 * DOLLAR }];
    for (const asset of ['loss', 'lost']) await giveHolding({ accountId: trader.accountId, asset, lots });
    const client = await keyOverHttp(trader, { dailyLossMax: 1_000 });
    const buyer = await holder();
    await buy(buyer.client, 'LOSS-EUR', 10, 50);
    await buy(buyer.client, 'LOST-USD', 20, 50);
    expect(await sell(client, 'LOSS-EUR', 10, 50)).toMatchObject({ body: { status: 'filled' } });
    expect(refusal(await sell(client, 'LOST-USD', 12, 50))).toMatchObject({
      limit: 'daily_loss',
      required: 600,
      available: 550,
    });
    expect(await sell(client, 'LOST-USD', 11, 50)).toMatchObject({ body: { status: 'filled' } });
    await settle('LOSS-EUR', 'LOST-USD');
    expect(refusal(await buy(client, 'LOSS-EUR', 1, 1))).toMatchObject({ limit: 'daily_loss', available: 0 });
    await expectRightLedger();
  });

  it('loses dollars on what was bought for euros and is sold for dollars', async () => {
    await offer('TURN-EUR', 20, 100);
    const trader = await rich();
    const client = await keyOverHttp(trader, { dailyLossMax: 100 });
    expect(await buy(client, 'TURN-EUR', 20, 100)).toMatchObject({ body: { status: 'filled' } });
    await settle('TURN-EUR');
    const buyer = await holder();
    await buy(buyer.client, 'TURN-USD', 20, 100);
    expect(refusal(await sell(client, 'TURN-USD', 11, 100))).toMatchObject({ required: 110, available: 100 });
    expect(await sell(client, 'TURN-USD', 10, 100)).toMatchObject({ body: { status: 'filled' } });
    await expectRightLedger();
  });

  it('has the cost of a purchase back when its trade is taken back, at the rate of then', async () => {
    const seller = await holder();
    await giveBalance({ accountId: seller.accountId, asset: 'btc', amount: 1_000_000, cost: 200 * DOLLAR });
    const { client, accountId } = await holder();
    await sell(seller.client, 'BTC-EUR', 0.01, 31_000);
    expect(await buy(client, 'BTC-EUR', 0.01, 31_000)).toMatchObject({ body: { status: 'filled' } });
    await settle('BTC-EUR');
    const costs = async () =>
      (
        await env.DB.prepare(
          "SELECT cost FROM balances WHERE asset = 'btc' AND account IN (?1, ?2) ORDER BY account = ?1",
        )
          .bind(accountId, seller.accountId)
          .all<{ cost: number }>()
      ).results.map(({ cost }) => cost);
    expect(await costs()).toEqual([0, 341 * DOLLAR]);
    const { id } =
      (await env.DB.prepare('SELECT id FROM trades WHERE buyer = ?1').bind(accountId).first<{ id: string }>()) ?? {};
    await rate('eur', 12, 10);
    const bust = await operator.post(`/v1/operator/trades/${id}/bust`, { reason: 'a test' });
    expect(bust.status).toBe(200);
    await rate('eur', 11, 10);
    // The seller holds no coin whose cost would tell what these had cost: they come back at what they were sold for.
    expect(await costs()).toEqual([341 * DOLLAR, 0]);
    await expectRightLedger();
  });

  it('is judged by the rate that is stated when an order is admitted, not by the one that it was checked by', async () => {
    await rate('gbp', 1, 1);
    const { client } = await holder({}, { dailyNotionalMax: 1_000_00 });
    expect((await buy(client, 'MOVED-GBP', 1, 100)).status).toBe(200);
    await rate('gbp', 5, 1);
    expect(refusal(await buy(client, 'MOVED-GBP', 2, 100))).toMatchObject({ required: 1_000, available: 900 });
    // What was admitted counts at the rate of its admission, to its end.
    expect((await buy(client, 'MOVED-GBP', 1, 100)).status).toBe(200);
    expect(refusal(await buy(client, 'MOVED-GBP', 1, 100))).toMatchObject({ required: 500, available: 400 });
  });

  it('is told by a preview what an order would be told', async () => {
    const { client } = await holder({}, { dailyNotionalMax: 1_000_00 });
    const asked = { symbol: 'LOSS-EUR', side: 'buy', type: 'limit', size: 10, price: 91 };
    expect(refusal(await client.post('/v1/orders/preview', asked))).toMatchObject({
      required: 1_001,
      available: 1_000,
    });
    expect((await client.post('/v1/orders/preview', { ...asked, price: 90 })).status).toBe(200);
  });
});

describe('the Reg CF limit', () => {
  it('is one over dollars and euros, each purchase at the rate at which it settled', async () => {
    const { client } = await holder();
    await offer('CROWD-USD', 100, 10);
    await offer('CROWD-EUR', 100, 10);
    expect(await buy(client, 'CROWD-USD', 100, 10)).toMatchObject({ body: { status: 'filled' } });
    expect(await buy(client, 'CROWD-EUR', 100, 10)).toMatchObject({ body: { status: 'filled' } });
    const over = async () => refusal(await buy(client, 'CROWD-USD', 41, 10));
    expect(await over()).toMatchObject({ code: 'INVESTMENT_LIMIT_EXCEEDED', required: 410, available: 400 });
    expect(refusal(await buy(client, 'CROWD-EUR', 37, 10))).toMatchObject({ required: 407, available: 400 });
    await rate('eur', 2, 1);
    await settle('CROWD-EUR', 'CROWD-USD');
    expect(await over()).toMatchObject({ required: 410, available: 400 });
    expect(refusal(await buy(client, 'CROWD-EUR', 21, 10))).toMatchObject({ required: 420, available: 400 });
    expect((await buy(client, 'CROWD-EUR', 20, 10)).status).toBe(200);
    await rate('eur', 11, 10);
    await expectRightLedger();
  });

  it('is held by an open order at the rate of its admission, drawn by its fills, and given back with the rest', async () => {
    await rate('gbp', 3, 1);
    const { client } = await holder();
    const open = await buy(client, 'HELD-GBP', 80, 10);
    expect(open.status).toBe(200);
    expect(refusal(await buy(client, 'HELD-USD', 11, 10))).toMatchObject({ required: 110, available: 100 });
    await rate('gbp', 2, 1);
    await offer('HELD-GBP', 30, 10);
    await settle('HELD-GBP');
    await expectRightLedger();
    const { order_id } = open.body as { order_id: string };
    expect((await client.patch(`/v1/orders/${order_id}`, { size: 60 })).status).toBe(200);
    expect((await client.delete(`/v1/orders/${order_id}`)).status).toBe(200);
    await settle('HELD-GBP');
    // 30 for 10 pounds at $2: $600 of $2,500.
    expect(refusal(await buy(client, 'HELD-USD', 191, 10))).toMatchObject({ required: 1_910, available: 1_900 });
    await expectRightLedger();
  });

  it('counts what was bought before the first rate of its currency at that rate, and is not known without one', async () => {
    const accredited = await holder({ accreditationStatus: 'completed', accreditationType: '506b' });
    await offer('EARLY-CHF', 100, 10);
    expect(await buy(accredited.client, 'EARLY-CHF', 100, 10)).toMatchObject({ body: { status: 'filled' } });
    await settle('EARLY-CHF');
    await setFacts(accredited.accountId, { accreditationStatus: 'none', accreditationType: null });
    const over = async () => refusal(await buy(accredited.client, 'EARLY-USD', 71, 10));
    expect(await over()).toMatchObject({ reason: 'no_rate', currency: 'USD', quote: 'CHF' });
    await rate('chf', 18, 10);
    expect(await over()).toMatchObject({ required: 710, available: 700 });
    await rate('chf', 1, 1);
    expect(await over()).toMatchObject({ required: 710, available: 700 });
    await expectRightLedger();
  });
});

describe('PUT /v1/operator/rates/{asset}', () => {
  it('states dollars for units of an asset, version by version, listed and in the audit trail', async () => {
    const key = uuidv7();
    const first = await put('jpy', 100, 15_000, key);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { assetId: 'jpy', symbol: 'JPY', numerator: 1, denominator: 150, version: 1 } },
    });
    expect((await put('jpy', 100, 15_000, key)).body).toEqual(first.body);
    expect(await put('jpy', 1, 150)).toMatchObject({ body: { data: { version: 1 } } });
    expect(await put('jpy', 1, 140)).toMatchObject({ body: { data: { denominator: 140, version: 2 } } });
    const { body } = await operator.get<{ data: { symbol: string }[] }>('/v1/operator/rates');
    expect(body.data.filter(({ symbol }) => symbol === 'JPY')).toMatchObject([{ denominator: 140, version: 2 }]);
    const trail = await operator.get<{ data: unknown[] }>('/v1/operator/audit-trail?subject=jpy');
    expect(JSON.stringify(trail.body)).toContain('operator.rate');
    const { results } = await env.DB.prepare("SELECT version FROM rates WHERE asset = 'jpy' ORDER BY 1").all();
    expect(results).toEqual([{ version: 1 }, { version: 2 }]);
  });

  it.each([
    ['usd', 1, 1, 400, 'VALIDATION_ERROR'],
    ['nothing', 1, 1, 404, 'ASSET_NOT_FOUND'],
    ['eur', 0, 1, 400, 'VALIDATION_ERROR'],
    ['eur', 1.5, 1, 400, 'VALIDATION_ERROR'],
    ['eur', 1_000_000_001, 1, 400, 'VALIDATION_ERROR'],
  ] as const)('refuses %s at %d to %d', async (asset, numerator, denominator, status, code) => {
    expect(await put(asset, numerator, denominator)).toMatchObject({ status, body: { error: { code } } });
  });
});
