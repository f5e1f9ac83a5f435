import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { anyone, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { call } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair, type PairTerms } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, {
    cash: 100_000_000_00,
    accreditationStatus: 'completed',
    accreditationType: '506b',
  });
  seller = await createKeyHolder(db);
});

let pairs = 0;
async function freshPair(terms: PairTerms = {}): Promise<string> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `MD${pairs}`, terms);
  if (terms.asset?.tracksLots !== false) {
    await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 10_000 }] });
  }
  return symbol;
}

async function place(
  holder: KeyHolder,
  symbol: string,
  side: 'buy' | 'sell',
  size: number,
  price: number,
): Promise<void> {
  const { status } = await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price });
  expect(status).toBe(200);
}

async function trade(symbol: string, size: number, price: number): Promise<void> {
  await place(seller, symbol, 'sell', size, price);
  await place(buyer, symbol, 'buy', size, price);
}

describe('GET /v1/orderbook/{symbol}', () => {
  it('answers symbol, bids and asks as {price, size} best first, and an integer timestamp', async () => {
    const symbol = await freshPair();
    await place(buyer, symbol, 'buy', 1, 9.5);
    await place(buyer, symbol, 'buy', 2, 9.75);
    await place(buyer, symbol, 'buy', 3, 9.75);
    await place(seller, symbol, 'sell', 4, 10.25);
    await place(seller, symbol, 'sell', 5, 10);
    const { status, body } = await anyone().get(`/v1/orderbook/${symbol}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      symbol,
      bids: [
        { price: 9.75, size: 5 },
        { price: 9.5, size: 1 },
      ],
      asks: [
        { price: 10, size: 5 },
        { price: 10.25, size: 4 },
      ],
      sequence: expect.any(Number),
      timestamp: expect.any(Number),
    });
    expect(Math.abs(Number(body.timestamp) - Date.now())).toBeLessThan(60_000);
    expect(Number.isInteger(body.timestamp)).toBe(true);
  });

  it('shows 50 levels of each side by default and as many as depth asks, at most 1,000', async () => {
    const symbol = await freshPair();
    const orders = Array.from({ length: 60 }, (_, i) => ({
      symbol,
      side: 'buy',
      type: 'limit',
      size: 1,
      price: 1 + i,
    }));
    await buyer.client.post('/v1/orders/batch', { orders });
    const bids = async (query: string) =>
      (await anyone().get(`/v1/orderbook/${symbol}${query}`)).body.bids as unknown[];
    expect(await bids('')).toHaveLength(50);
    expect(await bids('?depth=1')).toEqual([{ price: 60, size: 1 }]);
    expect(await bids('?depth=1000')).toHaveLength(60);
    for (const depth of ['0', '1001', '1.5', 'all']) {
      expect(await anyone().get(`/v1/orderbook/${symbol}?depth=${depth}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR' } },
      });
    }
  });
});

