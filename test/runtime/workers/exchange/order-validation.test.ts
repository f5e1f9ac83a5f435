import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import { trades } from '../../../../data/schema/orders.ts';
import { addMonths } from '../../../../domain/calendar/add-months.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { createPair, type PairTerms } from '../../fixtures/create-pair.ts';
import type { TraderTerms } from '../../fixtures/create-trader.ts';
import { anyone, type Client, type ErrorBody } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { haltVenue, setFacts, setRules } from '../../fixtures/operate.ts';
import { limitOrder, type OrderBody, placed } from '../../fixtures/placing.ts';
import { orderOf, tradingClient } from '../../fixtures/trading-client.ts';

const CASH = 10_000_000_00;
const VERIFIED: TraderTerms = { accreditationStatus: 'completed', accreditationType: '506c' };
const SELF_CERTIFIED: TraderTerms = { accreditationStatus: 'completed', accreditationType: '506b' };

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'PLAIN', { market: { lotSize: 5, quantityMin: 10, quantityMax: 1_000, tickSize: 5 } });
});

const pair = (symbol: string, asset: PairTerms['asset'], market?: PairTerms['market']) =>
  createPair(db, symbol, { ...(asset === undefined ? {} : { asset }), ...(market === undefined ? {} : { market }) });
const trader = (terms: TraderTerms = {}) => tradingClient(db, { cash: CASH, ...terms });

async function refusal(
  client: Client,
  body: OrderBody,
): Promise<{ status: number; code: string; details: Record<string, unknown> }> {
  const answer = await client.post<ErrorBody>('/v1/orders', body);
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(Object.keys(answer.body.error).sort()).toEqual(['code', 'details', 'message']);
  return { status: answer.status, code: answer.body.error.code, details: answer.body.error.details };
}

async function expectRejected(client: Client, body: OrderBody, code: string): Promise<Record<string, unknown>> {
  const found = await refusal(client, body);
  expect(found).toMatchObject({ status: 400, code });
  const order = await orderOf(client, found.details.orderId as string);
  expect(order).toMatchObject({ orderId: found.details.orderId, status: 'REJECTED', code, filledQuantity: 0 });
  return found.details;
}

describe('1. authentication (access token and tenant token)', () => {
  test('without a credential: 401 UNAUTHORIZED, before anything else is looked at', async () => {
    expect(await refusal(anyone(), limitOrder('nowhere', 'BUY', 1, 1))).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });

  test('identity verification not completed: 403 FORBIDDEN', async () => {
    const client = await trader({ kycStatus: 'pending' });
    expect(await refusal(client, limitOrder('plain', 'BUY', 10, 1))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await client.get<{ data: unknown[] }>('/v1/orders')).body.data).toEqual([]);
  });

  test('a frozen account: 403 FORBIDDEN', async () => {
    expect(await refusal(await trader({ frozen: true }), limitOrder('plain', 'BUY', 10, 1))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });
});

