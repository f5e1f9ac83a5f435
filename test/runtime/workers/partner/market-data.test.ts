import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { listedSecurity } from '../../fixtures/listed-security.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';

let db: Database;
let lister: Partner;
let agent: Partner;
let stranger: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
  stranger = await createPartner(db, 'cross_lister');
  seller = await createKeyHolder(db);
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
});

let listings = 0;

/** A listed security in which the seller has a thousand shares. */
async function listed(): Promise<{ readonly id: string; readonly symbol: string }> {
  listings += 1;
  const { securityId: id, market: symbol } = await listedSecurity(db, lister, `MKD${listings}`, {
    accreditationType: null,
  });
  await giveHolding({ accountId: seller.accountId, asset: id, lots: [{ quantity: 1_000 }] });
  return { id, symbol };
}

async function order({ client }: KeyHolder, symbol: string, side: 'buy' | 'sell', size: number, price: number) {
  const body = { symbol, side, type: 'limit', size, price, time_in_force: 'GTC' };
  expect((await client.post('/v1/orders', body)).status).toBeLessThan(300);
}

async function trade(symbol: string, size: number, price: number): Promise<void> {
  await order(seller, symbol, 'sell', size, price);
  await order(buyer, symbol, 'buy', size, price);
}

interface Trades {
  readonly security_id: string;
  readonly trades: readonly { readonly trade_id: string; readonly sequence: number; readonly status: string }[];
}

const tradesOf = async (id: string, query = '') =>
  (await stranger.client.get<Trades>(`/v1/securities/${id}/trades${query}`)).body;
const setState = (id: string, state: string) =>
  env.DB.prepare('UPDATE securities SET state = ?2 WHERE id = ?1').bind(id, state).run();

const PATHS = ['quote', 'book', 'trades', 'chart'] as const;

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

