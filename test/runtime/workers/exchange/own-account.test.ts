import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { settleBeforeRead } from '../../../../application/ledger/settle-before-read.ts';
import { MOVEMENTS_MAX, readMovementSums } from '../../../../data/accounts/movements.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { idsFrom } from '../../../../data/ids-from.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, type ErrorBody, tokensOf } from '../../fixtures/exchange-client.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

let db: Database;
let buyer: TradingClient;
let seller: TradingClient;
let stranger: TradingClient;

interface Answered<Data> {
  readonly data: Data;
}

interface Balance {
  readonly symbol: string;
  readonly opening: number;
  readonly closing: number;
  readonly moved: readonly { readonly kind: string; readonly amount: number }[];
}

interface StatementBody
  extends Answered<{
    readonly isOver: boolean;
    readonly balances: readonly Balance[];
    readonly movements: readonly {
      readonly kind: string;
      readonly symbol: string;
      readonly amount: number;
      readonly reference: string;
    }[];
  }> {}

/** Days of UTC and months of New York begin with an hour: none begins while this file runs. */
const LAST_OF_HOUR_MS = 300_000;
const left_ms = 3_600_000 - (Date.now() % 3_600_000);
if (left_ms < LAST_OF_HOUR_MS) skipTime(left_ms);

const month = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit' }).format(
  Date.now(),
);
const year = month.slice(0, 4);

/** Alice has bought 4 for 100.00 each, with a fee of 100 bps, and sold 1 for 120.00. */
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'OWN', { market: { takerFeeBps: 100, makerFeeBps: 50 } });
  await createPair(db, 'FUND', { asset: { regulation: 'reg_cf' } });
  await createPair(db, 'VERIFIED', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  await createPair(db, 'QUIET', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  await createPair(db, 'SOUND', {
    asset: { regulation: 'reg_cf', executionRoute: 'indication' },
    market: { route: 'indication' },
  });
  await createAsset(db, {
    id: 'eur',
    symbol: 'EUR',
    name: 'Euro',
    category: 'currency',
    scale: 2,
    createdAt: Date.now(),
  });
  buyer = await tradingClient(db, { cash: 1_000_00 });
  seller = await tradingClient(db, { cash: 1_000_00 }, { asset: 'own', lots: [{ quantity: 100, cost: 50_00 }] });
  stranger = await tradingClient(db);
  await placed(seller, limitOrder('own', 'SELL', 4, 100));
  await placed(buyer, limitOrder('own', 'BUY', 4, 100));
  await placed(seller, limitOrder('own', 'BUY', 1, 120));
  await placed(buyer, limitOrder('own', 'SELL', 1, 120));
});

afterEach(clearFaults);

const statement = async (client: TradingClient, of = month) =>
  (await client.get<StatementBody>(`/v1/statements/${of}`)).body.data;

test.each([
  '/v1/fees',
  '/v1/assets/own/eligibility',
  '/v1/statements',
  `/v1/statements/${month}`,
  '/v1/portfolio/history',
  `/v1/gains?year=${year}`,
  '/v1/fills/01900000-0000-7000-8000-000000000000/confirmation',
])('%s asks for a credential', async (path) => expect((await anyone().get(path)).status).toBe(401));

describe('fees', () => {
  test('are those that the engine charges, market by market', async () => {
    const { body } = await buyer.get<Answered<object[]>>('/v1/fees?assetId=own');
    expect(body.data).toEqual([
      {
        market: 'OWN-USD',
        assetId: 'own',
        symbol: 'OWN',
        rail: 'private',
        route: 'internal',
        makerFeeBps: 50,
        takerFeeBps: 100,
        currency: 'USD',
      },
    ]);
    expect((await statement(buyer)).balances.find(({ symbol }) => symbol === 'USD')?.moved).toContainEqual({
      kind: 'fee',
      amount: -(400 + 120) * 0.01,
    });
  });

  test('name no offering that the caller may not see, and go on page by page', async () => {
    const all = await buyer.get<Answered<{ market: string }[]>>('/v1/fees');
    expect(all.body.data.map(({ market }) => market)).toEqual(['FUND-USD', 'OWN-USD', 'SOUND.IOI-USD', 'VERIFIED-USD']);
    const page = await buyer.get<Answered<{ market: string }[]>>('/v1/fees?limit=1&cursor=FUND-USD');
    expect(page.body.data.map(({ market }) => market)).toEqual(['OWN-USD']);
    expect(page.headers.get('link')).toContain('cursor=OWN-USD');
  });
});

