import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { revokeUser } from '../../../../application/ledger/revoke.ts';
import { settleBeforeRead } from '../../../../application/ledger/settle-before-read.ts';
import { transact } from '../../../../application/ledger/transact.ts';
import { amendOrder } from '../../../../application/order-entry/amend-order.ts';
import { cancelOrder } from '../../../../application/order-entry/cancel-order.ts';
import { cancelOrders } from '../../../../application/order-entry/cancel-orders.ts';
import { massCancel } from '../../../../application/order-entry/mass-cancel.ts';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrder } from '../../../../application/order-entry/place-order.ts';
import { placeOrders } from '../../../../application/order-entry/place-orders.ts';
import { retryId } from '../../../../application/order-entry/retry-id.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import { endUserTokens } from '../../../../data/identity/revocations.ts';
import { RELEASED } from '../../../../data/orders/account-orders.ts';
import { apiKeys } from '../../../../data/schema/identity.ts';
import { orders } from '../../../../data/schema/orders.ts';
import { MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import type { Principal } from '../../../../domain/identity/principal.ts';
import type { OrderBookApi, PlaceCommand } from '../../../../durable-objects/order-book/api.ts';
import { commandsOf, resultsText } from '../../../../durable-objects/order-book/rpc/call-text.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { endKey, setFacts } from '../../fixtures/operate.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;

afterEach(() => {
  vi.useRealTimers();
});

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ONE');
  await createPair(db, 'TWO');
  await createPair(db, 'LOSS');
  await createPair(db, 'BTC', {
    asset: { category: 'crypto', rail: 'digital', tracksLots: false, executionRoute: 'prime' },
    market: { makerFeeBps: 5, takerFeeBps: 10 },
  });
});

async function principalOf(trader: Trader, over: Partial<Principal> = {}): Promise<Principal> {
  const facts = (await findUserFacts(db, trader.userId))?.account ?? null;
  return {
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
    ...over,
  };
}

async function trading(terms: TraderTerms = {}, over: Partial<Principal> = {}) {
  const trader = await createTrader(db, { cash: 1_000_000_00, ...terms });
  return { trader, context: { env, principal: await principalOf(trader, over) } };
}

/** As a kill switch does it. */
async function endTokens({ userId }: Trader, endedAt: number): Promise<void> {
  await endUserTokens(db, userId, endedAt);
  await revokeUser(env, userId, endedAt);
}

function limit(
  symbol: string,
  side: 'buy' | 'sell',
  quantity: number,
  price: number,
  over: Partial<OrderRequest> = {},
): OrderRequest {
  return {
    orderId: uuidv7(),
    instrument: { symbol },
    side,
    type: 'limit',
    timeInForce: null,
    quantity,
    price,
    stopPrice: null,
    expiresAt: null,
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: null,
    preIpo: false,
    ...over,
  };
}

/** Orders of a trader who trades ONE alone. */
async function ordersOf(trader: Trader): Promise<(typeof orders.$inferSelect)[]> {
  await settle('ONE-USD');
  return db.select().from(orders).where(eq(orders.account, trader.accountId));
}

const stored = async (orderId: string) => db.select().from(orders).where(eq(orders.id, orderId)).get();

/** Bindings whose books are reached through `submit` as given; `call` counts the stubs taken. */
function withBooks(
  stub: (symbol: string, call: number) => Pick<OrderBookApi, 'submit'> & Partial<Pick<OrderBookApi, 'settled'>>,
): Env {
  let calls = 0;
  const getByName = (symbol: string) => {
    const book = stub(symbol, calls++);
    return {
      submitText: async (text: string) => resultsText(await book.submit(commandsOf(text))),
      settled: book.settled ?? (() => env.ORDER_BOOK.getByName(symbol).settled()),
    };
  };
  return { ...env, ORDER_BOOK: { getByName } as unknown as Env['ORDER_BOOK'] };
}