describe('2. asset exists and is tradeable', () => {
  test.each(['nowhere', 'usd'])('%s: 404 ASSET_NOT_FOUND', async (assetId) => {
    const client = await trader();
    expect(await refusal(client, limitOrder(assetId, 'BUY', 1, 1))).toMatchObject({
      status: 404,
      code: 'ASSET_NOT_FOUND',
    });
    expect((await client.get<{ data: unknown[] }>('/v1/orders')).body.data).toEqual([]);
  });

  test.each([
    ['not tradeable', { tradeable: false }],
    ['suspended', { status: 'SUSPENDED' as const }],
  ])('%s: ASSET_NOT_TRADEABLE, and it comes before accreditation', async (state, asset) => {
    const symbol = `CLOSED${state.length}`;
    await pair(symbol, { ...asset, accreditationType: '506c' });
    const details = await expectRejected(
      await trader(),
      limitOrder(symbol.toLowerCase(), 'BUY', 1, 1),
      'ASSET_NOT_TRADEABLE',
    );
    expect(details).toMatchObject({ reason: 'asset_not_open' });
  });

  test('a halted market: ASSET_NOT_TRADEABLE', async () => {
    await pair('HALTED', {});
    await setRules('HALTED-USD', { status: 'halted' });
    const details = await expectRejected(await trader(), limitOrder('halted', 'BUY', 1, 1), 'ASSET_NOT_TRADEABLE');
    expect(details).toMatchObject({ reason: 'market_halted' });
  });

  test('the market-wide halt: ASSET_NOT_TRADEABLE, and trading goes on when it ends', async () => {
    const client = await trader();
    await placed(client, limitOrder('plain', 'BUY', 10, 1));
    await haltVenue(true);
    await expectRejected(client, limitOrder('plain', 'BUY', 10, 1), 'ASSET_NOT_TRADEABLE');
    await haltVenue(false);
    await placed(client, limitOrder('plain', 'BUY', 10, 1));
  });

  test.each([
    ['public equities without a market at the broker', 'STOCK', 'stocks', 'public', 'broker', 'no_market'],
    ['crypto without a market at the prime broker', 'COIN', 'crypto', 'digital', 'prime', 'no_market'],
  ] as const)(
    '%s: ASSET_NOT_TRADEABLE with details.reason',
    async (_, symbol, category, rail, executionRoute, reason) => {
      await pair(symbol, { category, rail, executionRoute, tracksLots: false });
      const details = await expectRejected(
        await trader(),
        limitOrder(symbol.toLowerCase(), 'BUY', 1, 1),
        'ASSET_NOT_TRADEABLE',
      );
      expect(details).toMatchObject({ reason });
    },
  );

  test('an unknown order type, or one with a time in force that it does not have: 400 INVALID_ORDER_TYPE', async () => {
    const client = await trader();
    expect(await refusal(client, { ...limitOrder('plain', 'BUY', 10, 1), orderType: 'iceberg' })).toMatchObject({
      status: 400,
      code: 'INVALID_ORDER_TYPE',
    });
    await expectRejected(
      client,
      { assetId: 'plain', side: 'BUY', orderType: 'market', quantity: 10, timeInForce: 'GTC' },
      'INVALID_ORDER_TYPE',
    );
  });

  test('isPreIPO on an asset that is not pre-IPO: INVALID_ORDER_TYPE', async () => {
    await expectRejected(
      await trader(),
      { ...limitOrder('plain', 'BUY', 10, 1), isPreIPO: true },
      'INVALID_ORDER_TYPE',
    );
  });
});

