import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { SandboxFaults } from '../../../../domain/sandbox-broker/faults.ts';
import { sandboxBrokerOf } from '../../../../durable-objects/sandbox-broker/api.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, type Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { tradingClient } from '../../fixtures/trading-client.ts';

interface ShownQuote {
  readonly last: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly change: number;
  readonly changePercent: number;
  readonly prevClose: number;
  readonly timestamp: string;
  readonly stale: boolean;
}

interface ShownBook {
  readonly bids: readonly { readonly price: number; readonly size: number }[];
  readonly asks: readonly { readonly price: number; readonly size: number }[];
  readonly timestamp: string;
  readonly stale: boolean;
}

interface ShownAsset {
  readonly id: string;
  readonly price: number;
  readonly change: number;
  readonly changesPercentage: number;
  readonly stale: boolean;
}

interface ShownBar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const AWAY_MS = 60_000;

let db: Database;
let visitor: Client;
let symbol: string;
let stocks = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  db = await migrate();
  symbol = `STOCK${String.fromCharCode(65 + stocks++)}`;
  await createPair(db, symbol, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 1_00 },
  });
  visitor = anyone();
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const quote = async () => (await visitor.get<ShownQuote>(`/v1/assets/${symbol.toLowerCase()}/quote`)).body;
const book = async (query = '') =>
  (await visitor.get<ShownBook>(`/v1/assets/${symbol.toLowerCase()}/book${query}`)).body;

async function sendAway(): Promise<void> {
  const none = { seed: 1, reject_pm: 0, lateRequest_ms_max: 0, duplicate_pm: 0, delay_pm: 0, delay_ms_max: 0 };
  const faults: SandboxFaults = {
    ...none,
    drop_pm: 0,
    recovery_ms: 0,
    lostAnswer_pm: 0,
    awayUntil_ms: Date.now() + AWAY_MS,
  };
  expect(await sandboxBrokerOf(env, symbol).setFaults(faults)).toBe(true);
}

test('a stock that executes at the broker has the broker’s quote, not the reference price', async () => {
  const shown = await quote();
  expect(shown).toMatchObject({ assetId: symbol.toLowerCase(), stale: false, timestamp: new Date().toISOString() });
  expect(shown.last).toBeGreaterThan(4);
  expect(shown.low).toBeLessThanOrEqual(Math.min(shown.open, shown.last));
  expect(shown.high).toBeGreaterThanOrEqual(Math.max(shown.open, shown.last));
  expect(shown.change).toBeCloseTo(shown.last - shown.prevClose, 9);
});

test('its book is what the venues display together, best first, as deep as is asked for', async () => {
  const shown = await book();
  const [bid, ask] = [shown.bids[0]?.price ?? 0, shown.asks[0]?.price ?? 0];
  expect(shown.stale).toBe(false);
  expect(bid).toBeGreaterThan(0);
  expect(bid).toBeLessThan(ask);
  expect(shown.bids.map(({ price }) => price)).toEqual(shown.bids.map(({ price }) => price).sort((a, b) => b - a));
  expect((await book('?depth=3')).asks).toEqual(shown.asks.slice(0, 3));
  const { last } = await quote();
  expect(last).toBeGreaterThanOrEqual(bid - 1);
  expect(last).toBeLessThanOrEqual(ask + 1);
});

test('while the broker is away the last quote and book are shown, marked stale and with their own time', async () => {
  const [before, shown] = [await quote(), await book()];
  await sendAway();
  later(5_000);
  expect(await quote()).toEqual({ ...before, stale: true });
  expect(await book()).toEqual({ ...shown, stale: true });
  later(AWAY_MS);
  expect(await quote()).toMatchObject({ stale: false, timestamp: new Date().toISOString() });
  expect(await book()).toMatchObject({ stale: false });
});

test('of a broker that has never answered there is the reference price, marked stale, and no book', async () => {
  await sendAway();
  expect(await quote()).toMatchObject({ last: 1, prevClose: 1, volume: 0, stale: true });
  expect(await book()).toMatchObject({ bids: [], asks: [], stale: true });
});

const listed = async () => {
  const { body } = await visitor.get<{ data: ShownAsset[] }>('/v1/assets');
  return body.data.find(({ id }) => id === symbol.toLowerCase());
};
const detail = async () =>
  (
    await visitor.get<{ data: ShownAsset & { marketData: { perDay: (ShownBar & { timestamp: string })[] } } }>(
      `/v1/assets/${symbol.toLowerCase()}`,
    )
  ).body.data;