type ReleasedOrder = Pick<PlaceCommand, 'orderId' | 'account' | 'owner'> &
  Pick<PlaceCommand['terms'], 'side' | 'type' | 'quantity' | 'price'>;

/** Leaves an order in the ledger as its book does once it has given the id up. */
async function release(order: ReleasedOrder): Promise<void> {
  const { orderId, account, owner, side, type, quantity, price } = order;
  const { type: outcome } = await transact(env, {
    kind: 'rejected_order',
    order: {
      id: orderId,
      account,
      owner,
      keyId: null,
      book: 'ONE-USD',
      assetId: 'one',
      side,
      type,
      timeInForce: 'GTC',
      quantity,
      price,
      stopPrice: null,
      expiresAt: null,
      clientOrderId: null,
      reserveAsset: 'usd',
      preIpo: false,
      code: RELEASED,
      createdAt: Date.now(),
    },
  });
  if (outcome === 'outcome_unknown') throw new Error(`the order was not stored: ${outcome}`);
}

/** Bindings whose D1 counts the statements that are prepared on it. */
function countingReads(): { env: Env; reads: () => number } {
  let count = 0;
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare' || name === 'batch' || name === 'exec' || name === 'withSession') count += 1;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { env: { ...env, DB }, reads: () => count };
}

test('an order of the order-book profile for a crypto pair executes on the internal book and reads no database once caches are warm', async () => {
  const { context } = await trading();
  const warm = await placeOrder(context, limit('BTC-USD', 'buy', 1, 10));
  expect(warm).toMatchObject({ ok: true, value: { report: { status: 'open' } } });
  const counting = countingReads();
  const placedNow = await placeOrder({ ...context, env: counting.env }, limit('BTC-USD', 'buy', 1, 10));
  expect(placedNow).toMatchObject({ ok: true, value: { report: { status: 'open' } } });
  if (!placedNow.ok) return;
  expect(await cancelOrder({ ...context, env: counting.env }, placedNow.value.report.orderId)).toMatchObject({
    ok: true,
    value: { report: { status: 'cancelled' } },
  });
  expect(counting.reads()).toBe(0);
});

describe('a batch', () => {
  test('is answered one by one, in its order, over several books', async () => {
    const { context } = await trading();
    const requests = [
      limit('ONE-USD', 'buy', 1, 10),
      limit('NONE-USD', 'buy', 1, 10),
      limit('TWO-USD', 'buy', 2, 20),
      limit('ONE-USD', 'sell', 5, 11),
      limit('ONE-USD', 'buy', 1, 10.001),
      limit('ONE-USD', 'buy', 3, 9),
    ];
    const outcomes = await placeOrders(context, requests);
    expect(
      outcomes.map((outcome) => (outcome.ok ? outcome.value.report.orderId : outcome.error.failure.reason)),
    ).toEqual([
      requests[0]?.orderId,
      'symbol_not_found',
      requests[2]?.orderId,
      'insufficient_balance',
      'number_not_representable',
      requests[5]?.orderId,
    ]);
  });

  test('keeps the sequence of orders for one book: the earlier one is matched first', async () => {
    const maker = await trading();
    await giveHolding({ accountId: maker.trader.accountId, asset: 'two', lots: [{ quantity: 2 }] });
    await placeOrders(maker.context, [limit('TWO-USD', 'sell', 2, 500)]);
    const { context } = await trading();
    const [first, second] = await placeOrders(context, [
      limit('TWO-USD', 'buy', 2, 500),
      limit('TWO-USD', 'buy', 2, 500),
    ]);
    expect([first, second]).toMatchObject([
      { value: { report: { status: 'filled' } } },
      { value: { report: { status: 'open' } } },
    ]);
  });

  test('cancels one by one, over several books', async () => {
    const { context } = await trading();
    const other = await trading();
    const foreign = limit('ONE-USD', 'buy', 1, 1);
    await placeOrder(other.context, foreign);
    const requests = [limit('ONE-USD', 'buy', 1, 10), limit('TWO-USD', 'buy', 1, 10)];
    await placeOrders(context, requests);
    const ids = [requests[0]?.orderId ?? '', foreign.orderId, requests[1]?.orderId ?? '', uuidv7()];
    const outcomes = await cancelOrders(context, ids);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.report.status : outcome.error.reason))).toEqual([
      'cancelled',
      'order_not_found',
      'cancelled',
      'order_not_found',
    ]);
    expect(await cancelOrders(context, ids.slice(0, 1))).toMatchObject([
      { error: { reason: 'order_not_cancellable', status: 'cancelled' } },
    ]);
  });
});