describe('market data of a security', () => {
  test('the quote is best bid, best ask and last price, each null where there is none', async () => {
    const { id, symbol } = await listed();
    const quote = async () => (await stranger.client.get(`/v1/securities/${id}/quote`)).body;
    expect(await quote()).toEqual({ security_id: id, bid: null, ask: null, last: null, timestamp: ISO });
    await trade(symbol, 5, 42.25);
    await order(seller, symbol, 'sell', 3, 43);
    await order(buyer, symbol, 'buy', 2, 41.5);
    await order(buyer, symbol, 'buy', 2, 41);
    const shown = { bid: 41.5, ask: 43, last: 42.25 };
    expect(await quote()).toEqual({ security_id: id, ...shown, timestamp: ISO });
    const detail = await lister.client.get(`/v1/securities/${id}`);
    expect(detail.body).toMatchObject({ quote: shown });
  });

  test('the book sums orders by level, best first, as deep as was asked', async () => {
    const { id, symbol } = await listed();
    await order(buyer, symbol, 'buy', 2, 41);
    await order(buyer, symbol, 'buy', 3, 41);
    await order(buyer, symbol, 'buy', 4, 41.5);
    await order(seller, symbol, 'sell', 6, 43);
    const book = async (query = '') => await stranger.client.get(`/v1/securities/${id}/book${query}`);
    const bids = [
      { price: 41.5, quantity: 4 },
      { price: 41, quantity: 5 },
    ];
    const asks = [{ price: 43, quantity: 6 }];
    const whole = { security_id: id, bids, asks, sequence: expect.any(Number), timestamp: ISO };
    expect((await book()).body).toEqual(whole);
    expect((await book('?depth=1')).body).toEqual({ ...whole, bids: bids.slice(0, 1) });
    for (const depth of ['0', '1001', 'all'])
      expect((await book(`?depth=${depth}`)).body, depth).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  test('trades are listed newest first, in pages, without who traded', async () => {
    const { id, symbol } = await listed();
    for (const quantity of [1, 2, 3]) await trade(symbol, quantity, 40 + quantity);
    const all = await tradesOf(id);
    expect(all).toEqual({
      security_id: id,
      trades: [3, 2, 1].map((quantity) => ({
        trade_id: expect.any(String),
        sequence: quantity,
        price: 40 + quantity,
        quantity,
        side: 'buy',
        executed_at: ISO,
        status: 'executed',
        corrected_price: null,
        adjusted_at: null,
      })),
    });
    const first = await stranger.client.get<Trades>(`/v1/securities/${id}/trades?limit=2`);
    expect(first.body.trades).toEqual(all.trades.slice(0, 2));
    expect(first.headers.get('link')).toContain('cursor=2');
    const second = await stranger.client.get<Trades>(`/v1/securities/${id}/trades?limit=2&cursor=2`);
    expect(second.body.trades).toEqual(all.trades.slice(2));
    expect(second.headers.get('link')).toBeNull();
    for (const query of ['?limit=0', '?limit=1001', '?cursor=x'])
      expect((await stranger.client.get(`/v1/securities/${id}/trades${query}`)).status, query).toBe(400);
  });

  test('a trade that was taken back says so', async () => {
    const { id, symbol } = await listed();
    await trade(symbol, 4, 40);
    const [made] = (await tradesOf(id)).trades;
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    const terms = { tradeId: made?.trade_id ?? '', price: null, reason: 'erroneous', action, now: Date.now() };
    expect(await adjustTrade(env, terms)).toMatchObject({ ok: true });
    expect((await tradesOf(id)).trades).toEqual([{ ...made, status: 'bust', adjusted_at: ISO }]);
  });

  test('the chart is bars of its trades, by range and interval', async () => {
    const { id, symbol } = await listed();
    for (const price of [42, 44, 41, 43]) await trade(symbol, 2, price);
    const chart = async (query: string) => (await stranger.client.get(`/v1/securities/${id}/chart${query}`)).body;
    const bar = { time: ISO, open: 42, high: 44, low: 41, close: 43, volume: 8 };
    expect(await chart('?range=1m&interval=1d')).toEqual({ security_id: id, interval: '1d', bars: [bar] });
    expect(await chart('')).toMatchObject({ security_id: id, interval: '5m' });
    expect(await chart('?range=5y&interval=1m')).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: { bars_max: 5_000 } },
    });
    expect(await chart('?interval=2m')).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('who sees market data', () => {
  test('is every partner while the security is listed or halted, and its own alone afterwards', async () => {
    const { id, symbol } = await listed();
    await env.DB.prepare(`UPDATE securities SET transfer_agent = ?2, agent_state = 'accepted' WHERE id = ?1`)
      .bind(id, agent.organization)
      .run();
    await trade(symbol, 4, 40);
    const statuses = (partner: Partner) =>
      Promise.all(PATHS.map(async (path) => (await partner.client.get(`/v1/securities/${id}/${path}`)).status));
    const other = await createPartner(db, 'transfer_agent');
    for (const state of ['listed', 'halted']) {
      await setState(id, state);
      for (const partner of [lister, agent, stranger, other])
        expect(await statuses(partner), state).toEqual([200, 200, 200, 200]);
    }
    for (const state of ['submitted', 'refused', 'delisted']) {
      await setState(id, state);
      for (const partner of [lister, agent]) expect(await statuses(partner), state).toEqual([200, 200, 200, 200]);
      for (const partner of [stranger, other]) expect(await statuses(partner), state).toEqual([404, 404, 404, 404]);
    }
    await setState(id, 'delisted');
    expect((await lister.client.get<Trades>(`/v1/securities/${id}/trades`)).body.trades).toHaveLength(1);
  });

  test('before it is listed there is nothing to see, and one that is not there is 404', async () => {
    const id = await createSecurity(db, lister, { transferAgent: agent.organization, agentState: 'proposed' });
    const nothing = { quote: { bid: null, ask: null, last: null }, book: { bids: [], asks: [], sequence: 0 } };
    const empty: Readonly<Record<string, object>> = { ...nothing, trades: { trades: [] }, chart: { bars: [] } };
    for (const path of PATHS) {
      for (const { client } of [lister, agent])
        expect((await client.get(`/v1/securities/${id}/${path}`)).body, path).toMatchObject(empty[path] ?? {});
      expect((await stranger.client.get(`/v1/securities/${uuidv7()}/${path}`)).status).toBe(404);
    }
  });

  test('is nobody without an active organization, and no cache', async () => {
    const { id } = await listed();
    const suspended = await createPartner(db, 'cross_lister', { state: 'suspended' });
    for (const path of PATHS) {
      expect((await suspended.client.get(`/v1/securities/${id}/${path}`)).status).toBe(403);
      const answer = await lister.client.get(`/v1/securities/${id}/${path}`);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('etag')).toBeNull();
    }
  });
});