describe("the market's rules", () => {
  const RULES: [string, Partial<OrderBody>, Record<string, unknown>][] = [
    ['a limit order has a limit price', { limitPrice: undefined }, { reason: 'missing_field', field: 'limitPrice' }],
    ['a market order has none', { orderType: 'market' }, { reason: 'unexpected_field', field: 'limitPrice' }],
    ['a price is on the tick', { limitPrice: 1.01 }, { reason: 'not_on_tick', field: 'limitPrice', tickSize: 0.05 }],
    ['a quantity is on the lot', { quantity: 12 }, { reason: 'not_on_lot', lotSize: 5 }],
    ['a quantity is not below the minimum', { quantity: 5 }, { reason: 'below_minimum', quantityMin: 10 }],
    ['a quantity is not above the maximum', { quantity: 1_005 }, { reason: 'above_maximum', quantityMax: 1_000 }],
    [
      'T-03: what rests comes to something',
      { limitPrice: 0.05, quantity: 15 },
      { reason: 'below_least_notional', notionalMin: 1 },
    ],
    [
      'an expiry is in the future',
      { timeInForce: 'GTD', expiresAt: '2020-01-01T00:00:00Z' },
      { reason: 'expiry_not_in_future' },
    ],
    [
      'an expiry is not out of sight',
      { timeInForce: 'GTD', expiresAt: '2099-01-01T00:00:00Z' },
      { reason: 'expiry_too_far' },
    ],
    ['only GTD expires', { expiresAt: '2099-01-01T00:00:00Z' }, { reason: 'unexpected_field', field: 'expiresAt' }],
  ];

  test.each(RULES)('%s: VALIDATION_ERROR, kept as REJECTED', async (_, fields, expected) => {
    const details = await expectRejected(
      await trader(),
      { ...limitOrder('plain', 'BUY', 10, 1), ...fields },
      'VALIDATION_ERROR',
    );
    expect(details).toMatchObject(expected);
  });

  test('a number with more decimals than the market has is refused, never rounded', async () => {
    const client = await trader();
    expect(await refusal(client, limitOrder('plain', 'BUY', 10.5, 1))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field: 'quantity', reason: 'too_many_decimals', decimalsMax: 0 },
    });
    expect(await refusal(client, limitOrder('plain', 'BUY', 10, 1.005))).toMatchObject({
      details: { field: 'limitPrice', decimalsMax: 2 },
    });
  });

  test.each([
    ['no asset', { assetId: undefined }],
    ['a side that is none', { side: 'HOLD' as never }],
    ['no quantity', { quantity: undefined as never }],
    ['a quantity of 0', { quantity: 0 }],
    ['a negative price', { limitPrice: -1 }],
  ])('a malformed order (%s): 400 VALIDATION_ERROR', async (_, fields) => {
    const body = { ...limitOrder('plain', 'BUY', 10, 1), ...fields } as OrderBody;
    expect(await refusal(await trader(), body)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test.each(['BUY', 'SELL'] as const)(
    'T-05: a market %s on a pair without any reference price is refused',
    async (side) => {
      const details = await expectRejected(
        await trader(),
        { assetId: 'plain', side, orderType: 'market', quantity: 10 },
        'VALIDATION_ERROR',
      );
      expect(details).toMatchObject({ reason: 'no_reference_price' });
    },
  );
});

describe("3. accreditation of buyer against the asset's accreditationType", () => {
  beforeAll(async () => {
    await pair('VERIF', { accreditationType: '506c', regulation: 'reg_d_506c' });
    await pair('SELFC', { accreditationType: '506b', regulation: 'reg_d_506b' });
    const preIpo = { category: 'pre-ipo', executionRoute: 'indication', accreditationType: '506b' } as const;
    await pair('PREIPO', preIpo, { route: 'indication' });
  });

  test.each<[string, TraderTerms, boolean]>([
    ['not accredited', {}, false],
    ['self-certified', SELF_CERTIFIED, false],
    ['verification pending', { ...VERIFIED, accreditationStatus: 'pending' }, false],
    ['verified', VERIFIED, true],
  ])('506c, buyer %s', async (_, terms, allowed) => {
    const client = await trader(terms);
    if (allowed) await placed(client, limitOrder('verif', 'BUY', 1, 1));
    else
      expect(await expectRejected(client, limitOrder('verif', 'BUY', 1, 1), 'ACCREDITATION_REQUIRED')).toMatchObject({
        accreditationType: '506c',
      });
  });

  test.each<[string, TraderTerms, boolean]>([
    ['not accredited', {}, false],
    ['self-certified', SELF_CERTIFIED, true],
    ['verified', VERIFIED, true],
  ])('506b, buyer %s', async (_, terms, allowed) => {
    const client = await trader(terms);
    if (allowed) await placed(client, limitOrder('selfc', 'BUY', 1, 1));
    else await expectRejected(client, limitOrder('selfc', 'BUY', 1, 1), 'ACCREDITATION_REQUIRED');
  });

  test('506b, sold by who neither may see it nor holds any: it does not exist', async () => {
    const answer = await (await trader()).post('/v1/orders', limitOrder('selfc', 'SELL', 1, 1));
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'ASSET_NOT_FOUND' } } });
  });

  test('null: any investor', async () => {
    await placed(await trader(), limitOrder('plain', 'BUY', 10, 1));
  });

  test.each([
    ['stocks', 'public', 'broker'],
    ['fixed-income', 'public', 'broker'],
    ['commodities', 'public', 'broker'],
    ['forex', 'public', 'broker'],
    ['crypto', 'digital', 'prime'],
    ['privates', 'private', 'internal'],
  ] as const)(
    'X-AEP-31: any investor buys %s on the %s rail, which go to the %s book',
    async (category, rail, route) => {
      const symbol = `ANY${category.replace('-', '').toUpperCase()}`;
      await pair(symbol, { category, rail, executionRoute: route }, { route, referencePrice: 10_00 });
      // A broker that takes what it is sent, at any hour.
      faults.broker = new ScriptedBroker();
      onTestFinished(clearFaults);
      const client = await trader({ accreditationStatus: 'none', accreditationType: null });
      const id = await placed(client, limitOrder(symbol.toLowerCase(), 'BUY', 1, 9.9));
      expect(await orderOf(client, id)).toMatchObject({ orderId: id, status: 'PENDING' });
    },
  );

  test('pre-IPO: accredited', async () => {
    const body = { ...limitOrder('preipo', 'BUY', 1, 1), isPreIPO: true };
    const details = await expectRejected(await trader(), body, 'ACCREDITATION_REQUIRED');
    expect(details).toMatchObject({ accreditationType: '506b' });
    const client = await trader(SELF_CERTIFIED);
    expect(await orderOf(client, await placed(client, body))).toMatchObject({
      isPreIPO: true,
      indication: 'INDICATED',
    });
  });

  test('it comes before the balance', async () => {
    await expectRejected(await trader({ cash: 0 }), limitOrder('verif', 'BUY', 1, 1), 'ACCREDITATION_REQUIRED');
  });

  test('a seller needs none', async () => {
    const client = await tradingClient(db, {}, { asset: 'verif', lots: [{ quantity: 5 }] });
    await placed(client, limitOrder('verif', 'SELL', 5, 1));
  });

  test('facts that have changed since the credential was checked are checked again', async () => {
    const client = await trader(VERIFIED);
    await placed(client, limitOrder('verif', 'BUY', 1, 1));
    await setFacts(client.accountId, { accreditationStatus: 'expired' });
    await expectRejected(client, limitOrder('verif', 'BUY', 1, 1), 'ACCREDITATION_REQUIRED');
  });

  test('rules of the asset that have changed since they were cached are checked again', async () => {
    await pair('TIGHTER', {});
    const client = await trader();
    await placed(client, limitOrder('tighter', 'BUY', 1, 1));
    await db.update(assets).set({ accreditationType: '506c' }).where(eq(assets.id, 'tighter'));
    await setRules('TIGHTER-USD', { quantityMax: 1_000 });
    await expectRejected(client, limitOrder('tighter', 'BUY', 1, 1), 'ACCREDITATION_REQUIRED');
  });
});

