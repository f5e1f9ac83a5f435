import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runWholeAudit } from '../../../../application/audit/run-whole-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import { venueOf } from '../../../../durable-objects/broker/broker-of.ts';
import { orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { createKey, createKeyHolder } from '../../fixtures/book-client.ts';
import { balanceOf } from '../../fixtures/book-commands.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { anyone, type ErrorBody, signedIn, tokensOf } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setRules } from '../../fixtures/operate.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { settle } from '../../fixtures/settle.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;

let db: Database;
let nextPair = 0;
let broker: ScriptedBroker;

beforeAll(async () => {
  db = await migrate();
});

afterEach(async () => {
  await expectRightLedger();
  clearFaults();
});

interface Routed {
  readonly asset: string;
  readonly symbol: string;
  readonly buyer: TradingClient;
  readonly seller: TradingClient;
}

/** A stock of its own for every test, routed to a broker that does what the test says; prices in cents, fee 10 bps, last known price $100. */
async function routed(): Promise<Routed> {
  const name = `ROUTED${nextPair++}`;
  const asset = name.toLowerCase();
  await createPair(db, name, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 100_00, takerFeeBps: 10 },
  });
  broker = new ScriptedBroker();
  faults.broker = broker;
  const buyer = await tradingClient(db, { cash: 10_000_00 });
  const seller = await tradingClient(db, {}, { asset, lots: [{ quantity: 100, cost: 1_000_00 }] });
  return { asset, symbol: `${name}-USD`, buyer, seller };
}

/** Until the broker has the order. */
function handedOver(orderId: string): Promise<void> {
  return vi.waitFor(() => expect(broker.orders.has(orderId)).toBe(true));
}

/** Until the order is in this state, which its owner reads. */
function becomes(client: TradingClient, orderId: string, state: Record<string, unknown>): Promise<void> {
  return vi.waitFor(async () => expect(await orderOf(client, orderId)).toMatchObject(state), { interval: 100 });
}

function code({ body }: { readonly body: unknown }): string {
  return (body as ErrorBody).error.code;
}

