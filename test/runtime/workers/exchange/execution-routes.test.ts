import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { cancelOrder } from '../../../../application/order-entry/cancel-order.ts';
import { cancelOrders } from '../../../../application/order-entry/cancel-orders.ts';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrder } from '../../../../application/order-entry/place-order.ts';
import {
  EXECUTION_ROUTES,
  findOrderAtRoutes,
  knownOrders,
} from '../../../../application/order-entry/routes/execution-routes.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import type { Principal } from '../../../../domain/identity/principal.ts';
import type { Market } from '../../../../domain/markets/market.ts';
import type { AmendCommand } from '../../../../durable-objects/order-book/api.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

const internal = EXECUTION_ROUTES.internal;
let db: Database;
let market: Market;

beforeAll(async () => {
  db = await migrate();
  market = await createPair(db, 'SEAM');
  await createPair(db, 'OTHER');
  await createAsset(db, {
    id: 'coin',
    symbol: 'COIN',
    name: 'Coin',
    category: 'crypto',
    rail: 'digital',
    scale: 0,
    executionRoute: 'prime',
    createdAt: Date.now(),
  });
});

async function trading() {
  const trader = await createTrader(db, { cash: 1_000_000_00 });
  const facts = (await findUserFacts(db, trader.userId))?.account ?? null;
  const principal: Principal = {
    kind: 'user',
    userId: trader.userId,
    owner: trader.owner,
    roles: ['trader'],
    scopes: ['read', 'trade'],
    keyId: null,
    tokenIssuedAt: null,
    positionLimits: null,
    dailyLossMax: null,
    orderSizeLimits: null,
    secretVersion: null,
    dailyNotionalMax: null,
    symbols: null,
    facts,
    clientAddress: '192.0.2.1',
  };
  return { account: trader.accountId, owner: trader.owner, context: { env, principal } };
}

type Trading = Awaited<ReturnType<typeof trading>>;

function buy(instrument: OrderRequest['instrument'], price: number): OrderRequest {
  return {
    orderId: uuidv7(),
    instrument,
    side: 'buy',
    type: 'limit',
    timeInForce: null,
    quantity: 2,
    price,
    stopPrice: null,
    expiresAt: null,
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: null,
    preIpo: false,
  };
}

async function openOrder(
  { context }: Trading,
  symbol = 'SEAM-USD',
  terms: Partial<Pick<OrderRequest, 'type' | 'stopPrice'>> = {},
): Promise<string> {
  const placed = await placeOrder(context, { ...buy({ symbol }, 10), ...terms });
  if (!placed.ok) throw new Error(`refused: ${JSON.stringify(placed.error)}`);
  return placed.value.report.orderId;
}

function amendment({ account, context: { principal } }: Trading, orderId: string, quantity: number): AmendCommand {
  return {
    type: 'amend',
    amendmentId: uuidv7(),
    orderId,
    account,
    quantity,
    price: null,
    stopPrice: null,
    checkedOver: null,
    unfilledOnly: false,
    limitedKey: null,
    factsVersion: principal.facts?.factsVersion ?? 0,
    rulesVersion: market.rulesVersion,
  };
}

/** The trader's context while neither ledger nor D1 can be reached. */
function withoutLedger({ context }: Trading): Trading['context'] {
  const fail = () => {
    throw new Error('away');
  };
  const away = { LEDGER: { getByName: fail }, DB: { prepare: fail } };
  return { ...context, env: { ...env, ...away } as unknown as typeof env };
}

const dollars = { scale: 2, rate: null };

