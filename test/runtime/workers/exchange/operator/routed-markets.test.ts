import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { createMarket, type MarketTerms } from '../../../../../data/markets/markets.ts';
import { markets } from '../../../../../data/schema/markets.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import type { MarketRoute } from '../../../../../domain/markets/market.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { setRules } from '../../../fixtures/operate.ts';
import { createPartner, createSecurity } from '../../../fixtures/partner-client.ts';

let db: Database;
let operator: Client;
let nextAsset = 0;

beforeAll(async () => {
  db = await migrate();
  const currencies = [
    [USD, 'USD', 4],
    ['cent', 'USC', 2],
    ['euro', 'EUR', 4],
  ] as const;
  for (const [id, symbol, scale] of currencies)
    await createAsset(db, { id, symbol, name: symbol, category: 'currency', scale, createdAt: 0 });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

/** An asset of its own; of category stocks, so that what the broker fills settles a trading day later, unless it says otherwise. */
async function asset(category = 'stocks', terms: Record<string, unknown> = {}): Promise<string> {
  const symbol = `LISTED${nextAsset++}`;
  const id = symbol.toLowerCase();
  const listed = await operator.post('/v1/operator/assets', { id, symbol, name: symbol, category, scale: 2, ...terms });
  expect(listed.status).toBe(200);
  return id;
}

const open = (baseAssetId: string, body: Record<string, unknown> = {}, headers?: Record<string, string>) => {
  const units = { priceScale: 4, tickSize: 0.01, lotSize: 1, minSize: 1, maxSize: 1_000 };
  return operator.post('/v1/operator/markets', { baseAssetId, quoteAssetId: USD, ...units, ...body }, headers);
};

const AT_BROKER = { route: 'broker' } as const;
const PAIR_IN_EUROS = { quoteAssetId: 'euro', route: 'internal' } as const;

async function refused(baseAssetId: string, body: Record<string, unknown>): Promise<unknown> {
  const answer = await open(baseAssetId, body);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  return (answer.body as unknown as ErrorBody).error.details;
}

/** A market as it may stand from before it was held to its terms. */
async function standing(
  baseAsset: string,
  terms: Partial<MarketTerms> & { readonly route: MarketRoute },
): Promise<string> {
  const units = { priceScale: 4, tickSize: 100, lotSize: 100, quantityMin: 100, quantityMax: 10_000, createdAt: 0 };
  const made = await createMarket(db, { baseAsset, quoteAsset: USD, ...units, ...terms });
  if (!made.ok) throw new Error(`fixture: ${made.error.reason}`);
  return made.value;
}

test('POST /v1/operator/markets opens one market of a security that a partner has listed, and none that is paid with it', async () => {
  const lister = await createPartner(db, 'cross_lister');
  const [id, other] = [await asset('privates'), await asset('privates')];
  const opened = await open(id);
  expect(opened.status).toBe(200);
  const market = `${id.toUpperCase()}-USD`;
  await createSecurity(db, lister, { id, state: 'listed', market, symbol: id.toUpperCase() });
  const refusal = { status: 409, body: { error: { details: { reason: 'security_has_market' } } } };
  expect(await open(id, PAIR_IN_EUROS)).toMatchObject(refusal);
  expect(await open(other, { quoteAssetId: id })).toMatchObject(refusal);
  expect((await open(other, PAIR_IN_EUROS)).status).toBe(200);
  expect(await db.select().from(markets).where(eq(markets.baseAsset, id))).toMatchObject([{ symbol: market }]);
});

describe('POST /v1/operator/markets with route broker', () => {
  test('opens a market as the broker trades it, once for its Idempotency-Key, and one of an asset', async () => {
    const id = await asset();
    expect(await refused(id, { ...AT_BROKER, priceScale: 2 })).toMatchObject({
      reason: 'not_as_broker',
      field: 'priceScale',
    });
    expect(await refused(id, { ...AT_BROKER, tickSize: 0.05 })).toMatchObject({
      reason: 'not_as_broker',
      field: 'tickSize',
    });
    expect(await refused(id, { ...AT_BROKER, lotSize: 0.5 })).toMatchObject({
      reason: 'not_as_broker',
      field: 'lotSize',
    });
    expect(await refused(await asset('privates'), AT_BROKER)).toMatchObject({ reason: 'asset_not_routed' });
    const key = { 'idempotency-key': uuidv7() };
    for (let time = 0; time < 2; time++)
      expect(await open(id, AT_BROKER, key)).toMatchObject({
        status: 200,
        body: { data: { symbol: `${id.toUpperCase()}-USD` } },
      });
    expect(await open(id, AT_BROKER)).toMatchObject({ status: 409 });
  });

  test('refuses another quote than the dollar, in which the broker quotes, and one at the prime broker alike', async () => {
    expect(await refused(await asset(), { ...AT_BROKER, quoteAssetId: 'euro' })).toMatchObject({
      reason: 'quote_not_cash',
    });
    expect(await refused(await asset('crypto'), { route: 'prime', quoteAssetId: 'euro' })).toMatchObject({
      reason: 'quote_not_cash',
    });
  });

  test('refuses a second market of an asset at the broker', async () => {
    const id = await asset();
    const symbol = await standing(id, { route: 'broker', quoteAsset: 'euro' });
    expect(await refused(id, AT_BROKER)).toMatchObject({ reason: 'asset_routed_elsewhere', symbol });
  });
});

describe('an asset that settles a trading day later at the broker', () => {
  test('has no pair beside it, neither of itself nor one that quotes in it: by either shares would leave before they have settled', async () => {
    const id = await asset();
    const symbol = `${id.toUpperCase()}-USD`;
    expect((await open(id, AT_BROKER)).status).toBe(200);
    expect(await refused(id, PAIR_IN_EUROS)).toEqual({ reason: 'settles_otherwise', symbol });
    const other = await asset('privates');
    expect(await refused(other, { quoteAssetId: id, route: 'internal', tickSize: 0.01 })).toEqual({
      reason: 'settles_otherwise',
      symbol,
    });
    expect((await open(other, PAIR_IN_EUROS)).status).toBe(200);
  });

  test('gets no market at the broker beside such a pair until that is closed', async () => {
    const id = await asset('stocks', { executionRoute: 'internal' });
    expect((await open(id, PAIR_IN_EUROS)).status).toBe(200);
    const pair = `${id.toUpperCase()}-EUR`;
    expect(
      (await operator.patch(`/v1/operator/assets/${id}`, { executionRoute: 'broker', reason: 'routed' })).status,
    ).toBe(200);
    expect(await refused(id, AT_BROKER)).toEqual({ reason: 'settles_otherwise', symbol: pair });
    await setRules(pair, { status: 'closed' });
    expect((await open(id, AT_BROKER)).status).toBe(200);
  });

  test('has none either where both are opened at the same time', async () => {
    const id = await asset();
    const answers = await Promise.all([open(id, AT_BROKER), open(id, PAIR_IN_EUROS)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  test('and others that settle at once, of other categories, may have both', async () => {
    const id = await asset('commodities');
    expect((await open(id, AT_BROKER)).status).toBe(200);
    expect((await open(id, PAIR_IN_EUROS)).status).toBe(200);
  });
});

describe('PATCH /v1/operator/markets/{symbol} of a market of indications', () => {
  const change = (symbol: string, rules: object) =>
    operator.patch<{ data: { rules: { bandBps: number } } }>(`/v1/operator/markets/${symbol}`, {
      ...rules,
      reason: 'a test',
    });
  const indicated = (bandBps: number) =>
    asset('pre-ipo', { executionRoute: 'internal', accreditationType: '506c', regulation: 'reg_d_506c' }).then((id) =>
      standing(id, { route: 'indication', bandBps }),
    );

  test('gives it no band, which lies around no trade, as it is opened with none', async () => {
    const symbol = await indicated(0);
    expect(await change(symbol, { bandBps: 500, maxSize: 50 })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'band_without_trading' } } },
    });
    const [row] = await db.select().from(markets).where(eq(markets.symbol, symbol));
    expect(row).toMatchObject({ bandBps: 0, quantityMax: 10_000 });
    expect((await change(symbol, { bandBps: 0, maxSize: 50 })).status).toBe(200);
  });

  test('takes one away that stands from before, and leaves it where another rule changes', async () => {
    const symbol = await indicated(500);
    expect((await change(symbol, { maxSize: 50 })).status).toBe(200);
    expect((await change(symbol, { bandBps: 0 })).status).toBe(200);
    const [row] = await db.select().from(markets).where(eq(markets.symbol, symbol));
    expect(row).toMatchObject({ bandBps: 0, quantityMax: 5_000 });
  });
});

describe('PATCH /v1/operator/assets/{id} with another route', () => {
  const route = (id: string, executionRoute: string) =>
    operator.patch(`/v1/operator/assets/${id}`, { executionRoute, reason: 'routed' });

  test('is refused where the market that its orders would go to is none that the broker trades', async () => {
    const id = await asset('commodities', { executionRoute: 'internal' });
    await standing(id, { route: 'broker', quoteAsset: 'euro' });
    expect(await route(id, 'broker')).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'quote_not_cash' } } },
    });
    const coarse = await asset('commodities', { executionRoute: 'internal' });
    await standing(coarse, { route: 'broker', tickSize: 500 });
    expect(await route(coarse, 'broker')).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'not_as_broker', field: 'tickSize' } } },
    });
  });

  test('is refused where its market of indications has a band, which lies around no trade', async () => {
    const id = await asset('pre-ipo', {
      executionRoute: 'internal',
      accreditationType: '506c',
      regulation: 'reg_d_506c',
    });
    await standing(id, { route: 'indication', bandBps: 500 });
    expect(await route(id, 'indication')).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'band_without_trading' } } },
    });
  });

  test('is taken where the market is as the broker trades it, and where there is none yet', async () => {
    const id = await asset('commodities', { executionRoute: 'internal' });
    expect((await route(id, 'broker')).status).toBe(200);
    await standing(id, { route: 'broker' });
    expect((await route(id, 'internal')).status).toBe(200);
    expect((await route(id, 'broker')).status).toBe(200);
  });
});