describe('an order on a public equity', () => {
  test('goes its whole way: PENDING, PARTIALLY_FILLED, EXECUTED, and its shares are in the portfolio', async () => {
    const { asset, buyer } = await routed();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    expect(broker.orders.get(orderId)).toMatchObject({
      type: 'limit',
      timeInForce: 'gtc',
      quantity: '5',
      limitPrice: '99.5',
    });
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    broker.fill(orderId, '2', '99.4');
    await becomes(buyer, orderId, { status: 'PARTIALLY_FILLED', filledQuantity: 2, remainingQuantity: 3 });
    broker.fill(orderId, '3', '99.5');
    await becomes(buyer, orderId, { status: 'EXECUTED', filledQuantity: 5, averagePrice: 99.46 });

    const cost = 2 * 99_40 + 3 * 99_50;
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_00 - cost - 50, held: 0 });
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({ data: [{ assetId: asset, quantity: 5 }] });
    expect((await buyer.get('/v1/exchange-portfolio')).body).toMatchObject({
      data: [{ assetId: asset, lots: [{ quantity: 2, isRestricted: false }, { quantity: 3 }] }],
    });
    const { body } = await buyer.get<{ data: object[] }>('/v1/core-transactions?type=trade');
    expect(body.data).toMatchObject([
      { type: 'trade', side: 'BUY', assetId: asset, quantity: 3, price: 99.5 },
      { type: 'trade', side: 'BUY', assetId: asset, quantity: 2, price: 99.4 },
    ]);
    expect(await balanceOf(CLEARING, asset)).toEqual({ available: -5, held: 0 });
  });

  test('at market is sent as an IOC limit, 5 % around what the broker quotes; what it does not fill is free again', async () => {
    const { asset, symbol, buyer } = await routed();
    const quotes = await venueOf(env, 'broker').quotes([symbol.replace('-USD', '')]);
    const ask = quotes.ok ? Number(quotes.value.get(symbol.replace('-USD', ''))?.ask) : 0;
    const orderId = await placed(buyer, { assetId: asset, side: 'BUY', orderType: 'market', quantity: 5 });
    await handedOver(orderId);
    const sent = broker.orders.get(orderId);
    expect(sent).toMatchObject({ type: 'limit', timeInForce: 'ioc' });
    expect(Math.abs(Number(sent?.limitPrice) / (ask * 1.05) - 1)).toBeLessThan(0.005);
    broker.fill(orderId, '4', '1.01');
    broker.end(orderId, 'canceled');
    await becomes(buyer, orderId, { status: 'CANCELLED', filledQuantity: 4 });
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_00 - 4_04 - 1, held: 0 });
  });

  test('sells what its account has, and no more', async () => {
    const { asset, seller } = await routed();
    const orderId = await placed(seller, limitOrder(asset, 'SELL', 60, 99));
    await handedOver(orderId);
    const tooMuch = await seller.post('/v1/orders', limitOrder(asset, 'SELL', 60, 99));
    expect([tooMuch.status, code(tooMuch)]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    broker.fill(orderId, '60', '99.25');
    await becomes(seller, orderId, { status: 'EXECUTED', averagePrice: 99.25 });
    expect(await balanceOf(seller.accountId, 'usd')).toEqual({ available: 0, held: 0 });
    expect((await seller.get('/v1/account')).body).toMatchObject({ data: { unsettledCash: 5_955 - 5.96 } });
    expect(await balanceOf(seller.accountId, asset)).toEqual({ available: 40, held: 0 });
    expect(await balanceOf(CLEARING, 'usd')).toMatchObject({ held: 0 });
    const { body } = await seller.get<{ data: object[] }>('/v1/core-transactions?type=trade');
    expect(body.data).toMatchObject([{ side: 'SELL', total: 5_955, fee: 5.96, costBasis: 600, realizedPnl: 5_349.04 }]);
    expect((await seller.get('/v1/portfolio')).body).toMatchObject({
      realized: { realizedPnl: 5_349.04, isPartial: false, assets: [{ assetId: asset, realizedPnl: 5_349.04 }] },
    });
  });

  test('sells no lot within its hold, to whomever it could be sold elsewhere: RESALE_RESTRICTED, and nothing is sent', async () => {
    const { asset } = await routed();
    const restrictionEndsAt = Date.now() + 86_400_000;
    const lots = [{ quantity: 10, restrictionEndsAt, offeringType: '506c' }];
    const holder = await tradingClient(db, {}, { asset, lots });
    const refused = await holder.post('/v1/orders', limitOrder(asset, 'SELL', 5, 100));
    expect([refused.status, code(refused)]).toEqual([400, 'RESALE_RESTRICTED']);
    expect(broker.calls).toEqual([]);
    expect(await balanceOf(holder.accountId, asset)).toEqual({ available: 10, held: 0 });
  });

  test('that the broker refuses is REJECTED and holds nothing', async () => {
    const { asset, buyer } = await routed();
    broker.refusal = () => ({ reason: 'refused', code: 'account_limit', detail: 'no buying power' });
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await becomes(buyer, orderId, { status: 'REJECTED' });
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_00, held: 0 });
  });

  test('good until a time is ended at the broker at that time, also when its book was lost meanwhile', async () => {
    const { asset, symbol, buyer } = await routed();
    const terms = { timeInForce: 'GTD', expiresAt: new Date(Date.now() + 10_000).toISOString() };
    const orderId = await placed(buyer, { ...limitOrder(asset, 'BUY', 5, 99.5), ...terms });
    await handedOver(orderId);
    expect(broker.orders.get(orderId)).toMatchObject({ timeInForce: 'gtc' });
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', ...terms });
    broker.fill(orderId, '2', '99.5');
    await becomes(buyer, orderId, { status: 'PARTIALLY_FILLED' });
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    await becomes(buyer, orderId, { status: 'CANCELLED', filledQuantity: 2 });
    expect(broker.orders.get(orderId)).toMatchObject({ status: 'canceled' });
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 2, held: 0 });
    expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 0 });
  });

  test('POST_ONLY is what no broker takes: INVALID_ORDER_TYPE before anything is held', async () => {
    const { asset, buyer } = await routed();
    const order = { ...limitOrder(asset, 'BUY', 5, 99.5), timeInForce: 'POST_ONLY' };
    const answer = await buyer.post('/v1/orders', order);
    expect([answer.status, code(answer)]).toEqual([400, 'INVALID_ORDER_TYPE']);
    expect(broker.calls).toEqual([]);
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_00, held: 0 });
  });

  test('is repeated under its Idempotency-Key and sent once', async () => {
    const { asset, buyer } = await routed();
    const body = limitOrder(asset, 'BUY', 5, 99.5);
    const first = await buyer.post('/v1/orders', body, { 'idempotency-key': 'routed-once' });
    const second = await buyer.post('/v1/orders', body, { 'idempotency-key': 'routed-once' });
    expect(second.body).toEqual(first.body);
    await vi.waitFor(() => expect(broker.orders.size).toBe(1));
  });
});