describe('mass cancel', () => {
  test('cancels open orders of the account alone, of one market and side where asked', async () => {
    const { trader, context } = await trading();
    await giveHolding({ accountId: trader.accountId, asset: 'one', lots: [{ quantity: 5 }] });
    const other = await trading();
    const foreign = limit('ONE-USD', 'buy', 1, 1);
    await placeOrder(other.context, foreign);
    const [buy, sell, elsewhere] = [
      limit('ONE-USD', 'buy', 1, 2),
      limit('ONE-USD', 'sell', 1, 900),
      limit('TWO-USD', 'buy', 1, 2),
    ] as const;
    await placeOrders(context, [buy, sell, elsewhere]);
    expect(await massCancel(context, { symbol: 'ONE-USD', side: 'sell' })).toEqual({
      ok: true,
      value: { orderIds: [sell.orderId], pendingOrderIds: [] },
    });
    const rest = await massCancel(context, { symbol: null, side: null });
    expect(rest.ok ? [...rest.value.orderIds].sort() : rest).toEqual([buy.orderId, elsewhere.orderId].sort());
    expect(await cancelOrder(other.context, foreign.orderId)).toMatchObject({ ok: true });
  });
});

describe('retries', () => {
  test('the same id again finds the order as it is and places nothing', async () => {
    const { trader, context } = await trading();
    const request = limit('ONE-USD', 'buy', 4, 3);
    const [first, again] = [await placeOrder(context, request), await placeOrder(context, request)];
    expect(again).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId, status: 'open', remaining: 4 } },
    });
    expect(first).toMatchObject({ ok: true });
    const rows = await ordersOf(trader);
    expect(rows).toHaveLength(1);
  });

  test('an order that was rejected before stays rejected with its code', async () => {
    const { context } = await trading({ cash: 0 });
    const request = limit('ONE-USD', 'buy', 4, 3);
    expect(await placeOrder(context, request)).toMatchObject({
      error: { failure: { reason: 'insufficient_balance' } },
    });
    const again = await placeOrder(context, request);
    expect(again).toMatchObject({ ok: false, error: { orderId: request.orderId } });
    expect(await stored(request.orderId)).toMatchObject({
      status: 'rejected',
      code: 'INSUFFICIENT_BALANCE',
      open: 0,
      reserve: 0,
    });
  });

  test('the id after a spent one follows from it alone, with its time', async () => {
    const id = uuidv7();
    const next = await retryId(id);
    expect(next).toBe(await retryId(id));
    expect(next).not.toBe(id);
    expect(next).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(next.slice(0, 13)).toBe(id.slice(0, 13));
  });
});

