import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { withdraw } from '../../../../application/ledger/transfers.ts';
import { listMovements } from '../../../../data/accounts/movements.ts';
import type { Database } from '../../../../data/database.ts';
import { idsFrom } from '../../../../data/ids-from.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { OrderBook } from '../../../../durable-objects/order-book/order-book.ts';
import { anyone, type BookClient, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let stranger: KeyHolder;
const symbol = 'READ-USD';

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, {
    cash: 10_000_00,
    accreditationStatus: 'completed',
    accreditationType: '506b',
  });
  seller = await createKeyHolder(db);
  stranger = await createKeyHolder(db);
  const { baseAsset } = await createPair(db, 'READ', { market: { makerFeeBps: 50, takerFeeBps: 100 } });
  await createPair(db, 'QUIET', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  await createPair(db, 'SOUND', {
    asset: { regulation: 'reg_cf', executionRoute: 'indication' },
    market: { route: 'indication' },
  });
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 1_000 }] });
  await trade(2, 10);
  await trade(3, 12);
  await withdraw(env, {
    id: uuidv7(),
    account: buyer.accountId,
    asset: 'usd',
    amount: 50_00,
    reference: null,
    createdAt: Date.now(),
    action: null,
  });
  // What settles is read whole from here on.
  await anyone().get(`/v1/ticker/${symbol}`);
  await env.DB.prepare(`DELETE FROM bars WHERE interval = '1h' AND book <> ?1`).bind(symbol).run();
});

async function trade(size: number, price: number): Promise<void> {
  for (const [holder, side] of [
    [seller, 'sell'],
    [buyer, 'buy'],
  ] as const)
    expect((await holder.client.post('/v1/orders', { symbol, side, type: 'limit', size, price })).status).toBe(200);
}

/** Rows of a list through all its pages. */
async function listed(client: BookClient, path: string, name: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let at: string | null = path;
  while (at !== null) {
    const { status, headers, body } = await client.get(at);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...(body[name] as Record<string, unknown>[]));
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    at = next === undefined ? null : next.slice(next.indexOf('/v1/'));
  }
  return rows;
}

describe('GET /v1/tickers', () => {
  it('has the last 24 hours of every pair that the caller may see, page by page', async () => {
    const tickers = await listed(anyone(), '/v1/tickers?limit=1', 'tickers');
    expect(tickers).toEqual([
      {
        symbol,
        last: 12,
        volume24h: 5,
        quote_volume24h: 56,
        change24h: expect.any(Number),
        change_percent24h: expect.any(Number),
        high24h: 12,
        low24h: 10,
      },
    ]);
    const own = await listed(buyer.client, '/v1/tickers', 'tickers');
    expect(own.map((ticker) => ticker.symbol)).toEqual(['QUIET-USD', symbol]);
    expect(own[0]).toMatchObject({ last: null, volume24h: 0, change24h: null, high24h: null });
  });

  it('is kept at the edge for everybody, but not what only some may see', async () => {
    expect((await anyone().get('/v1/tickers')).headers.get('cache-control')).toBe('public, max-age=5');
    expect((await buyer.client.get('/v1/tickers')).headers.get('cache-control')).not.toContain('public');
  });

  it('counts the last 24 hours alone, and changes from the price before them', async () => {
    await env.DB.prepare(
      `INSERT INTO bars (book, interval, bucket, open, high, low, close, volume, quote_volume, trades)
       SELECT book, interval, bucket - 25 * 3600000, open, high, low, close * 2, 777, 1, 1 FROM bars
       WHERE book = ?1 AND interval = '1h' ORDER BY bucket DESC LIMIT 1`,
    )
      .bind(symbol)
      .run();
    const [ticker] = await listed(buyer.client, '/v1/tickers?cursor=QUIET-USD', 'tickers');
    expect(ticker).toMatchObject({ volume24h: 5, change24h: -12, change_percent24h: -50 });
    // The hour that has the moment of 24 hours ago counts whole, and the change is from before it.
    await env.DB.prepare('UPDATE bars SET bucket = bucket + 3600000, close = close * 2 WHERE volume = 777').run();
    const [whole] = await listed(buyer.client, '/v1/tickers?cursor=QUIET-USD', 'tickers');
    expect(whole).toMatchObject({ volume24h: 782, change24h: 2 });
    await env.DB.prepare('DELETE FROM bars WHERE volume = 777').run();
  });
});

describe('GET /v1/currencies', () => {
  it('has what pairs trade and are paid in, and nothing that the caller may not see', async () => {
    const symbols = async (client: BookClient) =>
      (await listed(client, '/v1/currencies?limit=1', 'currencies')).map(({ asset }) => asset);
    expect(await symbols(anyone())).toEqual(['READ', 'USD']);
    expect(await symbols(buyer.client)).toEqual(['QUIET', 'READ', 'USD']);
    const [, usd] = await listed(anyone(), '/v1/currencies', 'currencies');
    expect(usd).toEqual({ asset: 'USD', name: expect.any(String), type: 'currency', decimals: 2 });
  });
});

