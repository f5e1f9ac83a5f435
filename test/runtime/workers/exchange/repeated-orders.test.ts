import { env } from 'cloudflare:workers';
import { eq, sum } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderEntryContext } from '../../../../application/order-entry/order-entry-context.ts';
import type { OrderRequest } from '../../../../application/order-entry/order-request.ts';
import { placeOrders } from '../../../../application/order-entry/place-orders.ts';
import type { PlacementOutcome } from '../../../../application/order-entry/placement.ts';
import type { Database } from '../../../../data/database.ts';
import { findUserFacts } from '../../../../data/identity/gate-facts.ts';
import { orders } from '../../../../data/schema/orders.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';

let db: Database;
let pairs = 0;
beforeAll(async () => {
  db = await migrate();
});
afterEach(clearFaults);

async function trading(): Promise<OrderEntryContext & { readonly accountId: string }> {
  const { userId, owner, accountId } = await createTrader(db, { cash: 1_000_000_00 });
  const facts = (await findUserFacts(db, userId))?.account ?? null;
  const limits = { positionLimits: null, dailyLossMax: null, orderSizeLimits: null, dailyNotionalMax: null };
  return {
    accountId,
    env,
    principal: {
      kind: 'user',
      userId,
      owner,
      roles: ['trader'],
      scopes: ['read', 'trade'],
      keyId: null,
      tokenIssuedAt: null,
      secretVersion: null,
      ...limits,
      symbols: null,
      facts,
      clientAddress: '192.0.2.1',
    },
  };
}

/** A pair of its own on which 100 are offered at 5. */
async function offered(): Promise<string> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `RPT${pairs}`);
  const maker = await trading();
  await giveHolding({ accountId: maker.accountId, asset: baseAsset, lots: [{ quantity: 100 }] });
  await placeOrders(maker, [order(symbol, 'sell', 100)]);
  await settle(symbol);
  return symbol;
}

function order(symbol: string, side: 'buy' | 'sell', quantity: number, price = 5): OrderRequest {
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
  };
}

async function filledOf(account: string): Promise<number> {
  const [row] = await db
    .select({ filled: sum(orders.filled) })
    .from(orders)
    .where(eq(orders.account, account));
  return Number(row?.filled);
}

const outcomeOf = async (context: OrderEntryContext, request: OrderRequest): Promise<PlacementOutcome | undefined> =>
  (await placeOrders(context, [request]))[0];

describe('an order is executed once', () => {
  test('when its book is lost after it was matched, and the ledger is away while it starts again', async () => {
    const symbol = await offered();
    const buyer = await trading();
    let awayUntil = 0;
    faults.plan = {
      kills: (point) => {
        if (point !== 'before_answer' || awayUntil > 0) return false;
        awayUntil = Date.now() + 3_000;
        return true;
      },
      ledger: () => (Date.now() < awayUntil ? 'request_lost' : 'through'),
    };
    const request = order(symbol, 'buy', 10);
    await placeOrders(buyer, [request]);
    clearFaults();
    expect(await outcomeOf(buyer, request)).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId, status: 'filled' } },
    });
    await settle(symbol);
    expect(await filledOf(buyer.accountId)).toBe(10);
  });

  test('when it is repeated, and what became of it cannot be read', async () => {
    const symbol = await offered();
    const buyer = await trading();
    const request = order(symbol, 'buy', 10);
    await placeOrders(buyer, [request]);
    await settle(symbol);
    faults.readsLost = Number.POSITIVE_INFINITY;
    expect(await outcomeOf(buyer, request)).toMatchObject({
      ok: false,
      error: { failure: { reason: 'outcome_unknown' } },
    });
    clearFaults();
    expect(await outcomeOf(buyer, request)).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId, status: 'filled' } },
    });
    expect(await filledOf(buyer.accountId)).toBe(10);
  });

  test('when it waited behind a batch that did not land, and is repeated', async () => {
    const symbol = await offered();
    const [stuck, buyer] = [await trading(), await trading()];
    const awayUntil = Date.now() + 5_400;
    faults.plan = { kills: () => false, ledger: () => (Date.now() < awayUntil ? 'request_lost' : 'through') };
    const before = placeOrders(stuck, [order(symbol, 'buy', 1, 1)]);
    await scheduler.wait(100);
    const request = order(symbol, 'buy', 10);
    await placeOrders(buyer, [request]);
    await before;
    clearFaults();
    expect(await outcomeOf(buyer, request)).toMatchObject({
      ok: true,
      value: { report: { orderId: request.orderId, status: 'filled' } },
    });
    await settle(symbol);
    expect(await filledOf(buyer.accountId)).toBe(10);
  });
});
