import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import type { PrimeFaults } from '../../../../domain/sandbox-prime/prime-faults.ts';
import { orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { sandboxPrimeOf } from '../../../../durable-objects/sandbox-prime/api.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { balanceOf } from '../../fixtures/book-commands.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearFaults } from '../../fixtures/faults.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { passTimeAt } from '../../fixtures/pass-time.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { webhook } from '../../fixtures/prime-webhook.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const CLEARING = BOUNDARY_ACCOUNT.primeClearing;
const LOT = 1_000_000;

let db: Database;
let nextCoin = 0;

beforeAll(async () => {
  db = await migrate();
  // Finer than a cent, so that what the prime fills is whole.
  await createAsset(db, { id: USD, symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4, createdAt: 0 });
});

afterEach(async () => {
  await expectRightLedger();
  clearFaults();
});

interface Coin {
  readonly asset: string;
  readonly name: string;
  readonly market: string;
  readonly buyer: TradingClient;
  /** What the prime deals at. */
  readonly ask: number;
  readonly bid: number;
  readonly last: number;
}

const NO_FAULTS: PrimeFaults = {
  seed: 1,
  duplicate_pm: 0,
  delay_pm: 0,
  delay_ms_max: 0,
  drop_pm: 0,
  missign_pm: 0,
  lostAnswer_pm: 0,
  awayUntil_ms: 0,
  prices: { symbol: 'STILL', at_ms: 1_800_000_000_000 },
};

/** A coin of its own for every test: at the prime broker, whose market stands still, and as a pair. In cents and hundredths; fee 10 bps. */
async function coin(faults: Partial<PrimeFaults> = {}, quantityMax = 1_000_000 * LOT): Promise<Coin> {
  const name = `COIN${nextCoin++}`;
  const asset = name.toLowerCase();
  const of = { category: 'crypto', rail: 'digital', scale: 8, tracksLots: false, executionRoute: 'prime' } as const;
  const units = { lotSize: LOT, quantityMin: LOT, quantityMax, takerFeeBps: 10 };
  await createPair(db, name, { asset: of, market: { ...units, referencePrice: 77_00 } });
  const { symbol: market } = await createPair(db, name, { asset: of, market: { ...units, route: 'prime' } });
  const prime = sandboxPrimeOf(env, name);
  expect(await prime.setFaults({ ...NO_FAULTS, ...faults })).toBe(true);
  const quote = await prime.quote();
  if (!quote.ok) throw new Error('fixture: no quote');
  const buyer = await tradingClient(db, { cash: 10_000_0000 });
  return {
    asset,
    name,
    market,
    buyer,
    ask: Number(quote.value.ask),
    bid: Number(quote.value.bid),
    last: Number(quote.value.last),
  };
}

/** Until the order is in this state, which its owner reads. */
function becomes(client: TradingClient, orderId: string, state: Record<string, unknown>): Promise<void> {
  return vi.waitFor(async () => expect(await orderOf(client, orderId)).toMatchObject(state), { interval: 100 });
}