describe('what one may do in an asset', () => {
  interface Side {
    readonly allowed: boolean;
    readonly rules: readonly { readonly rule: string; readonly code: string; readonly remedy: string }[];
  }
  type Eligibility = Answered<{
    readonly buy: Side;
    readonly sell: Side & { readonly freeQuantity: number; readonly restrictedQuantity: number };
    readonly regCf: { readonly limit: number; readonly available: number } | null;
  }>;
  const read = async (client: TradingClient, asset: string) =>
    (await client.get<Eligibility>(`/v1/assets/${asset}/eligibility`)).body.data;

  test('is what placing an order would say', async () => {
    expect(await read(buyer, 'own')).toMatchObject({
      buy: { allowed: true, rules: [] },
      sell: { allowed: true, rules: [], freeQuantity: 3, restrictedQuantity: 0 },
      regCf: null,
    });
    const verified = await read(buyer, 'verified');
    expect(verified.buy.rules.map(({ rule }) => rule)).toEqual(['third_party_verified_buyer']);
    const refused = await buyer.post<ErrorBody>('/v1/orders', limitOrder('verified', 'BUY', 1, 1));
    expect(refused.body.error).toMatchObject({
      code: verified.buy.rules[0]?.code,
      details: { rule: 'third_party_verified_buyer', remedy: verified.buy.rules[0]?.remedy },
    });
  });

  test('names every rule, not the first alone', async () => {
    const newcomer = await tradingClient(db, { kycStatus: 'pending' });
    const { buy } = await read(newcomer, 'verified');
    expect(buy.rules.map(({ rule }) => rule)).toEqual(['identity_verified', 'third_party_verified_buyer']);
  });

  test('says how much may be bought under Regulation Crowdfunding', async () => {
    expect((await read(buyer, 'fund')).regCf).toMatchObject({ limit: 2_500, available: 2_500 });
  });

  test('limits no indication, which spends nothing', async () => {
    expect(await read(buyer, 'sound')).toMatchObject({ buy: { allowed: true }, regCf: null });
  });

  test('refuses under Regulation Crowdfunding where nobody can say in dollars what was bought', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    await env.DB.prepare(
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at)
       VALUES (?, 'FUND-EUR', 1, 'fund', 'eur', 100, 1, 100, 'buy', 'b', 's', ?, 'x', 0, 0, ?)`,
    )
      .bind(uuidv7(), client.accountId, Date.now())
      .run();
    const { buy, regCf } = await read(client, 'fund');
    expect([buy.allowed, buy.rules.map(({ rule }) => rule), regCf]).toEqual([false, ['rate_stated'], null]);
    const refused = await client.post<ErrorBody>('/v1/orders', limitOrder('fund', 'BUY', 1, 1));
    expect(refused.body.error.code).toBe(buy.rules[0]?.code);
  });

  test('says how much the hold periods leave to sell', async () => {
    const restrictionEndsAt = Date.now() + 86_400_000;
    const holder = await tradingClient(
      db,
      { usPerson: false },
      { asset: 'own', lots: [{ quantity: 3 }, { quantity: 4, restrictionEndsAt, offeringType: 'lockup' }] },
    );
    const { sell } = await read(holder, 'own');
    expect([sell.freeQuantity + sell.restrictedQuantity, sell.allowed]).toEqual([7, true]);
  });

  test('tells nobody of an offering that they may not see', async () => {
    for (const asset of ['quiet', 'nothing'])
      expect((await buyer.get<ErrorBody>(`/v1/assets/${asset}/eligibility`)).body.error.code).toBe('ASSET_NOT_FOUND');
  });

  test('records no refusal and places no order', async () => {
    await read(stranger, 'verified');
    expect((await stranger.get<Answered<object[]>>('/v1/orders')).body.data).toEqual([]);
  });
});

describe('the preview of an order', () => {
  test('says what it would cost and hold, and holds nothing', async () => {
    const asked = { assetId: 'own', side: 'BUY', orderType: 'limit', quantity: 1, limitPrice: 90 };
    const { status, body } = await buyer.post<Answered<object>>('/v1/orders/preview', asked);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        market: 'OWN-USD',
        worstPrice: 90,
        estimatedFilledQuantity: 0,
        takerFeeBps: 100,
        held: 90.9,
        totalAtWorst: 90.9,
        heldAsset: 'USD',
        waitsUntil: null,
      }),
    ]);
    expect((await buyer.get<Answered<object[]>>('/v1/orders?status=PENDING')).body.data).toEqual([]);
  });

  test('of an order at a broker has its fee and hold, and hands nothing over', async () => {
    const broker = new ScriptedBroker();
    faults.broker = broker;
    await createPair(db, 'FAR', {
      asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
      market: { route: 'broker', referencePrice: 100_00, takerFeeBps: 10 },
    });
    const { body } = await buyer.post<Answered<object>>('/v1/orders/preview', limitOrder('far', 'BUY', 2, 100));
    expect(body.data).toMatchObject({ route: 'broker', takerFeeBps: 10, held: 200.2, totalAtWorst: 200.2 });
    const poor = await stranger.post<ErrorBody>('/v1/orders/preview', limitOrder('far', 'SELL', 2, 100));
    expect(poor.body.error.code).toBe('INSUFFICIENT_BALANCE');
    expect(broker.orders.size).toBe(0);
    const fees = await buyer.get<Answered<{ makerFeeBps: number | null }[]>>('/v1/fees?assetId=far');
    expect(fees.body.data).toMatchObject([{ route: 'broker', makerFeeBps: null, takerFeeBps: 10 }]);
  });

  test('says where nobody tells what would fill, and the value by day is not known without a price', async () => {
    await createPair(db, 'MUTE', {
      asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
      market: { route: 'broker', referencePrice: 100_00 },
    });
    const holder = await tradingClient(db, { cash: 1_000_00 }, { asset: 'mute', lots: [{ quantity: 3 }] });
    const before = { ...env };
    Object.assign(env, {
      BROKER: 'alpaca',
      ALPACA_DATA_URL: 'https://data.example',
      ALPACA_DATA_CALLS_PER_MINUTE: '200',
    });
    vi.stubGlobal('fetch', async () => Response.json({ message: 'down' }, { status: 500 }));
    try {
      const { body } = await holder.post<Answered<object>>('/v1/orders/preview', limitOrder('mute', 'SELL', 2, 100));
      expect(body.data).toMatchObject({ isEstimated: false, estimatedFilledQuantity: 0, held: 2 });
      const history = await holder.get<Answered<object[]>>('/v1/portfolio/history?days=1');
      expect(history.body.data).toMatchObject([{ value: null, profit: null, cash: 1_000, withoutClose: ['MUTE'] }]);
    } finally {
      vi.unstubAllGlobals();
      Object.assign(env, before);
    }
  });

  test('names what placing would be refused for, and records no refusal', async () => {
    const refusal = async (order: object) => (await buyer.post<ErrorBody>('/v1/orders/preview', order)).body.error;
    expect((await refusal(limitOrder('verified', 'BUY', 1, 1))).details).toEqual(
      expect.objectContaining({ rule: 'third_party_verified_buyer' }),
    );
    expect((await refusal(limitOrder('own', 'BUY', 1_000, 100))).code).toBe('INSUFFICIENT_BALANCE');
    expect((await refusal({ ...limitOrder('own', 'BUY', 1, 1), orderType: 'stop' })).code).toBe('INVALID_ORDER_TYPE');
    expect((await refusal(limitOrder('quiet', 'SELL', 1, 1))).code).toBe('ASSET_NOT_FOUND');
  });
});

describe('a statement', () => {
  test('opens and closes with what moved between, as the account stands', async () => {
    const { isOver, balances, movements } = await statement(buyer);
    expect(isOver).toBe(false);
    const account = (await buyer.get<Answered<{ cashBalance: number }>>('/v1/account')).body.data;
    const usd = balances.find(({ symbol }) => symbol === 'USD');
    expect(usd).toMatchObject({ opening: 0, closing: account.cashBalance });
    for (const { symbol, opening, closing, moved } of balances) {
      const sum = (amounts: readonly { readonly amount: number }[]) =>
        Math.round(amounts.reduce((all, { amount }) => all + amount, 0) * 1e4) / 1e4;
      expect(opening + sum(moved)).toBeCloseTo(closing, 4);
      expect(sum(movements.filter((each) => each.symbol === symbol))).toBeCloseTo(closing - opening, 4);
    }
  });

  test('stands in the list, and an earlier month has none of what came later', async () => {
    const { body } = await buyer.get<Answered<{ month: string; isOver: boolean }[]>>('/v1/statements');
    expect(body.data.at(0)).toMatchObject({ month, isOver: false });
    expect(await statement(buyer, '2020-01')).toMatchObject({ isOver: true, balances: [], movements: [] });
  });

  test.each(['9999-01', '2026-13', 'now', '2026-1'])('there is none of %s', async (of) => {
    expect((await buyer.get(`/v1/statements/${of}`)).status).toBe(404);
  });

  test('is of the caller alone', async () => {
    expect((await statement(stranger)).movements.filter(({ kind }) => kind === 'trade')).toEqual([]);
  });

  test('agrees with the ledger whatever the span begins at', async () => {
    await settleBeforeRead(env, buyer.accountId);
    const sums = await readMovementSums(db, { account: buyer.accountId, from: 0, to: Date.now() + 1 });
    const all = new Map<string, number>();
    for (const { asset, within, since } of sums?.moved ?? []) all.set(asset, (all.get(asset) ?? 0) + within + since);
    expect(Object.fromEntries([...all].filter(([, amount]) => amount !== 0))).toEqual(
      Object.fromEntries((sums?.now ?? []).map(({ asset, amount }) => [asset, amount])),
    );
    expect(MOVEMENTS_MAX).toBeGreaterThan(1_000);
  });
});

describe('a confirmation', () => {
  const tradeOf = async (client: TradingClient) =>
    (await statement(client)).movements.find(({ kind }) => kind === 'trade')?.reference ?? 'none';

  test('says what was traded, when, at which price and fee, and in which capacity', async () => {
    const id = await tradeOf(buyer);
    const { body } = await buyer.get<Answered<object[]>>(`/v1/fills/${id}/confirmation`);
    expect(body.data).toEqual([
      expect.objectContaining({
        tradeId: id,
        accountId: buyer.accountId,
        side: 'BUY',
        symbol: 'OWN',
        quantity: 4,
        price: 100,
        amount: 400,
        fee: 4,
        net: 404,
        currency: 'USD',
        capacity: 'agent',
        rule: '17 CFR 240.10b-10(a)',
        adjusted: null,
      }),
    ]);
    const other = (await seller.get<Answered<{ side: string; net: number }[]>>(`/v1/fills/${id}/confirmation`)).body;
    expect(other.data).toMatchObject([{ side: 'SELL', net: 398 }]);
  });

  test('is unknown to who had no part in the trade', async () => {
    expect((await stranger.get(`/v1/fills/${await tradeOf(buyer)}/confirmation`)).status).toBe(404);
  });
});

describe('value by day', () => {
  interface Day {
    readonly value: number;
    readonly cash: number;
    readonly netDeposits: number;
    readonly realizedPnl: number;
    readonly isOver: boolean;
  }

  test('ends with what the account is worth now', async () => {
    const { body } = await buyer.get<Answered<Day[]>>('/v1/portfolio/history?days=2');
    const account = (await buyer.get<Answered<{ cashBalance: number }>>('/v1/account')).body.data;
    expect(body.data).toHaveLength(2);
    expect(body.data.at(-1)).toMatchObject({
      isOver: false,
      cash: account.cashBalance,
      value: account.cashBalance + 3 * 120,
      netDeposits: 1_000,
      realizedPnl: 17.8,
    });
    expect(body.data.at(0)).toMatchObject({ isOver: true, value: 0 });
  });

  test.each(['0', '367', 'all'])('has no %s days', async (days) => {
    expect((await buyer.get(`/v1/portfolio/history?days=${days}`)).status).toBe(400);
  });
});

describe('gains of a year', () => {
  test('are those of each sale, as JSON and as CSV', async () => {
    const { body } = await buyer.get<Answered<object[]>>(`/v1/gains?year=${year}`);
    expect(body.data).toEqual([
      expect.objectContaining({ symbol: 'OWN', quantity: 1, proceeds: 118.8, costBasis: 101, gain: 17.8 }),
    ]);
    expect((await buyer.get<Answered<object[]>>('/v1/gains?year=2020')).body.data).toEqual([]);
    expect((await buyer.get('/v1/gains')).status).toBe(400);
  });

  test('go on behind the last one, of trades and of booked executions', async () => {
    const client = await tradingClient(db);
    await insertSales(client.accountId, 3);
    const walked: string[] = [];
    let path: string | null = '/v1/gains?year=2021&limit=1';
    while (path !== null && walked.length < 9) {
      const { body, headers }: { body: Answered<{ tradeId: string }[]>; headers: Headers } = await client.get(path);
      walked.push(...body.data.map(({ tradeId }) => tradeId));
      path = /(\/v1\/[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(walked).toEqual([saleId(0), 'booked', saleId(1), saleId(2)]);
    const all = await client.get<Answered<{ tradeId: string }[]>>('/v1/gains?year=2021');
    expect(all.body.data.map(({ tradeId }) => tradeId)).toEqual(walked);
    expect(all.headers.get('link')).toBeNull();
  });

  test('stand in the file all of them, however many', async () => {
    const client = await tradingClient(db);
    await insertSales(client.accountId, 2_100, 10_000);
    const file = await callWorker('http://localhost/exchange/v1/gains?year=2021&format=csv', {
      headers: await tokensOf(client),
    });
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines[0]).toContain('disposedOn,symbol');
    expect(new Set(lines.slice(1)).size).toBe(2_101);
  });
});

const SOLD_AT = Date.UTC(2021, 5, 2);
const saleId = (n: number) => `${idsFrom(SOLD_AT + n)}-7000-8000-${String(n).padStart(12, '0')}`;

/** Sales of 2021, one a millisecond, and an execution without an order at the time of the first one. */
async function insertSales(seller: string, count: number, first = 0): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at)
       SELECT value ->> 0, 'OWN-USD', 10000 + (value ->> 1), 'own', 'usd', 100, 1, 100, 'sell', 'b', 's', 'x', ?, 0, 0, ? + (value ->> 1) FROM json_each(?)`,
    ).bind(seller, SOLD_AT, JSON.stringify(Array.from({ length: count }, (_, at) => [saleId(first + at), first + at]))),
    env.DB.prepare(
      `INSERT INTO booked_executions (id, book, break_id, execution_id, account, side, asset_id, quote_asset, price, quantity, notional, executed_at, created_at)
       VALUES (?, 'OWN-USD', 'b', 'e', ?, 'sell', 'own', 'usd', 100, 1, 100, ?, ?)`,
    ).bind(first === 0 ? 'booked' : `booked-${first}`, seller, SOLD_AT, SOLD_AT + first),
  ]);
}