describe('GET /v1/trades', () => {
  it('answers the trades of a symbol, newest first, with price, size, side of the taker and timestamp', async () => {
    const symbol = await freshPair();
    await trade(symbol, 3, 10);
    await place(buyer, symbol, 'buy', 2, 11);
    await place(seller, symbol, 'sell', 2, 11);
    const asDealt = { status: 'executed', corrected_price: null, adjusted_at: null };
    const expected = {
      symbol,
      trades: [
        {
          trade_id: expect.any(String),
          sequence: 2,
          symbol,
          price: 11,
          size: 2,
          side: 'sell',
          timestamp: expect.any(Number),
          ...asDealt,
        },
        {
          trade_id: expect.any(String),
          sequence: 1,
          symbol,
          price: 10,
          size: 3,
          side: 'buy',
          timestamp: expect.any(Number),
          ...asDealt,
        },
      ],
    };
    expect((await anyone().get(`/v1/trades?symbol=${symbol}`)).body).toEqual(expected);
    expect((await anyone().get(`/v1/trades/${symbol}`)).body).toEqual(expected);
  });

  it('takes limit, and pages with a Link header', async () => {
    const symbol = await freshPair();
    for (let price = 1; price <= 3; price += 1) await trade(symbol, 1, price);
    const prices = ({ body }: { body: Record<string, unknown> }) =>
      (body.trades as { price: number }[]).map(({ price }) => price);
    const first = await anyone().get(`/v1/trades?symbol=${symbol}&limit=2`);
    expect(prices(first)).toEqual([3, 2]);
    const next = /^<http:\/\/localhost\/book([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await anyone().get(next);
    expect(prices(second)).toEqual([1]);
    expect(second.headers.get('link')).toBeNull();
    expect((await anyone().get(`/v1/trades/${symbol}?limit=1001`)).status).toBe(400);
  });

  it('needs a symbol', async () => {
    expect(await anyone().get('/v1/trades')).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });
});

describe('GET /v1/ticker/{symbol}', () => {
  it('answers bid, ask, last, volume24h and change24h', async () => {
    const symbol = await freshPair();
    await trade(symbol, 2, 10);
    await trade(symbol, 3, 12.5);
    await trade(symbol, 1, 11);
    await place(buyer, symbol, 'buy', 1, 10.5);
    await place(seller, symbol, 'sell', 1, 11.5);
    const { body } = await anyone().get(`/v1/ticker/${symbol}`);
    expect(body).toEqual({
      symbol,
      bid: 10.5,
      ask: 11.5,
      last: 11,
      volume24h: 6,
      quote_volume24h: 68.5,
      change24h: 1,
      change_percent24h: 10,
      high24h: 12.5,
      low24h: 10,
      timestamp: expect.any(Number),
    });
  });

  it('counts the last 24 hours alone, and changes from the price before them', async () => {
    const symbol = await freshPair();
    await trade(symbol, 2, 10);
    await anyone().get(`/v1/ticker/${symbol}`);
    // The trade's bars as they stand a day and a minute later.
    await env.DB.prepare(`UPDATE bars SET bucket = bucket - 86460000 WHERE book = ?1 AND interval = '1m'`)
      .bind(symbol)
      .run();
    await trade(symbol, 3, 8);
    expect((await anyone().get(`/v1/ticker/${symbol}`)).body).toMatchObject({
      last: 8,
      volume24h: 3,
      change24h: -2,
      change_percent24h: -20,
      high24h: 8,
    });
  });

  it('answers nulls and a volume of 0 for a pair that has not traded', async () => {
    const symbol = await freshPair();
    expect((await anyone().get(`/v1/ticker/${symbol}`)).body).toMatchObject({
      bid: null,
      ask: null,
      last: null,
      volume24h: 0,
      change24h: null,
    });
  });
});

async function marketOf(symbol: string, client = anyone()): Promise<unknown> {
  const { body } = await client.get('/v1/markets');
  return (body.markets as { symbol: string }[]).find((market) => market.symbol === symbol);
}

describe('GET /v1/markets', () => {
  it('shows tick size, lot size, minimum, maximum, fees, price band, status, the bounds on open orders and the allowed combinations', async () => {
    const symbol = await freshPair({
      asset: { scale: 3, tracksLots: false, category: 'crypto', rail: 'digital' },
      market: {
        tickSize: 5,
        lotSize: 200,
        quantityMin: 1_000,
        quantityMax: 10_000_000,
        makerFeeBps: 5,
        takerFeeBps: 10,
        bandBps: 1_000,
        referencePrice: 20_00,
      },
    });
    expect(await marketOf(symbol)).toEqual({
      symbol,
      base_asset: symbol.split('-')[0],
      quote_asset: 'USD',
      status: 'open',
      halted_until: null,
      tick_size: 0.05,
      lot_size: 0.2,
      size_min: 1,
      size_max: 10_000,
      notional_min: 1,
      price_decimals: 2,
      size_decimals: 3,
      maker_fee_bps: 5,
      taker_fee_bps: 10,
      reference_price: 20,
      price_band: { low: 18, high: 22, width_bps: 1_000 },
      open_orders_per_account_max: 10_000,
      open_orders_max: 200_000,
      order_types: {
        market: ['IOC'],
        limit: ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'],
        stop_loss: ['GTC'],
        stop_loss_limit: ['GTC'],
        take_profit: ['GTC'],
        take_profit_limit: ['GTC'],
        limit_maker: ['GTC'],
      },
    });
  });

  it('leaves the band where it is while trades of the minute move the price', async () => {
    const symbol = await freshPair({ market: { bandBps: 1_000, referencePrice: 20_00 } });
    await trade(symbol, 1, 19);
    await anyone().get(`/v1/trades/${symbol}`);
    expect(await marketOf(symbol)).toMatchObject({ reference_price: 19, price_band: { low: 18, high: 22 } });
    const outside = { symbol, side: 'buy', type: 'limit', size: 1, price: 17.95 };
    expect(await buyer.client.post('/v1/orders', outside)).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'outside_price_band', low: 18, high: 22 } } },
    });
  });

  it('pages by limit and cursor', async () => {
    await Promise.all([freshPair(), freshPair()]);
    const whole = (await anyone().get('/v1/markets')).body.markets as { symbol: string }[];
    const symbols: string[] = [];
    let path: string | undefined = '/v1/markets?limit=3';
    const client = anyone();
    while (path !== undefined) {
      const { body, headers } = await client.get(path);
      symbols.push(...(body.markets as { symbol: string }[]).map(({ symbol }) => symbol));
      path = /^<http:\/\/localhost\/book([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(symbols).toEqual(whole.map(({ symbol }) => symbol));
    expect(symbols).toEqual(symbols.toSorted());
  });
});

describe('a pair of an asset under 506(b)', () => {
  const offered = { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } } as const;

  it('takes no place on a page of markets, whose cursor does not name it', async () => {
    const { body } = await anyone().get('/v1/markets');
    const last = (body.markets as { symbol: string }[]).at(-1)?.symbol;
    const [hidden, shown, next] = ['ZY1', 'ZY2', 'ZY3'].map((symbol) => `${symbol}-USD`);
    await createPair(db, 'ZY1', offered);
    await createPair(db, 'ZY2');
    await createPair(db, 'ZY3');
    const page = async (client = anyone()) => {
      const answer = await client.get(`/v1/markets?limit=1&cursor=${last}`);
      const symbols = (answer.body.markets as { symbol: string }[]).map(({ symbol }) => symbol);
      return [symbols, /cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1]];
    };
    expect(await page()).toEqual([[shown], shown]);
    expect(await page(buyer.client)).toEqual([[hidden], hidden]);
    expect((await anyone().get(`/v1/markets?limit=1&cursor=${shown}`)).body).toMatchObject({
      markets: [{ symbol: next }],
    });
  });

  it('does not exist in the queries of an account either, until it has orders there, which it may read and cancel', async () => {
    const symbol = await freshPair(offered);
    const invalid = { status: 400, body: { error: { code: 'INVALID_SYMBOL', details: { symbol } } } };
    expect(await seller.client.get(`/v1/orders?symbol=${symbol}`)).toMatchObject(invalid);
    expect(await seller.client.get(`/v1/fills?symbol=${symbol}`)).toMatchObject(invalid);
    expect(await seller.client.delete(`/v1/orders?symbol=${symbol}`)).toMatchObject(invalid);
    expect((await buyer.client.get(`/v1/orders?symbol=${symbol}`)).status).toBe(200);

    await place(seller, symbol, 'sell', 2, 10);
    const { body } = await seller.client.get(`/v1/orders?symbol=${symbol}`);
    const [order] = body.orders as { order_id: string }[];
    expect(order).toMatchObject({ symbol, status: 'open' });
    expect((await seller.client.get(`/v1/fills?symbol=${symbol}`)).body).toEqual({ fills: [] });
    expect((await seller.client.delete(`/v1/orders?symbol=${symbol}`)).body).toEqual({
      order_ids: [order?.order_id],
      pending_order_ids: [],
    });
  });

  it('takes no order of those who may not see it, nor previews one, whatever its terms: it does not exist', async () => {
    const symbol = await freshPair(offered);
    const stranger = await createKeyHolder(db, { cash: 1_000_00 });
    const unknown = 'NOSUCH-USD';
    const orders = [
      { side: 'buy', type: 'limit', price: 1, size: 1 },
      { side: 'buy', type: 'limit', price: 0.000001, size: 1 },
      { side: 'buy', type: 'market', size: 1 },
      { side: 'sell', type: 'limit', price: 1, size: 1 },
      { side: 'sell', type: 'limit', price: 1, size: 0.5 },
    ];
    for (const path of ['/v1/orders', '/v1/orders/preview']) {
      for (const order of orders) {
        const hidden = await stranger.client.post(path, { ...order, symbol });
        const absent = await stranger.client.post(path, { ...order, symbol: unknown });
        expect(hidden.status).toBe(400);
        expect(JSON.stringify(hidden.body).replaceAll(symbol, unknown)).toBe(JSON.stringify(absent.body));
      }
    }
    await giveHolding({
      accountId: stranger.accountId,
      asset: symbol.split('-')[0]!.toLowerCase(),
      lots: [{ quantity: 5 }],
    });
    expect(
      (await stranger.client.post('/v1/orders', { ...orders[3], symbol })).status,
      'who holds some may sell it',
    ).toBe(200);
  });

  it('is shown to the self-certified or better alone; to anyone else it does not exist', async () => {
    const symbol = await freshPair(offered);
    for (const path of [
      `/v1/orderbook/${symbol}`,
      `/v1/trades?symbol=${symbol}`,
      `/v1/trades/${symbol}`,
      `/v1/ticker/${symbol}`,
    ]) {
      for (const stranger of [anyone(), seller.client]) {
        expect(await stranger.get(path)).toMatchObject({
          status: 400,
          body: { error: { code: 'INVALID_SYMBOL', details: { symbol } } },
        });
      }
      expect((await buyer.client.get(path)).status).toBe(200);
    }
    expect(await marketOf(symbol)).toBeUndefined();
    expect(await marketOf(symbol, seller.client)).toBeUndefined();
    expect(await marketOf(symbol, buyer.client)).toMatchObject({ symbol });
  });
});