describe('4. RegCF investment limit (where applicable)', () => {
  beforeAll(async () => {
    await pair('CROWD', { regulation: 'reg_cf' });
    await pair('CROWD2', { regulation: 'reg_cf' });
  });

  test('an investor without means may buy for 2,500 over all issuers, open orders included', async () => {
    const client = await trader();
    await placed(client, limitOrder('crowd', 'BUY', 200, 10));
    const details = await expectRejected(client, limitOrder('crowd2', 'BUY', 51, 10), 'INVESTMENT_LIMIT_EXCEEDED');
    expect(details).toMatchObject({ required: 510, available: 500 });
    await placed(client, limitOrder('crowd2', 'BUY', 50, 10));
  });

  test('a cancelled order gives its part back', async () => {
    const client = await trader();
    const orderId = await placed(client, limitOrder('crowd', 'BUY', 250, 10));
    await expectRejected(client, limitOrder('crowd', 'BUY', 1, 10), 'INVESTMENT_LIMIT_EXCEEDED');
    await client.delete(`/v1/orders/${orderId}`);
    await placed(client, limitOrder('crowd', 'BUY', 250, 10));
  });

  test('a modification is held to it too', async () => {
    const client = await trader();
    const orderId = await placed(client, limitOrder('crowd', 'BUY', 100, 10));
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 251 })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVESTMENT_LIMIT_EXCEEDED' } },
    });
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'PENDING', quantity: 100 });
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 250 })).toMatchObject({ status: 200 });
  });

  test('the limit follows income and net worth', async () => {
    const client = await trader({ annualIncome: 100_000_00, netWorth: 20_000_00 });
    await expectRejected(client, limitOrder('crowd', 'BUY', 501, 10), 'INVESTMENT_LIMIT_EXCEEDED');
    await placed(client, limitOrder('crowd', 'BUY', 500, 10));
  });

  test('what was bought counts for 12 months and then gives back', async () => {
    const seller = await tradingClient(db, {}, { asset: 'crowd', lots: [{ quantity: 250 }] });
    const client = await trader();
    await placed(seller, limitOrder('crowd', 'SELL', 250, 11));
    const orderId = await placed(client, limitOrder('crowd', 'BUY', 200, 11));
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'EXECUTED' });
    await expectRejected(client, limitOrder('crowd', 'BUY', 50, 10), 'INVESTMENT_LIMIT_EXCEEDED');
    const yearAgo = addMonths(Date.now(), -12);
    await db
      .update(trades)
      .set({ executedAt: yearAgo + 60_000 })
      .where(eq(trades.buyer, client.accountId));
    await expectRejected(client, limitOrder('crowd', 'BUY', 50, 10), 'INVESTMENT_LIMIT_EXCEEDED');
    await db
      .update(trades)
      .set({ executedAt: yearAgo - 60_000 })
      .where(eq(trades.buyer, client.accountId));
    await placed(client, limitOrder('crowd', 'BUY', 250, 10));
  });

  test('orders at the same time are not granted the same limit twice', async () => {
    const client = await trader();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post('/v1/orders', limitOrder('crowd', 'BUY', 100, 10))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test('accredited investors and other assets have no limit', async () => {
    await placed(await trader(SELF_CERTIFIED), limitOrder('crowd', 'BUY', 10_000, 10));
    await placed(await trader(), limitOrder('plain', 'BUY', 1_000, 100));
  });

  test('it comes before the balance', async () => {
    await expectRejected(await trader({ cash: 0 }), limitOrder('crowd', 'BUY', 1_000, 10), 'INVESTMENT_LIMIT_EXCEEDED');
  });
});