describe('modifying', () => {
  async function open() {
    const market = await routed();
    const orderId = await placed(market.buyer, limitOrder(market.asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    return { ...market, orderId };
  }

  test('is 200 with the new terms once the broker has confirmed them, and the order holds for them', async () => {
    const { asset, buyer, orderId, symbol } = await open();
    const answer = await buyer.put(`/v1/orders/${orderId}`, { quantity: 8, limitPrice: 98 });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { data: { status: 'PENDING', quantity: 8, limitPrice: 98 } },
    ]);
    expect(broker.orders.get(orderId)).toMatchObject({ quantity: '8', limitPrice: '98', revision: 1 });
    await settle(symbol);
    expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 784_00 + 79 });
    broker.fill(orderId, '8', '98');
    await becomes(buyer, orderId, { status: 'EXECUTED', quantity: 8, filledQuantity: 8 });
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 8, held: 0 });
  });

  test('is ORDER_NOT_MODIFIABLE where the broker rejects it: the order and what it holds are as before', async () => {
    const { buyer, orderId, symbol } = await open();
    broker.refusesReplacements = true;
    const answer = await buyer.put(`/v1/orders/${orderId}`, { quantity: 8 });
    expect([answer.status, code(answer)]).toEqual([400, 'ORDER_NOT_MODIFIABLE']);
    expect(answer.body).toMatchObject({ error: { details: { reason: 'refused_by_broker' } } });
    await settle(symbol);
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', quantity: 5 });
    expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 497_50 + 50 });
  });

  test('that is not confirmed in time is 202 with the order as it stands, and happens when it is', async () => {
    const { buyer, orderId, symbol } = await open();
    broker.replacesAtOnce = false;
    const answer = await buyer.put(`/v1/orders/${orderId}`, { quantity: 3 });
    expect([answer.status, answer.body]).toMatchObject([202, { data: { status: 'PENDING', quantity: 5 } }]);
    const again = await buyer.put(`/v1/orders/${orderId}`, { quantity: 3 });
    expect([again.status, again.body]).toEqual([202, answer.body]);
    expect(await buyer.put(`/v1/orders/${orderId}`, { quantity: 4 })).toMatchObject({
      status: 400,
      body: { error: { code: 'ORDER_NOT_MODIFIABLE', details: { status: 'PENDING', reason: 'change_under_way' } } },
    });
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    broker.carryOut(orderId);
    await becomes(buyer, orderId, { status: 'PENDING', quantity: 3 });
  });

  test('an order that has filled in part is ORDER_NOT_MODIFIABLE, and the broker is asked nothing', async () => {
    const { buyer, orderId } = await open();
    broker.fill(orderId, '1', '99.5');
    await becomes(buyer, orderId, { status: 'PARTIALLY_FILLED' });
    const answer = await buyer.put(`/v1/orders/${orderId}`, { quantity: 8 });
    expect([answer.status, code(answer)]).toEqual([400, 'ORDER_NOT_MODIFIABLE']);
    expect(broker.calls.filter((call) => call.startsWith('replace'))).toEqual([]);
  });

  test('runs all checks again: more than the cash is INSUFFICIENT_BALANCE, and the broker is asked nothing', async () => {
    const { buyer, orderId } = await open();
    const answer = await buyer.put(`/v1/orders/${orderId}`, { quantity: 500 });
    expect([answer.status, code(answer)]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(broker.calls.filter((call) => call.startsWith('replace'))).toEqual([]);
  });
});