describe('a book that is lost or out of reach', () => {
  test('an answer that is lost: the same ids on a fresh stub find what was done', async () => {
    const { trader, context } = await trading();
    const lossy = withBooks((symbol, call) => ({
      submit: async (commands) => {
        const results = await env.ORDER_BOOK.getByName(symbol).submit(commands);
        if (call === 0) throw new Error('connection lost');
        return results;
      },
    }));
    const request = limit('ONE-USD', 'buy', 1, 2);
    expect(await placeOrder({ ...context, env: lossy }, request)).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId, status: 'open' } },
    });
    expect(await ordersOf(trader)).toHaveLength(1);
  });

  test('a book that stays away: the outcome is unknown, and a repetition meets the order', async () => {
    const { trader, context } = await trading();
    const request = limit('ONE-USD', 'buy', 1, 2);
    const gone = withBooks((symbol, call) => ({
      submit: async (commands) => {
        if (call === 0) await env.ORDER_BOOK.getByName(symbol).submit(commands);
        throw new Error('connection lost');
      },
    }));
    expect(await placeOrder({ ...context, env: gone }, request)).toMatchObject({
      ok: false,
      error: { failure: { reason: 'outcome_unknown' } },
    });
    expect(await placeOrder(context, request)).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId } },
    });
    expect(await ordersOf(trader)).toHaveLength(1);
  });

  test('an id that the book has given up: another one is tried, the same on every repetition', async () => {
    const { trader, context } = await trading();
    const request = limit('ONE-USD', 'buy', 1, 2);
    const spent = withBooks((symbol) => ({
      submit: async (commands) => {
        const [command] = commands;
        if (command?.type === 'place' && command.orderId === request.orderId) {
          await release({ ...command, ...command.terms });
          return [{ type: 'unavailable', orderId: command.orderId }];
        }
        return env.ORDER_BOOK.getByName(symbol).submit(commands);
      },
    }));
    const expected = { ok: true, value: { report: { orderId: await retryId(request.orderId), status: 'open' } } };
    expect(await placeOrder({ ...context, env: spent }, request)).toMatchObject(expected);
    expect(await placeOrder({ ...context, env: spent }, request)).toMatchObject(expected);
    const rows = await ordersOf(trader);
    expect(rows.map(({ status }) => status).sort()).toEqual(['open', 'rejected']);
  });

  describe('a repetition that the checks would refuse by now', () => {
    const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

    /** Places the order; its answer is lost, and the book with it. */
    async function placedUnheard(context: Awaited<ReturnType<typeof trading>>['context'], request: OrderRequest) {
      const gone = withBooks((symbol, call) => ({
        submit: async (commands) => {
          if (call === 0) await env.ORDER_BOOK.getByName(symbol).submit(commands);
          throw new Error('connection lost');
        },
      }));
      expect(await placeOrder({ ...context, env: gone }, request)).toMatchObject({
        error: { failure: { reason: 'outcome_unknown' } },
      });
    }

    test('meets its order, which was filled before its time was over', async () => {
      const [buyer, seller] = [await trading(), await trading()];
      await giveHolding({ accountId: seller.trader.accountId, asset: 'two', lots: [{ quantity: 1 }] });
      await placeOrder(buyer.context, limit('TWO-USD', 'buy', 1, 600));
      const expiresAt = Date.now() + MINUTE_MS;
      const request = limit('TWO-USD', 'sell', 1, 600, { timeInForce: 'GTD', expiresAt });
      await placedUnheard(seller.context, request);
      later(MINUTE_MS);
      expect(await placeOrder(seller.context, request)).toMatchObject({
        ok: true,
        value: {
          report: { orderId: request.orderId, status: 'filled', filled: 1, filledNotional: 600_00, remaining: 0 },
        },
      });
    });

    test('meets its order, which itself took the lots that were free to sell', async () => {
      await createPair(db, 'HELD', { asset: { regulation: 'reg_s' } });
      const { trader, context } = await trading();
      const lots = [
        { quantity: 10, acquiredAt: Date.now() - 1_000 },
        { quantity: 10, restrictionEndsAt: Date.now() + 86_400_000, offeringType: 'reg_s' },
      ];
      await giveHolding({ accountId: trader.accountId, asset: 'held', lots });
      const request = limit('HELD-USD', 'sell', 10, 5);
      await placedUnheard(context, request);
      expect(await placeOrder(context, request)).toMatchObject({
        ok: true,
        value: { report: { orderId: request.orderId, status: 'open', remaining: 10 } },
      });
      expect(await placeOrder(context, { ...request, orderId: uuidv7() })).toMatchObject({
        error: { failure: { reason: 'resale_restricted' } },
      });
    });

    test('meets its order under the id that followed on one given up', async () => {
      const { trader, context } = await trading();
      const request = limit('ONE-USD', 'buy', 1, 2, { timeInForce: 'GTD', expiresAt: Date.now() + MINUTE_MS });
      const followed = await retryId(request.orderId);
      await placedUnheard(context, { ...request, orderId: followed });
      await release({ ...request, account: trader.accountId, owner: trader.owner });
      later(MINUTE_MS);
      await settle('ONE-USD');
      expect(await placeOrder(context, request)).toMatchObject({ ok: true, value: { report: { orderId: followed } } });
    });

    test('is rejected with the code of the first time', async () => {
      const { context } = await trading({ cash: 0 });
      const request = limit('ONE-USD', 'buy', 4, 3, { timeInForce: 'GTD', expiresAt: Date.now() + 60_000 });
      expect(await placeOrder(context, request)).toMatchObject({
        error: { failure: { reason: 'insufficient_balance' } },
      });
      expect(await placeOrder(context, { ...request, expiresAt: Date.now() - 1 })).toEqual({
        ok: false,
        error: { failure: { reason: 'rejected_before', code: 'INSUFFICIENT_BALANCE' }, orderId: request.orderId },
      });
    });

    test('does not learn the outcome while the book is away', async () => {
      const { context } = await trading();
      const request = limit('ONE-USD', 'buy', 1, 2, { timeInForce: 'GTD', expiresAt: Date.now() + 60_000 });
      await placedUnheard(context, request);
      const lost = () => Promise.reject(new Error('connection lost'));
      const gone = withBooks(() => ({ submit: lost, settled: lost }));
      expect(await placeOrder({ ...context, env: gone }, { ...request, expiresAt: Date.now() - 1 })).toEqual({
        ok: false,
        error: { failure: { reason: 'outcome_unknown' }, orderId: request.orderId },
      });
    });
  });

  test('when it persists: unavailable, and nothing was done', async () => {
    const { context } = await trading();
    const away = withBooks(() => ({
      submit: (commands) =>
        Promise.all(
          commands.map(async (command) => {
            if (command.type !== 'place') throw new Error('a placement was expected');
            await release({ ...command, ...command.terms });
            return { type: 'unavailable', orderId: command.orderId } as const;
          }),
        ),
    }));
    expect(await placeOrder({ ...context, env: away }, limit('ONE-USD', 'buy', 1, 2))).toEqual({
      ok: false,
      error: { failure: { reason: 'unavailable' }, orderId: null },
    });
  });

  test('an id that nobody has given up: no other one is tried, since the order may have been executed under it', async () => {
    const { trader, context } = await trading();
    const request = limit('ONE-USD', 'buy', 1, 2);
    const tried = new Set<string>();
    const away = withBooks(() => ({
      submit: async (commands) =>
        commands.map((command) => {
          const orderId = command.type === 'place' ? command.orderId : '';
          tried.add(orderId);
          return { type: 'unavailable', orderId };
        }),
    }));
    expect(await placeOrder({ ...context, env: away }, request)).toEqual({
      ok: false,
      error: { failure: { reason: 'outcome_unknown' }, orderId: request.orderId },
    });
    expect([...tried]).toEqual([request.orderId]);
    expect(await ordersOf(trader)).toEqual([]);
  });
});

