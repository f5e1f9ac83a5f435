import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrders, placeTogether } from '../../../../application/order-entry/place-orders.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import type { Principal } from '../../../../domain/identity/principal.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let symbols: string[];

beforeAll(async () => {
  db = await migrate();
  symbols = [(await createPair(db, 'TGA')).symbol, (await createPair(db, 'TGB')).symbol];
  // What is known of a market is read before D1 goes away.
  const known = await trader();
  await placeOrders({ env, principal: known }, symbols.map(bid));
});

async function trader(): Promise<Principal> {
  const { userId, owner } = await createTrader(db, { cash: 1_000_000_00 });
  return {
    kind: 'user',
    userId,
    owner,
    roles: ['trader'],
    scopes: ['read', 'trade'],
    keyId: null,
    tokenIssuedAt: null,
    secretVersion: null,
    positionLimits: null,
    dailyLossMax: null,
    orderSizeLimits: null,
    dailyNotionalMax: null,
    symbols: null,
    facts: (await findUserFacts(db, userId))?.account ?? null,
    clientAddress: '192.0.2.1',
  };
}

/** Checked under facts that the ledger knows to be out of date. */
function outdated(principal: Principal): Principal {
  const { facts } = principal;
  return { ...principal, facts: facts === null ? null : { ...facts, factsVersion: facts.factsVersion - 1 } };
}

function bid(symbol: string): OrderRequest {
  return {
    orderId: uuidv7(),
    instrument: { symbol },
    side: 'buy',
    type: 'limit',
    timeInForce: null,
    quantity: 1,
    price: 5,
    stopPrice: null,
    expiresAt: null,
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: null,
    preIpo: false,
  };
}

/** D1 that answers for nobody's facts. */
function withoutFacts(d1: D1Database): D1Database {
  const prepare = (query: string): D1PreparedStatement => {
    if (query.includes('users')) throw new Error('D1_ERROR: network connection lost');
    return d1.prepare(query);
  };
  return { prepare, batch: (statements: D1PreparedStatement[]) => d1.batch(statements) } as unknown as D1Database;
}

const away = { ...env, DB: withoutFacts(env.DB) };
const STANDS = { ok: true, value: { report: { status: 'open' } } };
const NOTHING_DONE = { ok: false, error: { failure: { reason: 'unavailable' } } };

test('an order that stands is answered although another’s facts cannot be read again', async () => {
  const [symbol = ''] = symbols;
  const [first, second] = [outdated(await trader()), await trader()];
  const outcomes = await placeTogether(away, [
    { principal: first, requests: [bid(symbol)] },
    { principal: second, requests: [bid(symbol)] },
  ]);
  expect(outcomes).toMatchObject([[NOTHING_DONE], [STANDS]]);
});

test('an order whose facts cannot be read again was not placed, and stands when it is repeated', async () => {
  const principal = outdated(await trader());
  const request = bid(symbols[0] as string);
  expect(await placeOrders({ env: away, principal }, [request])).toMatchObject([NOTHING_DONE]);
  expect(await placeOrders({ env, principal }, [request])).toMatchObject([STANDS]);
});