describe('cancelling all', () => {
  test('tells orders that have ended from those whose end the broker was asked for, at every door', async () => {
    const { asset, buyer } = await routed();
    broker.cancelsAtOnce = false;
    const pending = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await handedOver(pending);
    const { client, headers } = await createKey(db, buyer);
    const answer = await client.delete('/v1/orders');
    expect(answer).toMatchObject({ status: 200, body: { order_ids: [], pending_order_ids: [pending] } });
    const socket = await OrderSocket.open(headers);
    expect((await socket.ask('cancel_all')).result).toEqual({ order_ids: [], pending_order_ids: [pending] });
    socket.close();

    const reason = 'asked by the court';
    const path = `/v1/operator/accounts/${buyer.accountId}/freeze`;
    const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const ids = { cancelledOrders: [], pendingOrderIds: [pending] };
    expect(await operator.post(path, { reason })).toMatchObject({ status: 200, body: { data: ids } });
    const user = `http://localhost/iam/v1/users/${buyer.userId}/kill-switch`;
    const killed = await callWorker(user, { method: 'POST', headers: await tokensOf(buyer) });
    expect(await killed.json()).toMatchObject({ data: { cancelledOrderIds: [], pendingOrderIds: [pending] } });
    broker.end(pending, 'canceled');
    await vi.waitFor(async () => expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 0 }));
  });
});