describe('an amendment that its book gives no answer to', () => {
  test('may have been applied: the outcome is unknown', async () => {
    const { context } = await trading();
    const request = limit('ONE-USD', 'buy', 1, 2);
    await placeOrder(context, request);
    await settle('ONE-USD');
    const away = withBooks(() => ({
      submit: async () => [{ type: 'unavailable', orderId: request.orderId }],
      settled: async () => true,
    }));
    const change = { orderId: request.orderId, quantity: 2, price: null, stopPrice: null, unfilledOnly: false };
    expect(await amendOrder({ ...context, env: away }, change)).toEqual({
      ok: false,
      error: { reason: 'outcome_unknown' },
    });
  });
});

describe('what admission asserts', () => {
  test('facts that changed after the check: the order is checked again under the facts of now', async () => {
    const { trader, context } = await trading();
    await setFacts(trader.accountId, { kycStatus: 'rejected' });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 1, 1))).toMatchObject({
      error: { failure: { reason: 'kyc_incomplete' } },
    });
    await setFacts(trader.accountId, { kycStatus: 'completed' });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 1, 1))).toMatchObject({ ok: true });
  });

  test('an account frozen after the check, a key revoked after it: refused, kept as rejected', async () => {
    const frozen = await trading();
    await setFacts(frozen.trader.accountId, { frozen: true });
    const request = limit('ONE-USD', 'buy', 1, 1);
    expect(await placeOrder(frozen.context, request)).toMatchObject({
      ok: false,
      error: { failure: { reason: 'account_frozen' } },
    });

    const keyId = uuidv7();
    const keyed = await trading({}, { kind: 'key', keyId });
    await createKey(keyed.trader, keyId);
    await endKey({ id: keyId, account: keyed.trader.accountId });
    expect(await placeOrder(keyed.context, limit('ONE-USD', 'buy', 1, 1))).toMatchObject({
      ok: false,
      error: { failure: { reason: 'key_revoked' } },
    });
  });
});

