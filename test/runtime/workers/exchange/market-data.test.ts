import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AssetTerms } from '../../../../data/catalog/assets.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { bars } from '../../../../data/schema/markets.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, type Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NUMBERS = expect.any(Number);

let db: Database;
let visitor: Client;
let buyer: TradingClient;
let seller: TradingClient;

const LISTED: Record<string, Partial<AssetTerms>> = {
  ORBIT: {
    name: 'Orbit Robotics',
    category: 'privates',
    rail: 'private',
    image: 'https://img.example/orbit.png',
    offeringType: 'Reg A',
  },
  AAPL: {
    name: 'Apple Inc.',
    category: 'stocks',
    rail: 'public',
    exchange: 'NASDAQ',
    executionRoute: 'broker',
    tracksLots: false,
  },
  BOND: {
    name: 'Treasury Note 2031',
    category: 'fixed-income',
    rail: 'public',
    executionRoute: 'broker',
    tracksLots: false,
  },
  GOLD: {
    name: 'Gold ounce Élysée',
    category: 'commodities',
    rail: 'public',
    executionRoute: 'broker',
    tracksLots: false,
  },
  EURO: { name: 'Euro', category: 'forex', rail: 'public', executionRoute: 'broker', tracksLots: false },
  NEXT: {
    name: 'Next Unicorn',
    category: 'pre-ipo',
    rail: 'private',
    executionRoute: 'indication',
    accreditationType: '506c',
  },
  BTC: {
    name: 'Bitcoin',
    category: 'crypto',
    rail: 'digital',
    executionRoute: 'prime',
    tracksLots: false,
    tradeable: false,
  },
};

beforeAll(async () => {
  db = await migrate();
  for (const [symbol, asset] of Object.entries(LISTED)) await createPair(db, symbol, { asset });
  await createPair(db, 'QUIET', {
    asset: { accreditationType: '506b', regulation: 'reg_d_506b' },
    market: { referencePrice: 5_00 },
  });
  await createAsset(db, {
    id: 'soon',
    symbol: 'SOON',
    name: 'Soon',
    category: 'privates',
    rail: 'private',
    scale: 0,
    status: 'PENDING',
    createdAt: 0,
  });
  await createAsset(db, {
    id: 'solo',
    symbol: 'SOLO',
    name: 'Without a market',
    category: 'stocks',
    rail: 'public',
    scale: 0,
    createdAt: 0,
  });
  visitor = anyone();
  buyer = await tradingClient(db, { cash: 1_000_000_00 });
  seller = await tradingClient(db, {}, { asset: 'orbit', lots: [{ quantity: 1_000 }] });
});

/** A body with its timestamp, which is that of the answer, as the kind of text it is. */
function timeless(body: unknown): unknown {
  const { timestamp, ...rest } = body as { readonly timestamp?: string };
  return timestamp === undefined ? rest : { ...rest, timestamp: ISO.test(timestamp) };
}

interface AssetList {
  readonly data: { readonly id: string; readonly symbol: string }[];
}

