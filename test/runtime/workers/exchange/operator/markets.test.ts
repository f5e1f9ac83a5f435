import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { createMarket, findMarket } from '../../../../../data/markets/markets.ts';
import { domainEvents } from '../../../../../data/schema/audit.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';

let db: Database;
let operator: Client;
let theirs: Client;
let trader: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  for (const symbol of ['ONE', 'TWO', 'FEE']) await createPair(db, symbol);
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  theirs = await signedIn(await createTrader(db, { roles: ['operator'] }));
  trader = await createKeyHolder(db, { cash: 1_000_000_00 });
});

const order = (symbol: string, more: Record<string, unknown> = {}) =>
  trader.client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size: 1, price: 10, ...more });

const statusOf = async (orderId: unknown) => (await trader.client.get(`/v1/orders/${orderId}`)).body;

const HALTED = { status: 400, body: { error: { code: 'ASSET_NOT_TRADEABLE', details: { reason: 'market_halted' } } } };

describe('creating a market', () => {
  test('refuses a tick × lot that is not a whole quote unit', async () => {
    const terms = {
      baseAsset: 'one',
      quoteAsset: USD,
      tickSize: 1,
      lotSize: 1,
      quantityMin: 1,
      quantityMax: 10,
      createdAt: 0,
    };
    expect(await createMarket(db, { ...terms, priceScale: 4 })).toEqual({
      ok: false,
      error: { reason: 'notional_not_whole' },
    });
    expect(await createMarket(db, { ...terms, priceScale: 4, tickSize: 100 })).toMatchObject({ ok: true });
  });
});

describe('POST /v1/operator/markets/{symbol}/halt and /resume', () => {
  test('a halt cancels the open orders of that market and refuses others, until it resumes', async () => {
    const [one, two] = [(await order('ONE-USD')).body.order_id, (await order('TWO-USD')).body.order_id];
    expect(await operator.post('/v1/operator/markets/ONE-USD/halt', undefined)).toMatchObject({
      status: 200,
      body: { data: { symbol: 'ONE-USD', before: { status: 'open' }, after: { status: 'halted' } } },
    });
    expect(await statusOf(one)).toMatchObject({ status: 'cancelled', reason: 'halt' });
    expect(await statusOf(two)).toMatchObject({ status: 'open' });
    expect(await order('ONE-USD')).toMatchObject(HALTED);
    await operator.post('/v1/operator/markets/ONE-USD/resume', undefined);
    await expect.poll(async () => (await order('ONE-USD')).status).toBe(200);
    await expectRightLedger();
  });
});

describe('POST /v1/operator/venue/halt and /resume', () => {
  test('a market-wide halt cancels every open order; a market halted by itself stays halted on resumption', async () => {
    const two = (await order('TWO-USD')).body.order_id;
    await operator.post('/v1/operator/markets/ONE-USD/halt', undefined);
    expect(await operator.post('/v1/operator/venue/halt', undefined)).toMatchObject({
      body: { data: { halted: true } },
    });
    expect(await statusOf(two)).toMatchObject({ status: 'cancelled', reason: 'halt' });
    expect(await order('TWO-USD')).toMatchObject(HALTED);
    await operator.post('/v1/operator/venue/resume', undefined);
    await expect.poll(async () => (await order('TWO-USD')).status).toBe(200);
    expect(await order('ONE-USD')).toMatchObject(HALTED);
    await operator.post('/v1/operator/markets/ONE-USD/resume', undefined);
    await expectRightLedger();
  });

  test('rules changed while the venue is halted do not halt the market for good', async () => {
    await operator.post('/v1/operator/venue/halt', undefined);
    await operator.patch('/v1/operator/markets/TWO-USD', { maxSize: 500 });
    await operator.post('/v1/operator/venue/resume', undefined);
    expect(await findMarket(db, 'TWO-USD')).toMatchObject({ status: 'open', quantityMax: 500 });
  });
});