describe("an API key's position limit", () => {
  test('counts shares that an open sell holds: when it is cancelled they are there again', async () => {
    const keyId = uuidv7();
    const { trader, context } = await trading({}, { kind: 'key', keyId, positionLimits: { one: 10 } });
    await createKey(trader, keyId);
    await giveHolding({ accountId: trader.accountId, asset: 'one', lots: [{ quantity: 4 }] });
    expect(await placeOrder(context, limit('ONE-USD', 'sell', 4, 50))).toMatchObject({ ok: true });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 7, 5))).toMatchObject({
      error: { failure: { reason: 'risk_limit_exceeded', limit: 'position', required: 7, available: 6 } },
    });
  });

  test('buys beyond it are refused, holdings and open orders counted, sells give room', async () => {
    const keyId = uuidv7();
    const { trader, context } = await trading({}, { kind: 'key', keyId, positionLimits: { one: 10 } });
    await createKey(trader, keyId);
    await giveHolding({ accountId: trader.accountId, asset: 'one', lots: [{ quantity: 4 }] });
    const first = limit('ONE-USD', 'buy', 4, 5);
    expect(await placeOrder(context, first)).toMatchObject({ ok: true });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 3, 5))).toMatchObject({
      error: { failure: { reason: 'risk_limit_exceeded', limit: 'position', required: 3, available: 2 } },
    });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 2, 5))).toMatchObject({ ok: true });
    expect(await placeOrder(context, limit('TWO-USD', 'buy', 50, 5))).toMatchObject({ ok: true });
    expect(
      await amendOrder(context, {
        orderId: first.orderId,
        quantity: 5,
        price: null,
        stopPrice: null,
        unfilledOnly: false,
      }),
    ).toMatchObject({
      error: { reason: 'risk_limit_exceeded' },
    });

    const byHand = limit('ONE-USD', 'buy', 1, 5);
    await placeOrder({ env, principal: await principalOf(trader) }, byHand);
    expect(
      await amendOrder(context, {
        orderId: byHand.orderId,
        quantity: 9,
        price: null,
        stopPrice: null,
        unfilledOnly: false,
      }),
    ).toMatchObject({
      error: { reason: 'outside_limit', limit: 'position' },
    });

    const buyer = await trading();
    await placeOrder(buyer.context, limit('ONE-USD', 'buy', 3, 6));
    expect(await placeOrder(context, limit('ONE-USD', 'sell', 3, 6))).toMatchObject({
      ok: true,
      value: { report: { status: 'filled' } },
    });
    expect(await placeOrder(context, limit('ONE-USD', 'buy', 3, 4))).toMatchObject({ ok: true });
  });
});