describe('INVALID_SYMBOL', () => {
  it.each(['/v1/orderbook/NOPE-USD', '/v1/trades?symbol=NOPE-USD', '/v1/trades/NOPE-USD', '/v1/ticker/NOPE-USD'])(
    'is 400 on GET %s',
    async (path) => {
      expect(await anyone().get(path)).toMatchObject({
        status: 400,
        body: {
          error: { code: 'INVALID_SYMBOL', message: 'trading pair unsupported', details: { symbol: 'NOPE-USD' } },
        },
      });
    },
  );
});

describe('GET /v1/account/balances', () => {
  it('answers asset, free and locked as numbers, without allowances and position limits', async () => {
    const symbol = await freshPair();
    const base = symbol.split('-')[0] ?? '';
    const holder = await createKeyHolder(db, { cash: 1_000_00 }, { positionLimits: { [base.toLowerCase()]: 100 } });
    await place(holder, symbol, 'buy', 4, 12.5);
    expect((await holder.client.get('/v1/account/balances')).body).toEqual({
      balances: [{ asset: 'USD', free: 950, locked: 50 }],
    });
    await place(seller, symbol, 'sell', 3, 12.5);
    expect((await holder.client.get('/v1/account/balances')).body).toEqual({
      balances: [
        { asset: base, free: 3, locked: 0 },
        { asset: 'USD', free: 950, locked: 12.5 },
      ],
    });
  });

  it('needs a credential', async () => {
    expect(await anyone().get('/v1/account/balances')).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED' } },
    });
  });

  it('shows crypto with its own scale', async () => {
    await freshPair({ asset: { id: 'wei', scale: 8, tracksLots: false, category: 'crypto', rail: 'digital' } }).catch(
      () => undefined,
    );
    const holder = await createKeyHolder(db);
    await giveBalance({ accountId: holder.accountId, asset: 'wei', amount: 123_456_789 });
    expect((await holder.client.get('/v1/account/balances')).body).toMatchObject({
      balances: [{ free: 1.23456789, locked: 0 }],
    });
  });
});

