import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deposit } from '../../../../application/ledger/transfers.ts';
import { cancelOrder } from '../../../../application/order-entry/cancel-order.ts';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrder } from '../../../../application/order-entry/place-order.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import { orders } from '../../../../data/schema/orders.ts';
import { PROJECTED_WAIT_MS } from '../../../../durable-objects/ledger/api.ts';
import type { PlaceCommand } from '../../../../durable-objects/order-book/api.ts';
import { resultsText } from '../../../../durable-objects/order-book/rpc/call-text.ts';
import { orderEntryError } from '../../../../workers/responses/order-entry-error.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ONE');
});
afterEach(() => {
  clearLedgerFaults();
  vi.restoreAllMocks();
});

/** Statements are made of an absent D1 as of any other; running one fails. */
const absent: object = new Proxy(
  {},
  { get: (_, name) => (name === 'prepare' || name === 'bind' ? () => absent : fails) },
);

function fails(): Promise<never> {
  return Promise.reject(new Error('D1 is away'));
}

const away = { ...env, DB: absent as D1Database };

async function contextOf({ userId, owner }: Trader) {
  const facts = (await findUserFacts(db, userId))?.account ?? null;
  const limits = { positionLimits: null, dailyLossMax: null, orderSizeLimits: null, dailyNotionalMax: null };
  const principal = {
    kind: 'user' as const,
    userId,
    owner,
    roles: ['trader' as const],
    scopes: ['read' as const, 'trade' as const],
    keyId: null,
    tokenIssuedAt: null,
    secretVersion: null,
    ...limits,
    symbols: null,
    facts,
    clientAddress: '192.0.2.1',
  };
  return { env, principal };
}

const terms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: 1,
  price: 200,
  stopPrice: null,
  expiresAt: null,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: null,
} as const;

function requestOf(): OrderRequest {
  return {
    ...terms,
    orderId: uuidv7(),
    instrument: { symbol: 'ONE-USD' },
    price: 2,
    clientOrderId: null,
    preIpo: false,
  };
}

/** Places an order at its book, so that order entry does not remember where it is. */
async function placeAtBook({ accountId, owner }: Trader): Promise<string> {
  const command: PlaceCommand = {
    type: 'place',
    orderId: uuidv7(),
    account: accountId,
    owner,
    keyId: null,
    clientOrderId: null,
    terms,
    attributes: 0,
    requires: 0,
    allowanceAsset: null,
    positionAsset: null,
    daily: null,
    factsVersion: 1,
    rulesVersion: 1,
  };
  expect(await env.ORDER_BOOK.getByName('ONE-USD').submit([command])).toMatchObject([{ type: 'done' }]);
  return command.orderId;
}

describe('while the database is away', () => {
  test('an order is cancelled, wherever it was placed', async () => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const { principal } = await contextOf(trader);
    const placed = await placeOrder({ env, principal }, requestOf());
    if (!placed.ok) throw new Error('the order was placed');
    for (const orderId of [placed.value.report.orderId, await placeAtBook(trader)]) {
      expect(await cancelOrder({ env: away, principal }, orderId)).toMatchObject({
        ok: true,
        value: { symbol: 'ONE-USD', report: { orderId, status: 'cancelled' } },
      });
    }
  });

  test('nothing is said of an order that nobody knows: it may have ended', async () => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const { principal } = await contextOf(trader);
    await placeAtBook(trader);
    expect(await cancelOrder({ env: away, principal }, uuidv7())).toMatchObject({ error: { reason: 'unavailable' } });
    expect(await cancelOrder({ env, principal }, uuidv7())).toMatchObject({ error: { reason: 'order_not_found' } });
  });
});

describe('while the database is behind the ledger', () => {
  test('a read of account data is refused with Retry-After, and sees everything later', async () => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const client = await signedIn(trader);
    planLedgerFaults({ d1: () => 'request_lost' });
    const orderId = await placeAtBook(trader);
    const end = hurry(PROJECTED_WAIT_MS);
    const refused = await client.get('/v1/orders');
    end();
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    expect(refused.headers.get('retry-after')).toBe('1');
    // An open order is read from its book.
    expect(await client.get(`/v1/orders/${orderId}`)).toMatchObject({ status: 200 });
    clearLedgerFaults();
    expect(await client.get('/v1/orders')).toMatchObject({ status: 200, body: { data: [{ orderId }] } });
  });

  test('an order that it does not show yet is cancelled', async () => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const { principal } = await contextOf(trader);
    planLedgerFaults({ d1: () => 'request_lost' });
    const orderId = await placeAtBook(trader);
    expect(await cancelOrder({ env, principal }, orderId)).toMatchObject({
      ok: true,
      value: { report: { status: 'cancelled' } },
    });
  });

  test('the outcome of a deposit is unknown, and the same one finds that it was made', async () => {
    const { accountId } = await createTrader(db);
    const request = {
      id: uuidv7(),
      account: accountId,
      asset: 'usd',
      amount: 5_00,
      cost: 0,
      lots: [],
      reference: null,
      createdAt: Date.now(),
      action: null,
    };
    planLedgerFaults({ d1: () => 'request_lost' });
    const end = hurry(PROJECTED_WAIT_MS);
    expect(await deposit(env, request)).toEqual({ ok: false, error: { reason: 'outcome_unknown' } });
    end();
    clearLedgerFaults();
    expect(await deposit(env, request)).toMatchObject({ ok: true, value: { transfer: { amount: 5_00 } } });
    const balances = await env.LEDGER.getByName('ledger:0').balances(accountId);
    expect(balances).toMatchObject([{ asset: 'usd', available: 5_00 }]);
  });
});

describe('an order that is refused for want of room', () => {
  test.each([
    ['backlog', { reason: 'backlog' }, 'SERVICE_UNAVAILABLE'],
    ['a full ledger', { reason: 'ledger_full' }, 'SERVICE_UNAVAILABLE'],
    [
      'too many open orders',
      { reason: 'too_many_open_orders', of: 'account', openOrdersMax: 3 },
      'RISK_LIMIT_EXCEEDED',
    ],
    ['too many lots of the account', { reason: 'account_quota', of: 'lots', quota: 3 }, 'RISK_LIMIT_EXCEEDED'],
  ] as const)('%s: %s', async (_, refusal, code) => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const { principal } = await contextOf(trader);
    const request = requestOf();
    const submitText = async () => resultsText([{ type: 'refused', orderId: request.orderId, refusal }]);
    const full = { ...env, ORDER_BOOK: { getByName: () => ({ submitText }) } as unknown as Env['ORDER_BOOK'] };
    const outcome = await placeOrder({ env: full, principal }, request);
    if (outcome.ok) throw new Error('the order was refused');
    expect(outcome.error.failure).toEqual(refusal);
    expect(orderEntryError(outcome.error.failure).code).toBe(code);
    // What can be repeated as it is leaves no rejected order behind.
    expect(outcome.error.orderId).toBe(code === 'SERVICE_UNAVAILABLE' ? null : request.orderId);
    expect(await db.select().from(orders).where(eq(orders.id, request.orderId))).toEqual([]);
  });
});

test('after all of it the ledger is right', async () => {
  await settle('ONE-USD');
  await expectRightLedger();
});