describe('5. portfolio ownership for SELL orders', () => {
  test('who owns nothing: INSUFFICIENT_BALANCE', async () => {
    const details = await expectRejected(await trader(), limitOrder('plain', 'SELL', 10, 1), 'INSUFFICIENT_BALANCE');
    expect(details).toMatchObject({ asset: 'PLAIN', required: 10, available: 0 });
  });
});

describe('6. resale restriction for restricted lots', () => {
  const later = Date.now() + 90 * 86_400_000;
  beforeAll(async () => {
    await pair('RESC', { regulation: 'reg_d_506c', accreditationType: '506c' });
    await pair('RESCF', { regulation: 'reg_cf' });
    await pair('RESS', { regulation: 'reg_s' });
    await pair('RESA', { regulation: 'reg_a' });
  });
  const holder = (asset: string, terms: TraderTerms = {}) =>
    tradingClient(db, terms, { asset, lots: [{ quantity: 10, restrictionEndsAt: later }] });

  test('where no exemption applies (Reg S, US seller): RESALE_RESTRICTED', async () => {
    const details = await expectRejected(await holder('ress'), limitOrder('ress', 'SELL', 5, 1), 'RESALE_RESTRICTED');
    expect(details).toMatchObject({ restrictionEndDate: new Date(later).toISOString() });
  });

  test('it comes before the balance', async () => {
    await expectRejected(await holder('ress'), limitOrder('ress', 'SELL', 50, 1), 'RESALE_RESTRICTED');
  });

  test('unrestricted lots are sold first in, first out, up to the restricted one', async () => {
    const client = await tradingClient(
      db,
      {},
      {
        asset: 'ress',
        lots: [
          { quantity: 4, acquiredAt: 1_000 },
          { quantity: 6, acquiredAt: 2_000, restrictionEndsAt: later },
        ],
      },
    );
    await placed(client, limitOrder('ress', 'SELL', 4, 1_000));
    await expectRejected(client, limitOrder('ress', 'SELL', 1, 1_000), 'RESALE_RESTRICTED');
  });

  test('a modification that would reach into a restricted lot is refused', async () => {
    const client = await tradingClient(
      db,
      {},
      {
        asset: 'ress',
        lots: [
          { quantity: 4, acquiredAt: 1_000 },
          { quantity: 6, acquiredAt: 2_000, restrictionEndsAt: later },
        ],
      },
    );
    const orderId = await placed(client, limitOrder('ress', 'SELL', 4, 1_000));
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 5 })).toMatchObject({
      status: 400,
      body: { error: { code: 'RESALE_RESTRICTED' } },
    });
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'PENDING', quantity: 4, isRestrictedOrder: false });
  });

  test('a modification that takes the restricted lots back lifts the restriction', async () => {
    const lots = [
      { quantity: 4, acquiredAt: 1_000 },
      { quantity: 6, acquiredAt: 2_000, restrictionEndsAt: later },
    ];
    const client = await tradingClient(db, {}, { asset: 'rescf', lots });
    const orderId = await placed(client, limitOrder('rescf', 'SELL', 10, 600));
    const retail = await trader({ cash: 10_000_00 });
    const buy = await placed(retail, limitOrder('rescf', 'BUY', 4, 600));
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'PENDING', isRestrictedOrder: true });
    expect(await client.put(`/v1/orders/${orderId}`, { quantity: 4 })).toMatchObject({ status: 200 });
    expect(await orderOf(client, orderId)).toMatchObject({ status: 'EXECUTED', isRestrictedOrder: false });
    expect(await orderOf(retail, buy)).toMatchObject({ status: 'EXECUTED' });
  });

  test('Reg S among non-US investors: allowed, to non-US buyers alone', async () => {
    const seller = await holder('ress', { usPerson: false });
    const sell = await placed(seller, limitOrder('ress', 'SELL', 10, 3));
    const american = await placed(await trader(VERIFIED), limitOrder('ress', 'BUY', 10, 3));
    expect(await orderOf(seller, sell)).toMatchObject({ status: 'PENDING', isRestrictedOrder: true });
    const foreigner = await trader({ usPerson: false });
    const buy = await placed(foreigner, limitOrder('ress', 'BUY', 10, 3));
    expect(await orderOf(foreigner, buy)).toMatchObject({ status: 'EXECUTED' });
    expect(american).not.toBe(buy);
  });

  test('Reg CF within the hold: isRestrictedOrder=true and the buyer must be an accredited investor', async () => {
    const seller = await holder('rescf');
    const sell = await placed(seller, limitOrder('rescf', 'SELL', 10, 5));
    expect(await orderOf(seller, sell)).toMatchObject({ status: 'PENDING', isRestrictedOrder: true });
    const retail = await trader();
    expect(await orderOf(retail, await placed(retail, limitOrder('rescf', 'BUY', 10, 5)))).toMatchObject({
      status: 'PENDING',
      filledQuantity: 0,
    });
    const accredited = await trader(SELF_CERTIFIED);
    expect(await orderOf(accredited, await placed(accredited, limitOrder('rescf', 'BUY', 10, 5)))).toMatchObject({
      status: 'EXECUTED',
    });
    const { body } = await accredited.get<{ data: { lots: unknown[] }[] }>('/v1/exchange-portfolio');
    expect(body.data[0]?.lots).toMatchObject([
      { quantity: 10, isRestricted: true, restrictionEndDate: new Date(later).toISOString() },
    ]);
  });

  test('Reg D within the hold: unsolicited sale to accredited investors', async () => {
    const seller = await holder('resc', VERIFIED);
    const sell = await placed(seller, limitOrder('resc', 'SELL', 10, 5));
    const buyer = await trader(VERIFIED);
    await placed(buyer, limitOrder('resc', 'BUY', 10, 5));
    expect(await orderOf(seller, sell)).toMatchObject({ status: 'EXECUTED', isRestrictedOrder: true });
  });

  test('C-04: a seller without accreditation sells to a verified buyer, from a free lot and, where the offering allows it, from a restricted one', async () => {
    const lots = [
      { quantity: 3, acquiredAt: 1_000 },
      { quantity: 7, acquiredAt: 2_000, restrictionEndsAt: later },
    ];
    const seller = await tradingClient(db, {}, { asset: 'resc', lots });
    const free = await placed(seller, limitOrder('resc', 'SELL', 3, 70));
    const restricted = await placed(seller, limitOrder('resc', 'SELL', 7, 70));
    const retail = await trader();
    await expectRejected(retail, limitOrder('resc', 'BUY', 3, 70), 'ACCREDITATION_REQUIRED');
    await placed(await trader(VERIFIED), limitOrder('resc', 'BUY', 10, 70));
    expect(await orderOf(seller, free)).toMatchObject({ status: 'EXECUTED', isRestrictedOrder: false });
    expect(await orderOf(seller, restricted)).toMatchObject({ status: 'EXECUTED', isRestrictedOrder: true });
  });

  test('one restricted lot flags the whole order', async () => {
    const client = await tradingClient(
      db,
      {},
      {
        asset: 'rescf',
        lots: [
          { quantity: 9, acquiredAt: 1_000 },
          { quantity: 1, acquiredAt: 2_000, restrictionEndsAt: later },
        ],
      },
    );
    expect(await orderOf(client, await placed(client, limitOrder('rescf', 'SELL', 9, 900)))).toMatchObject({
      isRestrictedOrder: false,
    });
    expect(await orderOf(client, await placed(client, limitOrder('rescf', 'SELL', 1, 900)))).toMatchObject({
      isRestrictedOrder: true,
    });
  });

  test('Reg A is freely tradeable, and a lot past its hold is too', async () => {
    const free = await holder('resa');
    expect(await orderOf(free, await placed(free, limitOrder('resa', 'SELL', 10, 9)))).toMatchObject({
      isRestrictedOrder: false,
    });
    const past = await tradingClient(
      db,
      {},
      { asset: 'ress', lots: [{ quantity: 10, restrictionEndsAt: Date.now() - 1 }] },
    );
    expect(await orderOf(past, await placed(past, limitOrder('ress', 'SELL', 10, 900)))).toMatchObject({
      isRestrictedOrder: false,
    });
  });
});