describe('GET /openapi.json', () => {
  it('documents every endpoint of the order-book profile and of what the agent tools wrap', async () => {
    const { body } = await anyone().get('/openapi.json');
    const paths = body.paths as Record<string, Record<string, { security: unknown[]; responses: object }>>;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /v1/orderbook/{symbol}',
        'POST /v1/orders',
        'GET /v1/orders',
        'DELETE /v1/orders',
        'GET /v1/orders/{order_id}',
        'PATCH /v1/orders/{order_id}',
        'DELETE /v1/orders/{order_id}',
        'POST /v1/orders/batch',
        'DELETE /v1/orders/batch',
        'GET /v1/trades',
        'GET /v1/trades/{symbol}',
        'GET /v1/ticker/{symbol}',
        'GET /v1/markets',
        'GET /v1/account/balances',
      ]),
    );
    expect(body.openapi).toBe('3.1.0');
    expect(body.components).toMatchObject({
      schemas: { OrderRequest: { required: ['symbol', 'side', 'type', 'size'] } },
    });
    expect(paths['/v1/orders']?.post?.security).not.toEqual([]);
  });
});

describe('INTERNAL_ERROR', () => {
  it('is 500 for what nobody expected, and says nothing of the inside', async () => {
    const symbol = await freshPair();
    await env.DB.exec('ALTER TABLE trades RENAME TO trades_out_of_reach');
    try {
      const answer = await anyone().get(`/v1/trades/${symbol}`);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ error: { code: 'INTERNAL_ERROR', message: 'internal error', details: {} } });
    } finally {
      await env.DB.exec('ALTER TABLE trades_out_of_reach RENAME TO trades');
    }
    expect((await anyone().get(`/v1/trades/${symbol}`)).status).toBe(200);
  });
});