describe('cancelling best effort', () => {
  async function open() {
    const market = await routed();
    const orderId = await placed(market.buyer, limitOrder(market.asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    return { ...market, orderId };
  }

  test('is 200 CANCELLED once the broker has confirmed it', async () => {
    const { buyer, orderId } = await open();
    broker.fill(orderId, '2', '99.5');
    const answer = await buyer.delete(`/v1/orders/${orderId}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ data: { orderId, status: 'CANCELLED', filledQuantity: 2 } });
    await becomes(buyer, orderId, { status: 'CANCELLED', filledQuantity: 2 });
  });

  test('is 202 while the broker has not confirmed it: the order holds on, and ends when it does', async () => {
    const { buyer, orderId } = await open();
    broker.cancelsAtOnce = false;
    const answer = await buyer.delete(`/v1/orders/${orderId}`);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ data: { orderId, status: 'PENDING', cancelledAt: null, filledQuantity: 0 } });
    expect(await balanceOf(buyer.accountId, 'usd')).toMatchObject({ held: 497_50 + 50 });
    broker.end(orderId, 'canceled');
    await becomes(buyer, orderId, { status: 'CANCELLED' });
  });

  test('loses the race to a fill: ORDER_NOT_CANCELLABLE, EXECUTED', async () => {
    const { buyer, orderId } = await open();
    broker.fill(orderId, '5', '99.5');
    const answer = await buyer.delete(`/v1/orders/${orderId}`);
    expect([answer.status, code(answer)]).toEqual([400, 'ORDER_NOT_CANCELLABLE']);
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'EXECUTED' });
  });

  test('of a halted market asks the broker to end its orders', async () => {
    const { symbol, buyer, orderId } = await open();
    await setRules(symbol, { status: 'halted' });
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    await becomes(buyer, orderId, { status: 'CANCELLED' });
    expect(broker.orders.get(orderId)).toMatchObject({ status: 'canceled' });
  });
});

describe('a broker that is away', () => {
  test('gets the orders when it is back; one that was never sent is cancelled at once', async () => {
    const { asset, buyer } = await routed();
    broker.away.add('submit').add('events');
    const sent = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await vi.waitFor(() => expect(broker.calls).toContain(`submit ${sent}`));
    const waits = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    expect((await buyer.delete(`/v1/orders/${waits}`)).status).toBe(200);
    expect(await orderOf(buyer, sent)).toMatchObject({ status: 'PENDING' });
    broker.away.clear();
    await handedOver(sent);
    broker.fill(sent, '5', '99.5');
    await becomes(buyer, sent, { status: 'EXECUTED' });
    expect([...broker.orders.keys()]).toEqual([sent]);
  });
});

describe('what the broker says', () => {
  test('twice, late and out of order comes to the same', async () => {
    const { asset, buyer } = await routed();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    const first = broker.fill(orderId, '2', '99.5');
    broker.tell(first);
    broker.fill(orderId, '1', '99.5');
    broker.end(orderId, 'canceled');
    broker.tell(first);
    broker.retell((events) => [...events].reverse(), 0);
    await becomes(buyer, orderId, { status: 'CANCELLED', filledQuantity: 3 });
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 3, held: 0 });
  });

  test('that fits no order is a break that the audit names, and moves nothing', async () => {
    const { asset, symbol, buyer } = await routed();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    broker.fill(orderId, '2', '99.505');
    await settle(symbol);
    await vi.waitFor(async () => {
      const rows = await env.DB.prepare('SELECT * FROM broker_breaks WHERE book = ?1').bind(symbol).all();
      expect(rows.results).toMatchObject([{ kind: 'not_exact', order_id: orderId, detail: '2 at 99.505' }]);
    });
    const { checks } = await runWholeAudit(env);
    expect(checks.filter(({ holds }) => !holds)).toMatchObject([
      { invariant: 'broker', violation: `${symbol}: not_exact of order ${orderId}, 2 at 99.505 (break event-x1)` },
    ]);
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 0, held: 0 });
    await env.DB.prepare('DELETE FROM broker_breaks').run();
  });
});

test('what the broker says of an order that has ended is heard although no order is open', async () => {
  const { asset, symbol, buyer } = await routed();
  const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
  await handedOver(orderId);
  const { id, ...fill } = broker.fill(orderId, '5', '99.5');
  await becomes(buyer, orderId, { status: 'EXECUTED' });
  broker.tell({ ...fill, id: `bust of ${id}`, type: 'bust', executionId: 'x1' });
  await orderBookOf(env, symbol).hearBroker();
  await settle(symbol);
  const breaks = await env.DB.prepare('SELECT kind, order_id FROM broker_breaks WHERE book = ?1').bind(symbol).all();
  expect(breaks.results).toEqual([{ kind: 'bust', order_id: orderId }]);
  await env.DB.prepare('DELETE FROM broker_breaks').run();
});

test('an operator takes back what the broker has busted: cash and shares are as before', async () => {
  const { asset, symbol, buyer } = await routed();
  const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
  await handedOver(orderId);
  broker.fill(orderId, '5', '99.5');
  await becomes(buyer, orderId, { status: 'EXECUTED' });
  const trade = await env.DB.prepare('SELECT id FROM trades WHERE book = ?1').bind(symbol).first<{ id: string }>();
  const operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  const bust = await operator.post(`/v1/operator/trades/${trade?.id}/bust`, { reason: 'busted by the broker' });
  expect(bust.status).toBe(200);
  expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 10_000_00, held: 0 });
  expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 0, held: 0 });
  expect(await balanceOf(CLEARING, asset)).toEqual({ available: 0, held: 0 });
});

describe('a book that is killed', () => {
  test.each(['after_journal', 'before_answer'] as const)(
    'at %s of the placement: its order is sent once',
    async (point) => {
      const { asset, symbol, buyer } = await routed();
      let kills = 1;
      faults.plan = { kills: (at, book) => at === point && book === symbol && kills-- > 0, ledger: () => 'through' };
      const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
      await vi.waitFor(() => expect(broker.orders.size).toBe(1));
      const [brokersId] = broker.orders.keys();
      expect(brokersId).toBe(orderId);
      broker.fill(orderId, '5', '99.5');
      await becomes(buyer, orderId, { status: 'EXECUTED' });
    },
  );

  test('between hearing of a fill and settling it hears it again, and counts it once', async () => {
    const { asset, symbol, buyer } = await routed();
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 5, 99.5));
    await handedOver(orderId);
    broker.fill(orderId, '2', '99.5');
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    await becomes(buyer, orderId, { status: 'PARTIALLY_FILLED', filledQuantity: 2 });
    await evictDurableObject(env.ORDER_BOOK.getByName(symbol));
    broker.fill(orderId, '3', '99.5');
    await becomes(buyer, orderId, { status: 'EXECUTED', filledQuantity: 5 });
    expect(await balanceOf(buyer.accountId, asset)).toEqual({ available: 5, held: 0 });
  });
});

describe('through the sandbox broker with its sixteen venues', () => {
  test('a buy and a sale at market, and a limit that rests until it is cancelled, each to its end', async () => {
    const symbol = 'SANDY';
    const quotes = await venueOf(env, 'broker').quotes([symbol]);
    const last = quotes.ok ? Number(quotes.value.get(symbol)?.last) : Number.NaN;
    if (Number.isNaN(last)) throw new Error('fixture: the sandbox has no such symbol');
    await createPair(db, symbol, {
      asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
      market: { route: 'broker', priceScale: 4, tickSize: 100, referencePrice: Math.round(last * 100) * 100 },
    });
    const client = await tradingClient(db, { cash: 1_000_000_00 });
    const buy = await placed(client, { assetId: 'sandy', side: 'BUY', orderType: 'market', quantity: 40 });
    await becomes(client, buy, { status: 'EXECUTED', filledQuantity: 40 });
    const sale = await placed(client, { assetId: 'sandy', side: 'SELL', orderType: 'market', quantity: 15 });
    await becomes(client, sale, { status: 'EXECUTED', filledQuantity: 15 });
    const rests = await placed(client, limitOrder('sandy', 'BUY', 10, Math.round(last * 80) / 100));
    await becomes(client, rests, { status: 'PENDING' });
    expect((await client.delete(`/v1/orders/${rests}`)).body).toMatchObject({ data: { status: 'CANCELLED' } });
    await settle('SANDY-USD');
    expect(await balanceOf(client.accountId, 'sandy')).toEqual({ available: 25, held: 0 });
    expect(await balanceOf(client.accountId, 'usd')).toMatchObject({ held: 0 });
    expect(await venueOf(env, 'broker').position(symbol)).toEqual({ ok: true, value: '25' });
  });
});

describe('a routed market', () => {
  test('makes its asset tradeable in profile A', async () => {
    const { asset } = await routed();
    const listed = await anyone().get<{ data: { id: string }[] }>(
      '/v1/assets?tradeable=true&category=stocks&limit=100',
    );
    expect(listed.body.data.map(({ id }) => id)).toContain(asset);
    expect((await anyone().get(`/v1/assets/${asset}`)).body).toMatchObject({ data: { tradeable: true } });
  });

  test('is no pair of profile B: not listed, not followed, not traded', async () => {
    const { symbol } = await routed();
    const { client: key } = await createKeyHolder(db, { cash: 1_000_00 });
    const { body } = await key.get('/v1/markets');
    expect((body.markets as { symbol: string }[]).map((market) => market.symbol)).not.toContain(symbol);
    const order = { symbol, side: 'buy', type: 'limit', price: 99, size: 1, time_in_force: 'GTC' };
    const placing = await key.post('/v1/orders', order);
    expect([placing.status, code(placing)]).toEqual([400, 'INVALID_SYMBOL']);
    const reading = await key.get(`/v1/orderbook/${symbol}`);
    expect(code(reading)).toBe('INVALID_SYMBOL');
    expect(broker.calls).toEqual([]);
  });
});