describe('the internal route', () => {
  test('has what was placed with it: status and open markets say so before anything has settled', async () => {
    const trader = await trading();
    const orderId = await openOrder(trader);
    expect(await internal.status(env, trader, orderId)).toMatchObject({ order: { id: orderId, status: 'open' } });
    expect(await internal.openMarkets(env, trader.account)).toEqual(['SEAM-USD']);
    expect(await internal.settled(env, 'SEAM-USD')).toBe(true);
    expect(await internal.status(env, trader, uuidv7())).toBeNull();
  });

  test('amends under the rules of the market that it is given, and says when they have changed', async () => {
    const trader = await trading();
    const orderId = await openOrder(trader);
    const command = amendment(trader, orderId, 5);
    expect(await internal.amend(env, { market, dollars }, command)).toMatchObject({
      type: 'amended',
      report: { orderId, quantity: 5 },
    });
    const old = { ...amendment(trader, orderId, 6), rulesVersion: market.rulesVersion - 1 };
    expect(await internal.amend(env, { market, dollars }, old)).toEqual({ type: 'stale' });
    expect(await internal.amend(env, { market: null, dollars: null }, command)).toMatchObject({
      type: 'refused',
      failure: { detail: 'no_market' },
    });
  });

  test('cancels orders on several markets and answers each by itself, in the order given', async () => {
    const trader = await trading();
    const [one, two] = [await openOrder(trader), await openOrder(trader, 'OTHER-USD')];
    const asked = [
      { orderId: two, symbol: 'OTHER-USD', terms: null },
      { orderId: uuidv7(), symbol: 'OTHER-USD', terms: null },
      { orderId: uuidv7(), symbol: null, terms: null },
      { orderId: one, symbol: 'SEAM-USD', terms: null },
    ];
    const notFound = { ok: false, error: { reason: 'order_not_found' } };
    expect(await internal.cancel(env, trader.account, asked)).toMatchObject([
      { ok: true, value: { symbol: 'OTHER-USD', report: { orderId: two, status: 'cancelled' } } },
      notFound,
      notFound,
      { ok: true, value: { symbol: 'SEAM-USD', report: { orderId: one, status: 'cancelled' } } },
    ]);
  });

  test('mass cancels on one market, or on all', async () => {
    const trader = await trading();
    const [one, two] = [await openOrder(trader), await openOrder(trader, 'OTHER-USD')];
    const { account } = trader;
    const onOther = { account, symbol: 'OTHER-USD', side: null };
    expect(await internal.massCancel(env, onOther)).toEqual({ orderIds: [two], pendingOrderIds: [], complete: true });
    const sells = { account, symbol: null, side: 'sell' } as const;
    expect(await internal.massCancel(env, sells)).toEqual({ orderIds: [], pendingOrderIds: [], complete: true });
    const all = { account, symbol: null, side: null };
    expect(await internal.massCancel(env, all)).toEqual({ orderIds: [one], pendingOrderIds: [], complete: true });
  });

  test('reports an order as open, and it is remembered after it has ended', async () => {
    const trader = await trading();
    const orderId = await openOrder(trader);
    expect(knownOrders.find(orderId, trader.account)).toMatchObject({ route: 'internal', symbol: 'SEAM-USD' });
    await internal.cancel(env, trader.account, [{ orderId, symbol: 'SEAM-USD', terms: null }]);
    expect(knownOrders.find(orderId, trader.account)).toMatchObject({ symbol: 'SEAM-USD' });
  });

  test('cancels what is remembered while ledger and D1 are away, whatever else is asked for with it', async () => {
    const trader = await trading();
    const orderId = await openOrder(trader);
    expect(await cancelOrders(withoutLedger(trader), [orderId, uuidv7()])).toMatchObject([
      { ok: true, value: { report: { orderId, status: 'cancelled' } } },
      { ok: false, error: { reason: 'unavailable' } },
    ]);
  });

  test('the same of an order with a trigger, and says the trigger that its book has by now', async () => {
    const trader = await trading();
    const orderId = await openOrder(trader, 'SEAM-USD', { type: 'stop_loss_limit', stopPrice: 9 });
    const amended = { ...amendment(trader, orderId, 2), stopPrice: 9_50 };
    expect(await internal.amend(env, { market, dollars }, amended)).toMatchObject({ type: 'amended' });
    const known = knownOrders.find(orderId, trader.account);
    expect(known?.terms).toMatchObject({ type: 'stop_loss_limit', stopPrice: 9_00 });
    expect(await cancelOrders(withoutLedger(trader), [orderId])).toMatchObject([
      { ok: true, value: { report: { orderId, status: 'cancelled' }, terms: { side: 'buy', stopPrice: 9_50 } } },
    ]);
  });
});

describe('an order on an asset without a market of its route', () => {
  const failure = { reason: 'asset_not_tradeable', detail: 'no_market' };

  test('is refused, and kept as rejected: it cannot be cancelled or amended', async () => {
    const trader = await trading();
    const request = buy({ assetId: 'coin' }, 10);
    const placed = await placeOrder(trader.context, request);
    expect(placed).toMatchObject({ ok: false, error: { failure, orderId: request.orderId } });
    await settle('SEAM-USD');
    expect(await cancelOrder(trader.context, request.orderId)).toEqual({
      ok: false,
      error: { reason: 'order_not_cancellable', status: 'rejected' },
    });
    expect(await findOrderAtRoutes(env, trader, request.orderId)).toBeNull();
  });
});

describe('what an isolate does not remember', () => {
  test('an open order that waits for its stop price is cancelled all the same', async () => {
    const trader = await trading();
    const stop = { ...buy({ symbol: 'SEAM-USD' }, 20), type: 'stop_loss_limit' as const, stopPrice: 19 };
    const placed = await placeOrder(trader.context, stop);
    if (!placed.ok) throw new Error(`refused: ${JSON.stringify(placed.error)}`);
    await settle('SEAM-USD');
    const report = { ...placed.value.report, status: 'cancelled' as const };
    knownOrders.note({ route: 'internal', account: trader.account, symbol: 'SEAM-USD', report, terms: null });
    expect(await cancelOrder(trader.context, stop.orderId)).toMatchObject({
      ok: true,
      value: { report: { status: 'cancelled' }, terms: { type: 'stop_loss_limit', side: 'buy', stopPrice: 19_00 } },
    });
  });
});

test('a mass cancellation is not complete while the ledger or a book is away', async () => {
  const trader = await trading();
  await openOrder(trader);
  const lost = () => Promise.reject(new Error('connection lost'));
  const away = { getByName: () => new Proxy({}, { get: () => lost }) };
  const wanted = { account: trader.account, symbol: null, side: null };
  const nothing = { orderIds: [], pendingOrderIds: [], complete: false };
  expect(await internal.massCancel({ ...env, LEDGER: away } as unknown as Env, wanted)).toEqual(nothing);
  expect(await internal.massCancel({ ...env, ORDER_BOOK: away } as unknown as Env, wanted)).toEqual(nothing);
  expect(await internal.massCancel(env, wanted)).toMatchObject({ orderIds: [expect.any(String)], complete: true });
});