describe('INTERNAL_ERROR of profile A', () => {
  it('is 500, and says nothing of the inside', async () => {
    await createApp();
    const { tenant: headers } = await signIn((await createTrader(db)).phone);
    const target = 'GET /exchange/v1/core-transactions';
    await env.DB.exec('ALTER TABLE trades RENAME TO trades_out_of_reach');
    try {
      const answer = await call(target, { headers });
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({ error: { code: 'INTERNAL_ERROR', message: 'internal error', details: {} } });
    } finally {
      await env.DB.exec('ALTER TABLE trades_out_of_reach RENAME TO trades');
    }
    expect((await call(target, { headers })).status).toBe(200);
  });
});

describe('GET /v1/candles/{symbol}', () => {
  it('answers the candles of an interval, newest first, with pages', async () => {
    const symbol = await freshPair();
    await trade(symbol, 2, 10);
    await trade(symbol, 3, 11);
    const { status, body } = await anyone().get(`/v1/candles/${symbol}?interval=1h`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ symbol, interval: '1h' });
    const candles = body.candles as { timestamp: number; volume: number; quote_volume: number; trades: number }[];
    const sum = (of: 'volume' | 'quote_volume' | 'trades') => candles.reduce((total, candle) => total + candle[of], 0);
    expect([sum('volume'), sum('quote_volume'), sum('trades')]).toEqual([5, 53, 2]);
    expect(candles.at(-1)).toMatchObject({ open: 10, low: 10 });
    const [newest] = candles;
    expect(newest!.timestamp % 3_600_000).toBe(0);
    const older = await anyone().get(`/v1/candles/${symbol}?interval=1h&cursor=${newest!.timestamp}`);
    expect(older.body.candles).toEqual(candles.slice(1));
    const later = await anyone().get(`/v1/candles/${symbol}?interval=1h&from=${newest!.timestamp + 1}`);
    expect(later.body.candles).toEqual([]);
  });

  it('refuses other intervals and unknown symbols', async () => {
    const symbol = await freshPair();
    expect((await anyone().get(`/v1/candles/${symbol}?interval=2m`)).status).toBe(400);
    expect((await anyone().get('/v1/candles/NOTHING-USD')).body).toMatchObject({ error: { code: 'INVALID_SYMBOL' } });
  });
});

it('GET /v1/time is the time of the exchange, in either profile', async () => {
  const earliest = Date.now();
  const { body } = await anyone().get('/v1/time');
  expect(body.timestamp).toBeGreaterThanOrEqual(earliest);
  expect(body.timestamp).toBeLessThanOrEqual(Date.now());
  const ofExchange = (await call('GET /exchange/v1/time')).body as { data: { time: string } };
  expect(Date.parse(ofExchange.data.time)).toBeGreaterThanOrEqual(earliest);
});