describe('an order on crypto in profile A', () => {
  test('is submitted to the prime broker and completed by its webhook: EXECUTED, in the portfolio and the transactions', async () => {
    const { asset, name, buyer, ask } = await coin();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 0.25, ask + 1));
    await becomes(buyer, orderId, { status: 'EXECUTED', filledQuantity: 0.25 });
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({ data: [{ assetId: asset, quantity: 0.25 }] });
    const { body } = await buyer.get<{ data: { price: number }[] }>('/v1/core-transactions?type=trade');
    expect(body.data).toMatchObject([{ type: 'trade', side: 'BUY', assetId: asset, quantity: 0.25, price: ask }]);
    expect(await balanceOf(CLEARING, asset)).toEqual({ available: -0.25e8, held: 0 });
    expect(await sandboxPrimeOf(env, name).position()).toEqual({ ok: true, value: '0.25' });
    const events = await env.DB.prepare(`SELECT count(*) AS events FROM prime_events WHERE id LIKE ?1`)
      .bind(`${name}-%`)
      .first<{ events: number }>();
    expect(events?.events).toBeGreaterThan(0);
  });

  test('at market is sold within the collar of what the prime quotes', async () => {
    const { asset, buyer } = await coin();
    await becomes(buyer, await placed(buyer, { assetId: asset, side: 'BUY', orderType: 'market', quantity: 1 }), {
      status: 'EXECUTED',
    });
    const orderId = await placed(buyer, { assetId: asset, side: 'SELL', orderType: 'market', quantity: 1 });
    await becomes(buyer, orderId, { status: 'EXECUTED', filledQuantity: 1 });
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 0, held: 0 });
  });

  test('that rests is cancelled best effort: 200 CANCELLED once the webhook says so', async () => {
    const { asset, buyer } = await coin();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 1, 1));
    await vi.waitFor(async () => expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 1_0010 }));
    const answer = await buyer.delete<{ data: object }>(`/v1/orders/${orderId}`);
    expect([200, 202]).toContain(answer.status);
    await becomes(buyer, orderId, { status: 'CANCELLED' });
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_0000, held: 0 });
  });
});

test('an order that might bring more of a coin than an account may have is refused, and kept as rejected', async () => {
  const { asset, name, buyer } = await coin({}, 4_000_000_000 * LOT);
  const { status, body } = await buyer.post<{ error: { code: string; details: { orderId: string } } }>(
    '/v1/orders',
    limitOrder(asset, 'BUY', 30_000_000, 0.01),
  );
  expect({ status, error: body.error }).toMatchObject({
    status: 403,
    error: {
      code: 'RISK_LIMIT_EXCEEDED',
      details: { limit: 'holding', asset: name, required: 30_000_000, available: 19_703_248.36974592 },
    },
  });
  await becomes(buyer, body.error.details.orderId, { status: 'REJECTED' });
  expect(await sandboxPrimeOf(env, name).order(body.error.details.orderId)).toEqual({ ok: true, value: null });
});

test('an order that is good until a time is ended at the prime broker at that time', async () => {
  const { asset, name, market, buyer } = await coin();
  const terms = { timeInForce: 'GTD', expiresAt: new Date(Date.now() + 60_000).toISOString() };
  const orderId = await placed(buyer, { ...limitOrder(asset, 'BUY', 1, 1), ...terms });
  await vi.waitFor(async () => {
    const order = await sandboxPrimeOf(env, name).order(orderId);
    expect(order).toMatchObject({ value: { status: 'open', timeInForce: 'gtc' } });
  });
  await passTimeAt(market, 60_000);
  // What the prime says of it is due by the clock that was moved on, and rings by the real one.
  await runDurableObjectAlarm(env.SANDBOX_PRIME.getByName(name));
  await becomes(buyer, orderId, { status: 'CANCELLED' });
  expect(await sandboxPrimeOf(env, name).order(orderId)).toMatchObject({ value: { status: 'canceled' } });
  expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_0000, held: 0 });
});

test('the pair of the same coin stays where it is: profile B trades it, and sees nothing of the prime market', async () => {
  const { asset, name, market, buyer, ask, bid, last } = await coin();
  await becomes(buyer, await placed(buyer, limitOrder(asset, 'BUY', 0.25, ask + 1)), { status: 'EXECUTED' });
  const listed = JSON.stringify((await call('GET /book/v1/markets')).body);
  expect(listed).toContain(`"${name}-USD"`);
  expect(listed).not.toContain('PRIME');
  for (const path of ['orderbook', 'trades'])
    expect(codeOf(await call(`GET /book/v1/${path}/${encodeURIComponent(market)}`))).toBe('INVALID_SYMBOL');
  expect(JSON.stringify((await call(`GET /book/v1/trades/${name}-USD`)).body)).not.toContain('0.25');
  const { headers } = await createKeyHolder(db, { cash: 1_000_0000 });
  const order = { symbol: market, side: 'buy', type: 'limit', size: 0.25, price: 1 };
  expect(codeOf(await call('POST /book/v1/orders', { headers, json: order }))).toBe('INVALID_SYMBOL');
  const quote = (await anyone().get<object>(`/v1/assets/${asset}/quote`)).body;
  expect(quote).toMatchObject({ last, stale: false });
  const { body: book } = await anyone().get<{ bids: { price: number }[]; asks: { price: number }[] }>(
    `/v1/assets/${asset}/book`,
  );
  expect([book.bids[0]?.price, book.asks[0]?.price]).toEqual([bid, ask]);
});

