import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { addDays, weekday } from '../../../../domain/calendar/calendar-date.ts';
import { newYorkDate, newYorkTime } from '../../../../domain/calendar/new-york-time.ts';
import { nextNyseOpening } from '../../../../domain/calendar/nyse-session.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { balanceOf } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { anyone, type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { orderOf, tradingClient } from '../../fixtures/trading-client.ts';

const SATURDAY = 6;
const NOON = 12 * 60;

let db: Database;
let operator: Client;
let opening: string;
let broker: ScriptedBroker;
let markets = 0;

beforeAll(async () => {
  db = await migrate();
  let day = newYorkDate(Date.now());
  while (weekday(day) !== SATURDAY || newYorkTime(day, NOON) < Date.now()) day = addDays(day, 1);
  vi.useFakeTimers({ toFake: ['Date'], now: newYorkTime(day, NOON), shouldAdvanceTime: true });
  opening = new Date(nextNyseOpening(Date.now())).toISOString();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

afterAll(() => {
  vi.useRealTimers();
});

afterEach(async () => {
  await expectRightLedger();
  clearFaults();
});

/** A stock at a broker, on a Saturday, with the hours that an operator has chosen. */
async function routed(tradingHours: 'always' | 'nyse'): Promise<{ readonly asset: string; readonly symbol: string }> {
  markets += 1;
  const name = `HOURS${markets}`;
  await createPair(db, name, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 100_00 },
  });
  broker = new ScriptedBroker();
  faults.broker = broker;
  const symbol = `${name}-USD`;
  expect(await choose(symbol, tradingHours)).toMatchObject({
    status: 200,
    body: { data: { after: { tradingHours } } },
  });
  return { asset: name.toLowerCase(), symbol };
}

const choose = (symbol: string, tradingHours: string) =>
  operator.patch(`/v1/operator/markets/${symbol}`, { tradingHours });

describe('a market with the hours of the New York Stock Exchange, while it is closed', () => {
  test.each([
    ['at market', { orderType: 'market', limitPrice: undefined }],
    ['IOC', { timeInForce: 'IOC' }],
    ['FOK', { timeInForce: 'FOK' }],
  ])('refuses an order %s and says when it opens: ASSET_NOT_TRADEABLE', async (_, terms) => {
    const { asset } = await routed('nyse');
    const buyer = await tradingClient(db, { cash: 1_000_00 });
    const answer = await buyer.post('/v1/orders', { ...limitOrder(asset, 'BUY', 1, 100), ...terms });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: { code: 'ASSET_NOT_TRADEABLE', details: { reason: 'outside_trading_hours', opensAt: opening } },
      },
    });
    expect(await balanceOf(buyer.accountId, 'usd')).toEqual({ available: 1_000_00, held: 0 });
    expect(broker.calls).toEqual([]);
  });

  test('takes a limit order, which waits and is cancelled at once', async () => {
    const { asset } = await routed('nyse');
    const buyer = await tradingClient(db, { cash: 1_000_00 });
    const answer = await buyer.post<{ data: { orderId: string } }>('/v1/orders', limitOrder(asset, 'BUY', 1, 100));
    expect(answer.body).toMatchObject({ data: { status: 'PENDING', waitsUntil: opening } });
    const { orderId } = answer.body.data;
    expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'PENDING', waitsUntil: opening });
    const { body } = await buyer.get<{ data: object[] }>('/v1/orders?status=PENDING');
    expect(body.data).toMatchObject([{ orderId, waitsUntil: opening }]);
    const changed = await buyer.put(`/v1/orders/${orderId}`, { quantity: 2 });
    expect(changed).toMatchObject({ body: { data: { quantity: 2, waitsUntil: opening } } });
    const cancelled = await buyer.delete(`/v1/orders/${orderId}`);
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED' } } });
    expect(await orderOf(buyer, orderId)).not.toHaveProperty('waitsUntil');
    expect(broker.calls).toEqual([]);
  });

  test('says so in the detail of its asset; one without hours is open', async () => {
    const [closed, open] = [await routed('nyse'), await routed('always')];
    expect((await anyone().get(`/v1/assets/${closed.asset}`)).body).toMatchObject({
      data: { tradingHours: 'nyse', opensAt: opening, tradeable: true },
    });
    expect((await anyone().get(`/v1/assets/${open.asset}`)).body).toMatchObject({
      data: { tradingHours: 'always', opensAt: null },
    });
  });

  test('hands over what waits once an operator gives it other hours', async () => {
    const { asset, symbol } = await routed('nyse');
    const buyer = await tradingClient(db, { cash: 1_000_00 });
    const orderId = await placed(buyer, limitOrder(asset, 'BUY', 1, 100));
    await choose(symbol, 'always');
    await vi.waitFor(() => expect([...broker.orders.keys()]).toEqual([orderId]));
  });
});

test('a market whose orders meet each other has no hours: VALIDATION_ERROR', async () => {
  const { symbol } = await createPair(db, 'ANYTIME');
  expect(await choose(symbol, 'nyse')).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'hours_without_broker' } } },
  });
});

test('an order that has waited is handed over when the market opens', async () => {
  const { asset, symbol } = await routed('nyse');
  const buyer = await tradingClient(db, { cash: 1_000_00 });
  const orderId = await placed(buyer, limitOrder(asset, 'BUY', 1, 100));
  await orderBookOf(env, symbol).hearBroker();
  expect([...broker.orders.keys()]).toEqual([]);
  vi.setSystemTime(Date.parse(opening));
  await orderBookOf(env, symbol).hearBroker();
  expect([...broker.orders.keys()]).toEqual([orderId]);
});