describe('7. sufficient cash (BUY) or holdings (SELL)', () => {
  test('details carry required and available', async () => {
    const poor = await tradingClient(db, { cash: 100_00 }, { asset: 'plain', lots: [{ quantity: 20 }] });
    expect(await expectRejected(poor, limitOrder('plain', 'BUY', 10, 20), 'INSUFFICIENT_BALANCE')).toMatchObject({
      required: 200,
      available: 100,
    });
    expect(await expectRejected(poor, limitOrder('plain', 'SELL', 25, 900), 'INSUFFICIENT_BALANCE')).toMatchObject({
      required: 25,
      available: 20,
    });
  });

  test('what open orders hold is not available again', async () => {
    const client = await trader({ cash: 100_00 });
    await placed(client, limitOrder('plain', 'BUY', 20, 4));
    expect(await expectRejected(client, limitOrder('plain', 'BUY', 10, 4), 'INSUFFICIENT_BALANCE')).toMatchObject({
      required: 40,
      available: 20,
    });
  });

  test('a rejected order holds nothing', async () => {
    const client = await trader({ cash: 100_00 });
    await expectRejected(client, limitOrder('plain', 'BUY', 1_000, 4), 'INSUFFICIENT_BALANCE');
    expect((await client.get('/v1/account')).body).toMatchObject({ data: { cashBalance: 100, buyingPower: 100 } });
  });
});

test('after all of it the ledger is right', async () => {
  await expectRightLedger();
});