test('list, detail and chart of a coin are the prime’s, and its pair, which trades elsewhere, moves none of them', async () => {
  const { asset, name, last } = await coin();
  const [seller, buyer] = [await createKeyHolder(db), await createKeyHolder(db, { cash: 1_000_0000 })];
  await giveBalance({ accountId: seller.accountId, asset, amount: 10 ** 8 });
  const terms = { symbol: `${name}-USD`, type: 'limit', size: 1, price: 1 };
  await call('POST /book/v1/orders', { headers: seller.headers, json: { ...terms, side: 'sell' } });
  const bought = await call('POST /book/v1/orders', { headers: buyer.headers, json: { ...terms, side: 'buy' } });
  expect(bought.body).toMatchObject({ status: 'filled' });
  const visitor = anyone();
  const list = await visitor.get<{ data: object[] }>(`/v1/assets?marketRail=digital&search=${name}`);
  expect(list.body.data).toMatchObject([{ id: asset, price: last, stale: false }]);
  const { body: detail } = await visitor.get<{ data: { marketData: { perDay: object[] } } }>(`/v1/assets/${asset}`);
  expect(detail.data).toMatchObject({ price: last, stale: false });
  expect(detail.data.marketData.perDay).toHaveLength(365);
  const { body: chart } = await visitor.get<{ data: { low: number }[]; stale: boolean }>(
    `/v1/assets/${asset}/chart?range=1d&interval=1h`,
  );
  expect(chart).toMatchObject({ stale: false });
  expect(chart.data).toHaveLength(24);
  for (const { low } of chart.data) expect(low).toBeGreaterThan(1);
});

describe('a webhook that does not come', () => {
  test('is found by asking after ten seconds: the trade is there once, also when it comes after all', async () => {
    const { asset, name, market, buyer, ask } = await coin({ drop_pm: 1_000 });
    // The book asks when it starts, and then only where it hears nothing for too long.
    await becomes(buyer, await placed(buyer, limitOrder(asset, 'BUY', 1, 1)), { status: 'PENDING' });
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 0.25, ask + 1));
    await vi.waitFor(async () =>
      expect(await sandboxPrimeOf(env, name).order(orderId)).toMatchObject({ value: { status: 'filled' } }),
    );
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING' });
    skipTime(10_000);
    await orderBookOf(env, market).submit([]);
    await runDurableObjectAlarm(env.ORDER_BOOK.getByName(market));
    await becomes(buyer, orderId, { status: 'EXECUTED', filledQuantity: 0.25 });
    const events = await sandboxPrimeOf(env, name).events(null);
    const [transfer] = events.ok ? events.value.events : [];
    const late = await webhook({
      type: 'TRANSFER',
      id: transfer?.id,
      clientOrderId: orderId,
      symbol: name,
      executionId: `${name}-P1`,
      side: 'BUY',
      quantity: '0.25',
      price: String(ask),
      executedAt: new Date().toISOString(),
      orderComplete: true,
    });
    expect(late.status).toBe(200);
    expect(await balanceOf(CLEARING, asset)).toEqual({ available: -0.25e8, held: 0 });
  });
});