const chart = async (range: string, interval: string) =>
  (
    await visitor.get<{ data: ShownBar[]; stale: boolean }>(
      `/v1/assets/${symbol.toLowerCase()}/chart?range=${range}&interval=${interval}`,
    )
  ).body;

test('list, detail, quote and portfolio say the same price of it, and the same change', async () => {
  const holder = await tradingClient(db, {}, { asset: symbol.toLowerCase(), lots: [{ quantity: 3, cost: 3_00 }] });
  const { last, change, changePercent } = await quote();
  const shown = { price: last, change, changesPercentage: changePercent, stale: false };
  expect(await listed()).toMatchObject(shown);
  expect(await detail()).toMatchObject(shown);
  const { body } = await holder.get<{ data: { unrealizedPnl: number }[] }>('/v1/portfolio');
  expect(body.data).toMatchObject([
    { assetId: symbol.toLowerCase(), currentPrice: last, marketValue: expect.closeTo(3 * last, 6), stale: false },
  ]);
  expect(body.data[0]?.unrealizedPnl).toBeCloseTo(3 * last - 3, 6);
});

test('its detail has a year of the broker’s daily bars, none of our own executions among them', async () => {
  const { marketData, price } = await detail();
  expect(marketData.perDay).toHaveLength(365);
  expect(marketData.perDay.at(-1)).toMatchObject({ close: price });
  const { open, high, low } = await quote();
  expect(marketData.perDay.at(-1)).toMatchObject({ open, high, low });
});

test.each([
  ['1d', '1m', 1_440],
  ['5d', '15m', 480],
  ['1m', '1h', 720],
  ['3m', '1h', 2_184],
  ['6m', '1d', 182],
  ['1y', '1d', 365],
  ['5y', '1d', 1_826],
] as const)('its chart of %s by %s are the broker’s bars', async (range, interval, bars) => {
  const { data, stale } = await chart(range, interval);
  expect(stale).toBe(false);
  expect(data).toHaveLength(bars);
  expect(data.at(-1)?.close).toBe((await quote()).last);
  for (const { open, high, low, close, volume } of data) {
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(volume).toBeGreaterThanOrEqual(0);
  }
});

test('while the broker is away list, detail, chart and portfolio show what it said last, marked stale', async () => {
  const holder = await tradingClient(db, {}, { asset: symbol.toLowerCase(), lots: [{ quantity: 3 }] });
  const portfolio = async () => (await holder.get<{ data: object[] }>('/v1/portfolio')).body.data;
  const before = {
    listed: await listed(),
    detail: await detail(),
    chart: await chart('1d', '1h'),
    held: await portfolio(),
  };
  await sendAway();
  later(16_000);
  expect(await listed()).toEqual({ ...before.listed, stale: true });
  expect(await detail()).toEqual({ ...before.detail, stale: true });
  expect(await chart('1d', '1h')).toEqual({ ...before.chart, stale: true });
  expect(await portfolio()).toEqual(before.held.map((holding) => ({ ...holding, stale: true })));
});

test('what is stale is not kept: a broker that is back is seen at once', async () => {
  await sendAway();
  for (const path of ['', '/quote', '/book', '/chart']) {
    const { headers } = await visitor.get(`/v1/assets/${symbol.toLowerCase()}${path}`);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  expect((await visitor.get('/v1/assets')).headers.get('cache-control')).toBe('no-store');
});

test('of a broker that has never answered the list shows the reference price, marked stale, and no chart', async () => {
  await sendAway();
  expect(await listed()).toMatchObject({ price: 1, change: 0, stale: true });
  expect(await chart('1d', '1h')).toEqual({ data: [], stale: true });
  expect((await detail()).marketData.perDay).toEqual([]);
});

test('a broker that is away for one asset leaves the others of the list as they are', async () => {
  const other = symbol;
  symbol = `STOCK${String.fromCharCode(65 + stocks++)}`;
  await createPair(db, symbol, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 1_00 },
  });
  await sendAway();
  expect(await listed()).toMatchObject({ price: 1, stale: true });
  symbol = other;
  expect(await listed()).toMatchObject({ stale: false });
});