const symbols = async (query: string, client = visitor) => {
  const answer = await client.get<AssetList>(`/v1/assets${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data.map(({ symbol }) => symbol);
};

describe('GET /v1/assets', () => {
  test('is public and answers {data: [asset list item], message}', async () => {
    const { status, body } = await visitor.get<AssetList & { message: string }>('/v1/assets');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'message']);
    expect(body.message).toBe('ok');
    expect(body.data.find(({ id }) => id === 'aapl')).toEqual({
      id: 'aapl',
      symbol: 'AAPL',
      name: 'Apple Inc.',
      type: 'stocks',
      exchange: 'NASDAQ',
      status: 'APPROVED',
      price: 0,
      change: 0,
      changesPercentage: 0,
      image: 'http://localhost/exchange/v1/assets/aapl/image',
      stale: false,
    });
  });

  test('exchange is null for crypto', async () => {
    const { body } = await visitor.get<AssetList>('/v1/assets?category=crypto');
    expect(body.data).toMatchObject([{ id: 'btc', exchange: null, type: 'crypto' }]);
  });

  test.each([
    ['public', ['AAPL', 'BOND', 'EURO', 'GOLD', 'SOLO']],
    ['private', ['NEXT', 'ORBIT']],
    ['digital', ['BTC']],
  ])('marketRail=%s', async (rail, expected) => {
    expect(await symbols(`?marketRail=${rail}`)).toEqual(expected);
  });

  test.each([
    ['stocks', ['AAPL', 'SOLO']],
    ['crypto', ['BTC']],
    ['privates', ['ORBIT']],
    ['pre-ipo', ['NEXT']],
    ['fixed-income', ['BOND']],
    ['commodities', ['GOLD']],
    ['forex', ['EURO']],
  ])('category=%s', async (category, expected) => {
    expect(await symbols(`?category=${category}`)).toEqual(expected);
  });

  test('tradeable is a boolean: whether an order can be placed, by an open asset and a route or market that exists', async () => {
    expect(await symbols('?tradeable=true')).toEqual(['ORBIT']);
    const others = (await symbols('')).filter((symbol) => symbol !== 'ORBIT');
    expect(others).toEqual(expect.arrayContaining(['BTC', 'AAPL', 'SOLO']));
    expect(await symbols('?tradeable=false')).toEqual(others);
    expect((await visitor.get('/v1/assets?tradeable=perhaps')).status).toBe(400);
  });

  test.each([
    ['apple', ['AAPL']],
    ['aap', ['AAPL']],
    ['inc APPLE', ['AAPL']],
    ['robotics', ['ORBIT']],
    ['2031 note', ['BOND']],
    ['OUNCE Élysée', ['GOLD']],
    ['no-such-thing', []],
    ["%' OR 1=1", []],
  ])('search=%s: full text on symbol or name', async (search, expected) => {
    expect(await symbols(`?search=${encodeURIComponent(search)}`)).toEqual(expected);
  });

  test('filters are combined, unknown ones of a kind are refused', async () => {
    expect(await symbols('?marketRail=public&category=stocks&search=inc')).toEqual(['AAPL']);
    expect((await visitor.get('/v1/assets?category=art')).status).toBe(400);
    expect((await visitor.get('/v1/assets?marketRail=sideways')).status).toBe(400);
  });

  test('neither currencies nor assets that are not approved are listed', async () => {
    const all = await symbols('');
    expect(all).not.toContain('USD');
    expect(all).not.toContain('SOON');
  });

  test('limit and cursor page by symbol', async () => {
    const first = await visitor.get<AssetList>('/v1/assets?limit=3');
    expect(first.body.data.map(({ symbol }) => symbol)).toEqual(['AAPL', 'BOND', 'BTC']);
    const next = /<[^>]*\/exchange([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await visitor.get<AssetList>(next)).body.data[0]).toMatchObject({ symbol: 'EURO' });
    expect((await visitor.get('/v1/assets')).headers.get('link')).toBeNull();
  });
});

describe('assets under 506(b)', () => {
  const PATHS = ['/v1/assets/quiet', '/v1/assets/quiet/quote', '/v1/assets/quiet/chart', '/v1/assets/quiet/book'];

  test('answer 404 to anyone not self-certified', async () => {
    for (const client of [visitor, buyer]) {
      for (const path of PATHS) {
        expect(await client.get(path)).toMatchObject({ status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } });
      }
      expect(await symbols('', client)).not.toContain('QUIET');
    }
  });

  test.each(['506b', '506c'] as const)('are shown to investors accredited under %s', async (accreditationType) => {
    const client = await tradingClient(db, { accreditationStatus: 'completed', accreditationType });
    for (const path of PATHS) expect((await client.get(path)).status).toBe(200);
    expect(await symbols('', client)).toContain('QUIET');
  });

  test('506c assets are shown to everyone', async () => {
    expect((await visitor.get('/v1/assets/next')).status).toBe(200);
  });
});

describe('unknown asset: 404 ASSET_NOT_FOUND', () => {
  test.each([
    '/v1/assets/nowhere',
    '/v1/assets/usd',
    '/v1/assets/soon',
    '/v1/assets/nowhere/quote',
    '/v1/assets/nowhere/chart',
    '/v1/assets/nowhere/book',
    '/v1/exchange-orderbook?assetId=nowhere',
    '/v1/asset-chats?assetId=nowhere',
    '/v1/exchange-assets/nowhere',
  ])('%s', async (path) => {
    expect(await visitor.get(path)).toMatchObject({ status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } });
  });
});

describe('a day of trading', () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;

  beforeAll(async () => {
    const yesterday = { book: 'ORBIT-USD', interval: '1d', bucket: today - DAY_MS, quoteVolume: 0, trades: 3 } as const;
    await db.insert(bars).values({ ...yesterday, open: 9_00, high: 10_50, low: 8_75, close: 10_00, volume: 30 });
    for (const [price, quantity] of [
      [11, 4],
      [12.5, 2],
      [10.25, 3],
      [12, 1],
    ] as const) {
      await placed(seller, limitOrder('orbit', 'SELL', quantity, price));
      await placed(buyer, limitOrder('orbit', 'BUY', quantity, price));
    }
    await placed(seller, limitOrder('orbit', 'SELL', 7, 12.25));
    await placed(seller, limitOrder('orbit', 'SELL', 5, 12.5));
    await placed(buyer, limitOrder('orbit', 'BUY', 6, 11.75));
    await placed(buyer, limitOrder('orbit', 'BUY', 2, 11.75));
    await buyer.get('/v1/account');
  });

  test('GET /v1/assets/{id}/quote: quote object without envelope', async () => {
    expect((await visitor.get('/v1/assets/orbit/quote')).body).toEqual({
      assetId: 'orbit',
      last: 12,
      open: 11,
      high: 12.5,
      low: 10.25,
      prevClose: 10,
      change: 2,
      changePercent: 20,
      volume: 10,
      timestamp: expect.stringMatching(ISO),
      stale: false,
    });
  });

  test('before the first trade a quote stands at the reference price, without one at 0', async () => {
    const client = await tradingClient(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    expect((await client.get('/v1/assets/quiet/quote')).body).toMatchObject({
      last: 5,
      open: 5,
      prevClose: 5,
      change: 0,
      volume: 0,
    });
    expect((await visitor.get('/v1/assets/solo/quote')).body).toMatchObject({
      assetId: 'solo',
      last: 0,
      changePercent: 0,
    });
  });

  test('the list and the detail show price, change and changesPercentage', async () => {
    const shown = { price: 12, change: 2, changesPercentage: 20 };
    expect((await visitor.get('/v1/assets?search=orbit')).body).toMatchObject({ data: [shown] });
    expect((await visitor.get('/v1/assets/orbit')).body).toMatchObject({ data: shown });
  });

  test('GET /v1/assets/{id}: {data: asset detail}', async () => {
    const { body } = await visitor.get('/v1/assets/orbit');
    expect(body).toEqual({
      data: {
        id: 'orbit',
        symbol: 'ORBIT',
        name: 'Orbit Robotics',
        type: 'privates',
        exchange: null,
        status: 'APPROVED',
        price: 12,
        change: 2,
        changesPercentage: 20,
        image: 'https://img.example/orbit.png',
        stale: false,
        accreditationType: null,
        offeringType: 'Reg A',
        marketRail: 'private',
        regulation: null,
        tradeable: true,
        tradingHours: 'always',
        opensAt: null,
        issuerName: null,
        description: null,
        marketData: {
          perDay: [
            {
              timestamp: new Date(today - DAY_MS).toISOString(),
              open: 9,
              high: 10.5,
              low: 8.75,
              close: 10,
              volume: 30,
            },
            { timestamp: new Date(today).toISOString(), open: 11, high: 12.5, low: 10.25, close: 12, volume: 10 },
          ],
        },
      },
    });
  });

  test.each([
    ['506c', 'next'],
    ['506b', 'quiet'],
    [null, 'orbit'],
  ])('the detail has accreditationType %s', async (accreditationType, assetId) => {
    const client = await tradingClient(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    expect((await client.get(`/v1/assets/${assetId}`)).body).toMatchObject({ data: { accreditationType } });
  });

  test('GET /v1/assets/{id}/book: bids and asks without envelope, best first, levels aggregated', async () => {
    expect((await visitor.get('/v1/assets/orbit/book')).body).toEqual({
      assetId: 'orbit',
      bids: [{ price: 11.75, size: 8 }],
      asks: [
        { price: 12.25, size: 7 },
        { price: 12.5, size: 5 },
      ],
      timestamp: expect.stringMatching(ISO),
      stale: false,
    });
    expect((await visitor.get('/v1/assets/solo/book')).body).toMatchObject({ bids: [], asks: [] });
  });

  test('depth is at most 1,000', async () => {
    expect((await visitor.get('/v1/assets/orbit/book?depth=1')).body).toMatchObject({
      asks: [{ price: 12.25, size: 7 }],
    });
    expect((await visitor.get<{ asks: unknown[] }>('/v1/assets/orbit/book?depth=1')).body.asks).toHaveLength(1);
    expect((await visitor.get('/v1/assets/orbit/book?depth=1001')).status).toBe(400);
    expect((await visitor.get('/v1/assets/orbit/book?depth=0')).status).toBe(400);
  });

  test('depth defaults to 50', async () => {
    await createPair(db, 'DEEP');
    const maker = await tradingClient(db, { cash: 1_000_000_00 });
    await env.ORDER_BOOK.getByName('DEEP-USD').submit(
      Array.from({ length: 54 }, (_, at) => place(maker.accountId, 'buy', 1, (at + 1) * 100)),
    );
    const { body } = await visitor.get<{ bids: { price: number }[] }>('/v1/assets/deep/book');
    expect(body.bids).toHaveLength(50);
    expect(body.bids[0]).toEqual({ price: 54, size: 1 });
  });

  test('GET /v1/assets/{id}/chart: bars of trades; range defaults to 1d and interval to a fitting one', async () => {
    const { body } = await visitor.get<{ data: { time: number; volume: number }[] }>('/v1/assets/orbit/chart');
    expect(Object.keys(body)).toEqual(['data', 'stale']);
    expect(body.data[0]).toEqual({
      time: NUMBERS,
      open: 11,
      high: NUMBERS,
      low: NUMBERS,
      close: NUMBERS,
      volume: NUMBERS,
    });
    expect((body.data[0]?.time ?? 1) % 300_000).toBe(0);
    expect(body.data.reduce((sum, { volume }) => sum + volume, 0)).toBe(10);
  });

  test.each(['1m', '5m', '15m', '1h', '1d'])('interval=%s has the same trades', async (interval) => {
    const { body } = await visitor.get<{ data: { high: number; low: number; volume: number }[] }>(
      `/v1/assets/orbit/chart?range=1d&interval=${interval}`,
    );
    expect(body.data.reduce((sum, { volume }) => sum + volume, 0)).toBe(10);
    expect(Math.max(...body.data.map(({ high }) => high))).toBe(12.5);
    expect(Math.min(...body.data.map(({ low }) => low))).toBe(10.25);
  });

  test.each(['5d', '1m', '3m', '6m', '1y', '5y'])('range=%s reaches back to yesterday', async (range) => {
    const { body } = await visitor.get(`/v1/assets/orbit/chart?range=${range}&interval=1d`);
    expect(body).toEqual({
      data: [
        { time: today - DAY_MS, open: 9, high: 10.5, low: 8.75, close: 10, volume: 30 },
        { time: today, open: 11, high: 12.5, low: 10.25, close: 12, volume: 10 },
      ],
      stale: false,
    });
  });

  test('a pair that would exceed 5,000 bars is 400, as is an unknown one', async () => {
    expect(await visitor.get('/v1/assets/orbit/chart?range=5d&interval=1m')).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { bars: 7_200, barsMax: 5_000 } } },
    });
    expect((await visitor.get('/v1/assets/orbit/chart?range=2d')).status).toBe(400);
    expect((await visitor.get('/v1/assets/orbit/chart?interval=2h')).status).toBe(400);
  });

  describe("legacy paths answer 200 with the replacement's body, no redirect", () => {
    test.each([
      ['/v1/exchange-explorer?marketRail=public', '/v1/assets?marketRail=public'],
      ['/v1/exchange-assets/orbit', '/v1/assets/orbit'],
      ['/v1/stock-summaries', '/v1/assets?category=stocks'],
      ['/v1/exchange-orderbook?assetId=orbit', '/v1/assets/orbit/book'],
      ['/v1/asset-chats?assetId=orbit&range=5d&interval=1d', '/v1/assets/orbit/chart?range=5d&interval=1d'],
    ])('%s', async (legacy, replacement) => {
      const [old, current] = [await visitor.get(legacy), await visitor.get(replacement)];
      expect([old.status, current.status]).toEqual([200, 200]);
      expect(timeless(old.body)).toEqual(timeless(current.body));
    });

    test.each(['/v1/exchange-orderbook', '/v1/asset-chats'])(
      '%s without assetId is 400 VALIDATION_ERROR',
      async (path) => {
        expect(await visitor.get(path)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
      },
    );
  });
});

test('GET /v1/navigation: the three rails and their categories', async () => {
  const { status, body } = await visitor.get<{
    rails: { id: string; label: string; categories: { id: string; label: string }[] }[];
  }>('/v1/navigation');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['rails']);
  expect(body.rails.map(({ id, categories }) => [id, categories.map((category) => category.id)])).toEqual([
    ['public', ['stocks', 'fixed-income', 'commodities', 'forex']],
    ['private', ['privates', 'pre-ipo']],
    ['digital', ['crypto']],
  ]);
  for (const { label, categories } of body.rails) {
    expect(label).not.toBe('');
    for (const category of categories) expect(category.label).not.toBe('');
  }
});