describe('PATCH /v1/operator/markets/{symbol}', () => {
  test('takes a reference price away that is stated as null, and leaves one that is not stated', async () => {
    await createPair(db, 'REFER', { market: { referencePrice: 10_00 } });
    await operator.patch('/v1/operator/markets/REFER-USD', { bandBps: 500 });
    expect(await findMarket(db, 'REFER-USD')).toMatchObject({ bandBps: 500, referencePrice: 10_00 });
    await operator.patch('/v1/operator/markets/REFER-USD', { referencePrice: null });
    expect(await findMarket(db, 'REFER-USD')).toMatchObject({ bandBps: 500, referencePrice: null });
  });

  test('changes sizes, fees and band for the orders that follow', async () => {
    const before = await findMarket(db, 'FEE-USD');
    expect(
      await operator.patch('/v1/operator/markets/FEE-USD', {
        minSize: 2,
        makerFeeBps: 10,
        takerFeeBps: 20,
        bandBps: 500,
        referencePrice: 10,
      }),
    ).toMatchObject({
      status: 200,
      body: { data: { after: { minSize: 2, takerFeeBps: 20, bandBps: 500, referencePrice: 10 } } },
    });
    expect((await findMarket(db, 'FEE-USD'))?.rulesVersion).toBe(Number(before?.rulesVersion) + 1);
    await expect
      .poll(async () => (await order('FEE-USD')).body.error)
      .toMatchObject({ details: { reason: 'below_minimum' } });
    expect((await order('FEE-USD', { size: 2, price: 11 })).body.error).toMatchObject({
      details: { reason: 'outside_price_band' },
    });
    expect(await order('FEE-USD', { size: 2 })).toMatchObject({ status: 200 });
    await expectRightLedger();
  });

  test('refuses rules that make no market, and fields that resting orders are made of', async () => {
    const patch = (body: unknown, symbol = 'TWO-USD') => operator.patch(`/v1/operator/markets/${symbol}`, body);
    expect(await patch({ minSize: 10_000 })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'minimum_above_maximum' } } },
    });
    expect(await patch({ makerFeeBps: 5_000 })).toMatchObject({ status: 400 });
    expect(await patch({ minSize: 0.5 })).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'minSize' } } },
    });
    expect(await patch({ tickSize: 5 })).toMatchObject({ status: 400 });
    expect(await patch({ minSize: 1 }, 'NO-USD')).toMatchObject({ status: 404 });
  });

  test('under one Idempotency-Key takes place once, and is written down', async () => {
    const key = { 'idempotency-key': uuidv7() };
    await operator.patch('/v1/operator/markets/TWO-USD', { bandBps: 100 }, key);
    await operator.patch('/v1/operator/markets/TWO-USD', { bandBps: 200 });
    const repeated = await operator.patch('/v1/operator/markets/TWO-USD', { bandBps: 100 }, key);
    expect(repeated).toMatchObject({ status: 200 });
    expect((await findMarket(db, 'TWO-USD'))?.bandBps).toBe(200);
    const events = (await db.select().from(domainEvents).where(eq(domainEvents.subject, 'TWO-USD'))).map(
      ({ payload }) => JSON.parse(payload),
    );
    expect(events.filter(({ after }) => after.bandBps === 100)).toHaveLength(1);
  });
});

describe('GET /v1/operator/books', () => {
  test('says of each book its fence, cursor, backlog and live orders; its state hash is asked for by itself', async () => {
    await order('TWO-USD', { price: 9 });
    const { body } = await operator.get<{ data: { symbol: string; status: Record<string, unknown> | null }[] }>(
      '/v1/operator/books',
    );
    expect(body.data.map(({ symbol }) => symbol)).toContain('ONE-USD');
    const two = body.data.find(({ symbol }) => symbol === 'TWO-USD')?.status;
    expect(two).toMatchObject({
      market: 'open',
      halted: null,
      outbox: expect.any(Number),
      queued: 0,
    });
    expect(two).not.toHaveProperty('stateHash');
    expect(await operator.get('/v1/operator/books/TWO-USD/state-hash')).toMatchObject({
      status: 200,
      body: { data: { journaled: two?.journaled, stateHash: expect.stringMatching(/./) } },
    });
    expect(await operator.get('/v1/operator/books/NONE-USD/state-hash')).toMatchObject({ status: 404 });
    expect(Number(two?.liveOrders)).toBeGreaterThan(0);
    expect(Number(two?.batch)).toBeGreaterThan(0);
  });
});

describe('GET /v1/operator/audit', () => {
  test('settles the books and finds that everything holds', async () => {
    await order('TWO-USD', { price: 9 });
    const { body } = await operator.get<{
      data: { holds: boolean; unsettledBooks: string[]; checks: { examined: number }[] };
    }>('/v1/operator/audit');
    expect(body.data).toMatchObject({ holds: true, unsettledBooks: [] });
    expect(body.data.checks.some(({ examined }) => examined > 0)).toBe(true);
  });

  test('names what is broken', async () => {
    await db.$client
      .prepare(`UPDATE balances SET available = available + 1 WHERE account = ?`)
      .bind(trader.accountId)
      .run();
    const { body } = await operator.get<{
      data: { holds: boolean; checks: { holds: boolean; violation: string | null }[] };
    }>('/v1/operator/audit');
    expect(body.data.holds).toBe(false);
    expect(body.data.checks.find(({ holds }) => !holds)?.violation).toContain('usd is off by 1');
    await db.$client
      .prepare(`UPDATE balances SET available = available - 1 WHERE account = ?`)
      .bind(trader.accountId)
      .run();
  });
});

test('an operator of another organization than the venue touches no market and sees neither books nor audit', async () => {
  for (const path of ['markets/ONE-USD/halt', 'markets/ONE-USD/resume', 'venue/halt', 'venue/resume']) {
    expect(await theirs.post(`/v1/operator/${path}`, undefined)).toMatchObject({ status: 403 });
  }
  expect(await theirs.patch('/v1/operator/markets/ONE-USD', { bandBps: 1 })).toMatchObject({ status: 403 });
  for (const path of ['books', 'audit'])
    expect(await theirs.get(`/v1/operator/${path}`)).toMatchObject({ status: 403 });
});