test('an API key whose settled fills have lost its daily limit places nothing more, and its open orders are cancelled', async () => {
  const keyId = uuidv7();
  const { trader, context } = await trading({}, { kind: 'key', keyId, dailyLossMax: 60_00 });
  await createKey(trader, keyId);
  const maker = await trading();
  await giveHolding({ accountId: maker.trader.accountId, asset: 'loss', lots: [{ quantity: 100 }] });
  await placeOrder(maker.context, limit('LOSS-USD', 'sell', 20, 10));
  expect(await placeOrder(context, limit('LOSS-USD', 'buy', 20, 10))).toMatchObject({
    value: { report: { status: 'filled' } },
  });
  await placeOrder(maker.context, limit('LOSS-USD', 'buy', 10, 4));
  const resting = limit('TWO-USD', 'buy', 1, 1);
  expect(await placeOrder(context, resting)).toMatchObject({ ok: true });

  expect(await placeOrder(context, limit('LOSS-USD', 'sell', 10, 4))).toMatchObject({
    value: { report: { status: 'filled' } },
  });
  await settleBeforeRead(env, trader.accountId);
  const refused = limit('LOSS-USD', 'buy', 1, 1);
  expect(await placeOrder(context, refused)).toMatchObject({
    error: { failure: { reason: 'risk_limit_exceeded', limit: 'daily_loss', required: 0, available: 0 } },
  });
  await settleBeforeRead(env, trader.accountId);
  expect(await stored(refused.orderId)).toMatchObject({ status: 'rejected', code: 'RISK_LIMIT_EXCEEDED' });
  // The ledger asks the books for it by itself.
  await vi.waitUntil(async () => (await stored(resting.orderId))?.status === 'cancelled');
});

test('a stop order is held off-book until its trigger price is reached, then converted to a limit order', async () => {
  const { context } = await trading();
  const other = await trading();
  await giveBalance({ accountId: other.trader.accountId, asset: 'btc', amount: 10 });
  const stop = limit('BTC-USD', 'buy', 1, 30, { type: 'stop_loss_limit', stopPrice: 25 });
  expect(await placeOrder(context, stop)).toMatchObject({ ok: true, value: { report: { status: 'pending_trigger' } } });
  const bids = async () => (await env.ORDER_BOOK.getByName('BTC-USD').depth(10)).bids.map(([price]) => price);
  expect(await bids()).not.toContain(30_00);
  await placeOrder(other.context, limit('BTC-USD', 'sell', 1, 25));
  await placeOrder(context, limit('BTC-USD', 'buy', 1, 25));
  expect(await bids()).toContain(30_00);
});

async function createKey(trader: Trader, id: string): Promise<void> {
  const { accountId: account, userId, owner } = trader;
  await db.insert(apiKeys).values({
    id,
    account,
    userId,
    owner,
    name: 'test',
    secretCiphertext: '',
    scopes: ['read', 'trade'],
    createdAt: Date.now(),
  });
}

test('after all of it the ledger is right', async () => {
  await expectRightLedger();
});

describe('a bearer whose tokens have ended, of which the Gate has not heard', () => {
  test.each([
    ['long before the order', 30_000, 'no_account'],
    ['before this token was issued', 90_000, null],
  ] as const)('%s', async (_, ago_ms, refusal) => {
    const tokenIssuedAt = Math.floor(Date.now() / 1_000) - 60;
    const { trader, context } = await trading({}, { tokenIssuedAt });
    await endTokens(trader, Date.now() - ago_ms);
    const outcome = await placeOrder(context, limit('ONE-USD', 'buy', 1, 1));
    expect(outcome.ok ? null : outcome.error.failure.reason).toBe(refusal);
  });
});
