import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderEntryContext } from '../../../../application/order-entry/order-entry-context.ts';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrders } from '../../../../application/order-entry/place-orders.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import { laterCode } from '../../../../domain/ledger/ledger-rules.fixtures.ts';
import { LEDGER_SHARD } from '../../../../durable-objects/ledger/api.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { ErrorBody } from '../../fixtures/exchange-client.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, restart } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder } from '../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const LIMITS = { recentIdsMax: 3 };
let db: Database;
let trader: TradingClient;

beforeAll(async () => {
  planLedgerFaults({ code: laterCode(1, LIMITS) });
  db = await migrate();
  await createPair(db, 'OLD');
  trader = await tradingClient(db, { cash: 1_000_00 });
});
beforeEach(() => planLedgerFaults({ code: laterCode(1, LIMITS) }));
afterEach(clearLedgerFaults);

const BUY = limitOrder('old', 'BUY', 1, 2);

/** Orders until the ledger has forgotten the ids of those before. */
async function forget(): Promise<void> {
  const context = await contextOf(trader);
  for (let order = 0; order < 3 * LIMITS.recentIdsMax; order++) {
    const [outcome] = await placeOrders(context, [request({})]);
    if (outcome?.ok !== true) throw new Error(`fixture: not placed, ${JSON.stringify(outcome)}`);
  }
}

const TOO_OLD = { ok: false, error: { failure: { reason: 'request_too_old' }, orderId: null } };

/** An order as a door hands it in, with an id of now. */
function request(terms: Partial<OrderRequest>): OrderRequest {
  return {
    orderId: uuidv7(),
    instrument: { symbol: 'OLD-USD' },
    side: 'buy',
    type: 'limit',
    timeInForce: null,
    quantity: 1,
    price: 2,
    stopPrice: null,
    expiresAt: null,
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: null,
    preIpo: false,
    ...terms,
  };
}

async function contextOf({ userId, owner }: TradingClient): Promise<OrderEntryContext> {
  const facts = (await findUserFacts(db, userId))?.account ?? null;
  const limits = {
    positionLimits: null,
    dailyLossMax: null,
    orderSizeLimits: null,
    dailyNotionalMax: null,
    symbols: null,
  };
  const identity = { kind: 'user', userId, owner, roles: ['trader'], scopes: ['read', 'trade'] } as const;
  const credential = { keyId: null, tokenIssuedAt: null, secretVersion: null, clientAddress: '192.0.2.1' };
  return { env, principal: { ...identity, ...credential, ...limits, facts } };
}

/** D1 that cannot say what became of an order. */
function withoutOrders(db: D1Database): D1Database {
  const prepare = (query: string): D1PreparedStatement => {
    if (query.includes('FROM orders WHERE id = ?1')) throw new Error('D1_ERROR: network connection lost');
    return db.prepare(query);
  };
  return { prepare, batch: (statements: D1PreparedStatement[]) => db.batch(statements) } as unknown as D1Database;
}

const place = (key: string) =>
  trader.post<ErrorBody & { data: { orderId: string } }>('/v1/orders', BUY, { 'idempotency-key': key });

describe('a request that is repeated after the ledger has forgotten its order id', () => {
  test('whose order was never placed is refused for good, says so, and places nothing', async () => {
    const key = uuidv7();
    // Nothing is admitted: the request is refused without a trace, and its id is kept with the key.
    planLedgerFaults({ code: laterCode(1, LIMITS), settings: { backlogRowsMax: 0 } });
    await restart(LEDGER_SHARD);
    expect(await place(key)).toMatchObject({ status: 503 });
    planLedgerFaults({ code: laterCode(1, LIMITS) });
    await restart(LEDGER_SHARD);
    await forget();
    const before = await trader.get<{ data: unknown[] }>('/v1/orders');
    const refused = await place(key);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'request_too_old' } } },
    });
    const again = await place(key);
    expect(again).toMatchObject({ status: 400, body: refused.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await trader.get<{ data: unknown[] }>('/v1/orders')).body.data).toHaveLength(before.body.data.length);
  });

  test('whose order fails a check now is answered the same: that it was never placed is certain, whatever the check says', async () => {
    const context = await contextOf(trader);
    const [never, invalid] = [request({}), request({ quantity: 2_000_000_000 })];
    await forget();
    expect(await placeOrders(context, [never, invalid])).toEqual([TOO_OLD, TOO_OLD]);
  });

  test('whose order stands in D1 is answered by that', async () => {
    const context = await contextOf(trader);
    const [open, ended] = [request({}), request({ price: 3 })];
    expect(await placeOrders(context, [open, ended])).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await trader.delete(`/v1/orders/${ended.orderId}`)).status).toBe(200);
    await forget();
    expect(await ask(LEDGER_SHARD, (ledger) => ledger.isForgotten(ended.orderId))).toBe(true);
    expect(await ask(LEDGER_SHARD, (ledger) => ledger.isForgotten(open.orderId))).toBe(false);
    expect(await placeOrders(context, [open, ended])).toMatchObject([
      { ok: true, value: { report: { orderId: open.orderId, status: 'open' } } },
      { ok: true, value: { report: { orderId: ended.orderId, status: 'cancelled' } } },
    ]);
  });

  test('while D1 is behind nothing is certain, and the outcome stays unknown', async () => {
    const context = await contextOf(trader);
    const never = request({});
    await forget();
    const behind = { ...env, DB: withoutOrders(env.DB) };
    expect(await placeOrders({ ...context, env: behind }, [never])).toMatchObject([
      { ok: false, error: { failure: { reason: 'outcome_unknown' } } },
    ]);
    expect(await placeOrders(context, [never])).toEqual([TOO_OLD]);
  });
});
