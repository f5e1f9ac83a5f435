import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { withdraw } from '../../../../application/ledger/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'HOLD', {
    asset: { name: 'Holding Company', offeringType: 'retail' },
    market: { takerFeeBps: 100 },
  });
  await createPair(db, 'OTHER', { asset: { name: 'Other Company' } });
  await createPair(db, 'COIN', {
    asset: {
      name: 'Coin',
      category: 'crypto',
      rail: 'digital',
      scale: 8,
      tracksLots: false,
      executionRoute: 'internal',
    },
    market: {
      tickSize: 100,
      lotSize: 1_000_000,
      quantityMin: 1_000_000,
      quantityMax: 1_000_000_000_000,
      referencePrice: 400_00,
    },
  });
});

const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`);

/** Trades `quantity` of an asset at `price` between the two. */
async function trade(
  asset: string,
  seller: TradingClient,
  buyer: TradingClient,
  quantity: number,
  price: number,
): Promise<void> {
  await placed(seller, limitOrder(asset, 'SELL', quantity, price));
  await placed(buyer, limitOrder(asset, 'BUY', quantity, price));
}

test.each([
  '/v1/orders',
  '/v1/portfolio',
  '/v1/exchange-portfolio',
  '/v1/core-transactions',
  '/v1/account',
  '/v1/core-account-info',
])('%s needs both tokens: 401 UNAUTHORIZED', async (path) => {
  expect(await anyone().get(path)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
});

describe('GET /v1/portfolio', () => {
  test('{data: [holding], message}, valued at the last price', async () => {
    const holder = await tradingClient(
      db,
      {},
      {
        asset: 'hold',
        lots: [
          { quantity: 6, cost: 60_00 },
          { quantity: 4, cost: 50_00 },
        ],
      },
    );
    await giveBalance({ accountId: holder.accountId, asset: 'coin', amount: 50_000_000, cost: 150_00 });
    const others = await tradingClient(db, { cash: 1_000_00 }, { asset: 'hold', lots: [{ quantity: 1 }] });
    await trade('hold', others, await tradingClient(db, { cash: 1_000_00 }), 1, 13.2);
    await others.get('/v1/account');
    const { status, body } = await holder.get('/v1/portfolio');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          assetId: 'coin',
          symbol: 'COIN',
          name: 'Coin',
          type: 'crypto',
          quantity: 0.5,
          unsettledQuantity: 0,
          averageCost: 300,
          currentPrice: 400,
          marketValue: 200,
          unrealizedPnl: 50,
          unrealizedPnlPercent: 33.3333333333,
          stale: false,
          realizedPnl: 0,
        },
        {
          assetId: 'hold',
          symbol: 'HOLD',
          name: 'Holding Company',
          type: 'privates',
          quantity: 10,
          unsettledQuantity: 0,
          averageCost: 11,
          currentPrice: 13.2,
          marketValue: 132,
          unrealizedPnl: 22,
          unrealizedPnlPercent: 20,
          stale: false,
          realizedPnl: 0,
        },
      ],
      realized: { currency: 'USD', realizedPnl: 0, isPartial: false, assets: [] },
      message: 'ok',
    });
  });

  test('a fill moves it at once, shares held by open orders still count, what is sold out is gone', async () => {
    const seller = await tradingClient(db, {}, { asset: 'other', lots: [{ quantity: 10, cost: 10_00 }] });
    const buyer = await tradingClient(db, { cash: 1_000_00 });
    await placed(seller, limitOrder('other', 'SELL', 10, 5));
    expect((await seller.get('/v1/portfolio')).body).toMatchObject({ data: [{ assetId: 'other', quantity: 10 }] });
    await placed(buyer, limitOrder('other', 'BUY', 10, 5));
    expect((await seller.get('/v1/portfolio')).body).toMatchObject({ data: [], message: 'ok' });
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({
      data: [{ assetId: 'other', quantity: 10, averageCost: 5, marketValue: 50 }],
    });
  });
});

describe('GET /v1/exchange-portfolio', () => {
  test('{data: [item]} with lots first-in-first-out', async () => {
    const future = Date.now() + 86_400_000;
    const holder = await tradingClient(
      db,
      {},
      {
        asset: 'hold',
        lots: [
          { quantity: 4, cost: 40_00, acquiredAt: day('2026-03-01'), restrictionEndsAt: future, offeringType: '506c' },
          {
            quantity: 6,
            cost: 30_00,
            acquiredAt: day('2024-01-15'),
            restrictionEndsAt: day('2025-01-15'),
            offeringType: '506c',
          },
          { quantity: 2, cost: 14_00, acquiredAt: day('2025-06-01') },
        ],
      },
    );
    await giveBalance({ accountId: holder.accountId, asset: 'coin', amount: 100_000_000, cost: 300_00 });
    expect((await holder.get('/v1/exchange-portfolio')).body).toEqual({
      data: [
        {
          assetId: 'coin',
          symbol: 'COIN',
          name: 'Coin',
          type: 'crypto',
          quantity: 1,
          unsettledQuantity: 0,
          averageCost: 300,
          realizedPnl: 0,
          lots: [],
        },
        {
          assetId: 'hold',
          symbol: 'HOLD',
          name: 'Holding Company',
          type: 'privates',
          quantity: 12,
          unsettledQuantity: 0,
          averageCost: 7,
          realizedPnl: 0,
          lots: [
            {
              quantity: 6,
              acquisitionDate: '2024-01-15T00:00:00.000Z',
              restrictionEndDate: '2025-01-15T00:00:00.000Z',
              isRestricted: false,
              offeringType: '506c',
            },
            {
              quantity: 2,
              acquisitionDate: '2025-06-01T00:00:00.000Z',
              restrictionEndDate: null,
              isRestricted: false,
              offeringType: 'retail',
            },
            {
              quantity: 4,
              acquisitionDate: '2026-03-01T00:00:00.000Z',
              restrictionEndDate: new Date(future).toISOString(),
              isRestricted: true,
              offeringType: '506c',
            },
          ],
        },
      ],
    });
  });

  test('oldest lots are sold first', async () => {
    const seller = await tradingClient(
      db,
      {},
      {
        asset: 'other',
        lots: [
          { quantity: 3, acquiredAt: day('2024-01-01') },
          { quantity: 3, acquiredAt: day('2025-01-01') },
        ],
      },
    );
    await trade('other', seller, await tradingClient(db, { cash: 1_000_00 }), 4, 5);
    const { body } = await seller.get<{ data: { lots: unknown[] }[] }>('/v1/exchange-portfolio');
    expect(body.data[0]?.lots).toMatchObject([{ quantity: 2, acquisitionDate: '2025-01-01T00:00:00.000Z' }]);
  });
});

describe('GET /v1/core-transactions', () => {
  let buyer: TradingClient;
  let seller: TradingClient;

  beforeAll(async () => {
    buyer = await tradingClient(db, { cash: 1_000_00 });
    seller = await tradingClient(db, {}, { asset: 'hold', lots: [{ quantity: 10 }] });
    await trade('hold', seller, buyer, 10, 12);
    await withdraw(env, {
      id: uuidv7(),
      account: buyer.accountId,
      asset: 'usd',
      amount: 50_00,
      reference: null,
      createdAt: Date.now(),
      action: null,
    });
  });

  const types = async (query: string) => {
    const { body } = await buyer.get<{ data: { type: string }[]; message: string }>(`/v1/core-transactions${query}`);
    expect(body.message).toBe('ok');
    return body.data.map(({ type }) => type);
  };

  test('{data: [transaction], message}, newest first', async () => {
    const { status, body } = await buyer.get('/v1/core-transactions');
    expect(status).toBe(200);
    const common = {
      id: expect.any(String),
      status: 'completed',
      timestamp: expect.stringMatching(ISO),
      currency: null,
      costBasis: null,
      realizedPnl: null,
      isSettled: true,
      settlementDate: null,
      adjustedAt: null,
      adjustmentSequence: null,
    };
    const paid = { ...common, currency: 'USD' };
    expect(body).toEqual({
      data: [
        { ...common, type: 'withdrawal', assetId: 'usd', side: null, quantity: 50, price: 1, total: 50, fee: 0 },
        { ...paid, type: 'trade', assetId: 'hold', side: 'BUY', quantity: 10, price: 12, total: 120, fee: 1.2 },
        { ...common, type: 'deposit', assetId: 'usd', side: null, quantity: 1_000, price: 1, total: 1_000, fee: 0 },
      ],
      message: 'ok',
    });
  });

  test("the seller's side of the same trade, and a deposit of an asset", async () => {
    expect((await seller.get('/v1/core-transactions')).body).toMatchObject({
      data: [
        { type: 'trade', side: 'SELL', quantity: 10, total: 120, fee: 0 },
        { type: 'deposit', assetId: 'hold', quantity: 10, price: 0, total: 0 },
      ],
    });
  });

  test('type: deposit, withdrawal, trade, all; the default is all', async () => {
    expect(await types('?type=deposit')).toEqual(['deposit']);
    expect(await types('?type=withdrawal')).toEqual(['withdrawal']);
    expect(await types('?type=trade')).toEqual(['trade']);
    expect(await types('?type=all')).toEqual(['withdrawal', 'trade', 'deposit']);
    expect(await types('')).toEqual(['withdrawal', 'trade', 'deposit']);
    expect((await buyer.get('/v1/core-transactions?type=gift')).status).toBe(400);
  });

  test('from and to list what happened between them', async () => {
    const { body } = await buyer.get<{ data: { timestamp: string }[] }>('/v1/core-transactions');
    const [withdrawal, , deposit] = body.data.map(({ timestamp }) => timestamp);
    expect(await types(`?to=${withdrawal}`)).not.toContain('withdrawal');
    expect(await types(`?from=${withdrawal}`)).toContain('withdrawal');
    expect(await types(`?to=${deposit}`)).toEqual([]);
    expect(await types('?to=2020-01-01')).toEqual([]);
    expect(await types('?from=2020-01-01T00:00:00%2B02:00')).toHaveLength(3);
    expect((await buyer.get('/v1/core-transactions?from=2020')).status).toBe(400);
  });

  test('format=csv is a statement of the same rows', async () => {
    const headers = await tokensOf(buyer);
    const answer = await callWorker('http://localhost/exchange/v1/core-transactions?format=csv&type=trade', {
      headers,
    });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const { body } = await buyer.get<{ data: { timestamp: string; id: string }[] }>('/v1/core-transactions?type=trade');
    const [{ timestamp, id } = { timestamp: '', id: '' }] = body.data;
    expect(await answer.text()).toBe(
      'timestamp,id,type,assetId,side,quantity,price,total,fee,status,currency,costBasis,realizedPnl,adjustedAt,settlementDate\r\n' +
        `${timestamp},${id},trade,hold,BUY,10,12,120,1.2,completed,USD,,,,\r\n`,
    );
  });

  test('limit and cursor page through it', async () => {
    const first = await buyer.get<{ data: { type: string }[] }>('/v1/core-transactions?limit=2');
    expect(first.body.data.map(({ type }) => type)).toEqual(['withdrawal', 'trade']);
    const next = /<[^>]*\/exchange([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await buyer.get<{ data: { type: string }[] }>(next);
    expect(second.body.data.map(({ type }) => type)).toEqual(['deposit']);
    expect(second.headers.get('link')).toBeNull();
    expect((await buyer.get('/v1/core-transactions?cursor=nonsense')).status).toBe(400);
  });
});

describe('GET /v1/account', () => {
  test.each(['/v1/account', '/v1/core-account-info'])('%s: {data: account}', async (path) => {
    const client = await tradingClient(db, {
      cash: 500_25,
      accreditationStatus: 'completed',
      accreditationType: '506b',
    });
    expect((await client.get(path)).body).toEqual({
      data: {
        userId: client.userId,
        email: client.email,
        phone: client.phone,
        kycStatus: 'completed',
        accreditationStatus: 'completed',
        accreditationType: '506b',
        cashBalance: 500.25,
        unsettledCash: 0,
        buyingPower: 500.25,
      },
    });
  });

  test('accreditationType is null without accreditation', async () => {
    const client = await tradingClient(db, { kycStatus: 'pending' });
    expect((await client.get('/v1/account')).body).toMatchObject({
      data: {
        kycStatus: 'pending',
        accreditationStatus: 'none',
        accreditationType: null,
        cashBalance: 0,
        buyingPower: 0,
      },
    });
  });

  test('an open order takes from the buying power, not from the cash balance', async () => {
    const client = await tradingClient(db, { cash: 500_00 });
    await placed(client, limitOrder('other', 'BUY', 3, 2.5));
    expect((await client.get('/v1/account')).body).toMatchObject({ data: { cashBalance: 500, buyingPower: 492.5 } });
  });

  test('a credential without a trading account: 403 FORBIDDEN', async () => {
    const client = await signedIn({ userId: uuidv7(), owner: 'org-test' });
    for (const path of [
      '/v1/account',
      '/v1/portfolio',
      '/v1/exchange-portfolio',
      '/v1/core-transactions',
      '/v1/orders',
    ]) {
      expect(await client.get(path)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    }
  });
});

test('after all of it the ledger is right', async () => {
  await expectRightLedger();
});