describe('GET /v1/status', () => {
  it('says whether the venue trades', async () => {
    const { body } = await anyone().get('/v1/status');
    expect(body).toEqual({ status: 'open', timestamp: expect.any(Number) });
    await caches.default.delete('http://localhost/book/v1/status');
    await env.DB.prepare('UPDATE venue SET halted = 1').run();
    expect((await buyer.client.get('/v1/status')).body).toMatchObject({ status: 'halted' });
    await env.DB.prepare('UPDATE venue SET halted = 0').run();
  });
});

describe('GET /v1/account/fees', () => {
  it('has what the engine charges, by pair: routed markets are none', async () => {
    expect(await listed(stranger.client, '/v1/account/fees?limit=1', 'fees')).toEqual([
      { symbol, maker_fee_bps: 50, taker_fee_bps: 100, currency: 'USD' },
    ]);
    expect((await listed(buyer.client, '/v1/account/fees', 'fees')).map((each) => each.symbol)).toEqual([
      'QUIET-USD',
      symbol,
    ]);
  });
});

describe('GET /v1/account/ledger', () => {
  it('adds up to what the account owns, oldest first, page by page', async () => {
    const entries = await listed(buyer.client, '/v1/account/ledger?limit=2', 'entries');
    expect(entries.map(({ kind, asset, amount }) => `${kind} ${asset} ${amount}`).toSorted()).toEqual(
      [
        'deposit USD 10000',
        'trade USD -20',
        'fee USD -0.2',
        'trade READ 2',
        'trade USD -36',
        'fee USD -0.36',
        'trade READ 3',
        'withdrawal USD -50',
      ].toSorted(),
    );
    const times = entries.map(({ timestamp }) => Number(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const { balances } = (await buyer.client.get('/v1/account/balances')).body as {
      balances: { asset: string; free: number; locked: number }[];
    };
    for (const { asset, free, locked } of balances) {
      const cents = entries
        .filter((entry) => entry.asset === asset)
        .reduce((sum, entry) => sum + Math.round(Number(entry.amount) * 100), 0);
      expect(cents, asset).toBe(Math.round((free + locked) * 100));
    }
  });

  it('has spans of 31 days at most, and nothing of others', async () => {
    const now = Date.now();
    const of = (query: string) => buyer.client.get(`/v1/account/ledger?${query}`);
    expect((await of(`to=${now - HOUR_MS}`)).body.entries).toEqual([]);
    expect((await of(`from=${now - 40 * DAY_MS}&to=${now - 20 * DAY_MS}`)).body.entries).toEqual([]);
    expect((await of(`from=${now - DAY_MS}`)).body.entries).toHaveLength(8);
    for (const query of [`from=${now - 32 * DAY_MS}&to=${now}`, `from=${now}&to=${now - 1}`])
      expect(await of(query)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(await listed(stranger.client, '/v1/account/ledger', 'entries')).toEqual([]);
    // The next page is of the same span, whatever the clock says by then.
    const link = (await of('limit=3')).headers.get('link') ?? '';
    expect(link).toMatch(/cursor=\d{13}\.\d{13}\.%5B/);
    const place = encodeURIComponent(JSON.stringify([now, 'r', 'trade', 'usd', 1, 1]));
    for (const cursor of [
      '3',
      `${now - 40 * DAY_MS}.${now}.${place}`,
      '1.2.x',
      '1.2.[1]',
      `1.2.${place.replace('trade', 'bet')}`,
    ])
      expect((await of(`cursor=${cursor}`)).status, cursor).toBe(400);
  });

  it('repeats and skips nothing where a trade settles late among entries that were read, or two are alike', async () => {
    const trader = await createKeyHolder(db, { cash: 1_000_00 });
    const at = Date.now() - HOUR_MS;
    const { baseAsset } = await createPair(db, 'LATE', {});
    const settle = (sequence: number, executedAt: number) =>
      env.DB.prepare(
        `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at)
         VALUES (?1, 'LATE-USD', ?2, ?3, 'usd', 100, 1, 100, 'buy', 'b', 's', ?4, ?4, 1, 1, ?5)`,
      )
        .bind(
          `${idsFrom(executedAt)}-7000-8000-${String(sequence).padStart(12, '0')}`,
          sequence,
          baseAsset,
          trader.accountId,
          executedAt,
        )
        .run();
    for (const sequence of [1, 2, 3]) await settle(sequence, at + sequence);
    const path = `/v1/account/ledger?from=${at}&to=${at + 1_000}&limit=1`;
    const whole = await listed(trader.client, path, 'entries');
    const fees = (entries: Record<string, unknown>[]) => entries.filter(({ kind }) => kind === 'fee').length;
    expect([whole.length, fees(whole)]).toEqual([18, 6]);
    const first = await trader.client.get(path.replace('limit=1', 'limit=8'));
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    await settle(4, at);
    const rest = await listed(trader.client, next.slice(next.indexOf('/v1/')), 'entries');
    expect([...(first.body.entries as object[]), ...rest]).toEqual(whole);
  });

  it('reads few rows more than it shows, however much has moved since', async () => {
    const page = { after: null, limit: 1 };
    const { accountId: account } = await createKeyHolder(db, { cash: 1_00 });
    for (const amount of [1, 2, 3])
      await withdraw(env, {
        id: uuidv7(),
        account,
        asset: 'usd',
        amount,
        reference: null,
        createdAt: Date.now(),
        action: null,
      });
    await stranger.client.get('/v1/account/ledger');
    const span = { account, from: 0, to: Date.now() + 1 };
    const { rows, next } = await listMovements(db, span, page);
    expect([rows.length, next?.seen]).toEqual([1, 1]);
    // What is left out, as an allowance is, leaves a page short, and the list goes on.
    await env.DB.prepare(`UPDATE assets SET category = 'allowance' WHERE id = 'usd'`).run();
    const short = await listMovements(db, span, page);
    await env.DB.prepare(`UPDATE assets SET category = 'currency' WHERE id = 'usd'`).run();
    expect(short.rows).toEqual([]);
    expect(short.next).not.toBeNull();
  });

  it('says while a market of the account cannot settle', async () => {
    await seller.client.post('/v1/orders', { symbol, side: 'sell', type: 'limit', size: 1, price: 50 });
    const complete = async () => (await seller.client.get('/v1/account/ledger')).body.complete;
    expect(await complete()).toBe(true);
    const settled = vi.spyOn(OrderBook.prototype, 'settled').mockResolvedValue(false);
    expect(await complete()).toBe(false);
    settled.mockRestore();
  });
});

describe('GET /v1/account/transfers', () => {
  it('has deposits and withdrawals, newest first, and no trade', async () => {
    const transfers = await listed(buyer.client, '/v1/account/transfers?limit=1', 'transfers');
    const common = {
      transfer_id: expect.any(String),
      asset: 'USD',
      status: 'completed',
      timestamp: expect.any(Number),
    };
    expect(transfers).toEqual([
      { ...common, type: 'withdrawal', amount: 50 },
      { ...common, type: 'deposit', amount: 10_000 },
    ]);
    for (const [query, types] of [
      ['type=deposit', ['deposit']],
      ['type=withdrawal', ['withdrawal']],
      [`from=${Date.now() + HOUR_MS}`, []],
    ] as const)
      expect(
        (await listed(buyer.client, `/v1/account/transfers?${query}`, 'transfers')).map(({ type }) => type),
      ).toEqual(types);
    expect(await listed(stranger.client, '/v1/account/transfers', 'transfers')).toEqual([]);
  });
});

it.each(['fees', 'ledger', 'transfers'])('GET /v1/account/%s asks for a key that may read', async (path) => {
  expect((await anyone().get(`/v1/account/${path}`)).status).toBe(401);
});

describe('GET /v1/candles/{symbol} of 4 h and of a week', () => {
  it('has what its bars of an hour or a day have, page by page, also where a page ends within one', async () => {
    const day = Date.UTC(2026, 0, 5);
    const bar = (interval: string, bucket: number, price: number) =>
      env.DB.prepare(
        `INSERT INTO bars (book, interval, bucket, open, high, low, close, volume, quote_volume, trades) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, 1, 1)`,
      ).bind('OLD-USD', interval, bucket, price, price + 100, price - 100, price + 1);
    await createPair(db, 'OLD');
    await env.DB.batch([
      ...Array.from({ length: 12 }, (_, hour) => bar('1h', day + hour * HOUR_MS, 1_000 + hour)),
      ...Array.from({ length: 10 }, (_, days) => bar('1d', day + days * DAY_MS, 2_000 + days)),
    ]);
    const hours = await listed(anyone(), '/v1/candles/OLD-USD?interval=4h&limit=1', 'candles');
    expect(hours.map(({ timestamp, volume, trades }) => [timestamp, Number(trades), Number(volume) > 0])).toEqual(
      [8, 4, 0].map((hour) => [day + hour * HOUR_MS, 4, true]),
    );
    const weeks = await listed(anyone(), '/v1/candles/OLD-USD?interval=1w', 'candles');
    expect(weeks.map(({ timestamp, trades }) => [timestamp, trades])).toEqual([
      [day + 7 * DAY_MS, 3],
      [day, 7],
    ]);
    const later = await listed(anyone(), `/v1/candles/OLD-USD?interval=4h&from=${day + 1}`, 'candles');
    expect(later.map(({ timestamp }) => timestamp)).toEqual([day + 8 * HOUR_MS, day + 4 * HOUR_MS]);
    const within = await listed(anyone(), `/v1/candles/OLD-USD?interval=4h&cursor=${day + 5 * HOUR_MS}`, 'candles');
    expect(within.map(({ timestamp, trades }) => [timestamp, trades])).toEqual([
      [day + 4 * HOUR_MS, 4],
      [day, 4],
    ]);
  });
});
