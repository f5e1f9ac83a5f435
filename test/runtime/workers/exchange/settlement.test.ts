import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { settleDue } from '../../../../application/ledger/settle-due.ts';
import type { Database } from '../../../../data/database.ts';
import { dateText } from '../../../../domain/calendar/date-text.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { newYorkDate } from '../../../../domain/calendar/new-york-time.ts';
import { settlementDate } from '../../../../domain/calendar/settlement-date.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { BOUNDARY_ACCOUNT } from '../../../../domain/ledger/boundary-accounts.ts';
import { LEDGER_SHARD } from '../../../../durable-objects/ledger/api.ts';
import { ScriptedBroker } from '../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { createKey } from '../../fixtures/book-client.ts';
import { balanceOf } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { settle } from '../../fixtures/settle.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

import { agentOf } from '../agent/agent-client.ts';

let db: Database;
let operator: Client;
let broker: ScriptedBroker;
let markets = 0;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

afterEach(async () => {
  await expectRightLedger();
  clearFaults();
});

/** An asset of its own for every test, at a broker that does what the test says; fee 10 bps. */
async function routed(category: 'stocks' | 'commodities' = 'stocks'): Promise<string> {
  markets += 1;
  const name = `LATER${markets}`;
  await createPair(db, name, {
    asset: { category, rail: 'public', executionRoute: 'broker', tracksLots: category === 'stocks' },
    market: { route: 'broker', referencePrice: 100_00, takerFeeBps: 10 },
  });
  broker = new ScriptedBroker();
  faults.broker = broker;
  return name.toLowerCase();
}

async function filled(client: TradingClient, asset: string, side: 'BUY' | 'SELL', quantity: number): Promise<void> {
  const orderId = await placed(client, limitOrder(asset, side, quantity, 100));
  await vi.waitFor(() => expect(broker.orders.has(orderId)).toBe(true));
  broker.fill(orderId, String(quantity), '100');
  await vi.waitFor(async () => expect(await orderOf(client, orderId)).toMatchObject({ status: 'EXECUTED' }), {
    interval: 100,
  });
  await settle(`${asset.toUpperCase()}-USD`);
}

const holderOf = (asset: string, quantity = 100): Promise<TradingClient> =>
  tradingClient(db, {}, { asset, lots: [{ quantity, cost: 1_000_00 }] });

const accountOf = async (client: Client) =>
  (await client.get<{ data: Record<string, unknown> }>('/v1/account')).body.data;

const withdraw = (accountId: string, assetId: string, amount: number) =>
  operator.post('/v1/operator/withdrawals', { accountId, assetId, amount });

/** Long after every day that waits. */
const later = (): number => Date.now() + 14 * DAY_MS;

describe('a sale of a public equity', () => {
  test('brings cash that counts and can be neither spent nor withdrawn until it settles on the next trading day', async () => {
    const asset = await routed();
    const seller = await holderOf(asset);
    await filled(seller, asset, 'SELL', 10);
    const settlesOn = dateText(settlementDate(Date.now()));
    expect(await accountOf(seller)).toMatchObject({ cashBalance: 999, unsettledCash: 999, buyingPower: 0 });
    expect((await seller.post('/v1/orders', limitOrder(asset, 'BUY', 1, 100))).body).toMatchObject({
      error: { code: 'INSUFFICIENT_BALANCE' },
    });
    expect((await withdraw(seller.accountId, 'usd', 1)).body).toMatchObject({
      error: { code: 'INSUFFICIENT_BALANCE' },
    });
    expect((await seller.get('/v1/core-transactions?type=trade')).body).toMatchObject({
      data: [{ side: 'SELL', status: 'completed', isSettled: false, settlementDate: settlesOn }],
    });

    expect(await settleDue(env, Date.now())).toEqual({ settled: 0, isDone: true });
    expect(await settleDue(env, later())).toMatchObject({ isDone: true });
    expect(await accountOf(seller)).toMatchObject({ cashBalance: 999, unsettledCash: 0, buyingPower: 999 });
    expect((await seller.get('/v1/core-transactions?type=trade')).body).toMatchObject({
      data: [{ side: 'SELL', status: 'completed', isSettled: true, settlementDate: settlesOn }],
    });
    expect((await withdraw(seller.accountId, 'usd', 999)).status).toBe(200);
  });

  test('settles once, though its job runs twice at once and the ledger is killed in between', async () => {
    const asset = await routed();
    const seller = await holderOf(asset);
    await filled(seller, asset, 'SELL', 10);
    const before = (await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, 'usd')).available;
    const kill = runInDurableObject(env.LEDGER.getByName(LEDGER_SHARD), (_, state) => state.abort('killed by a test'));
    await Promise.all([settleDue(env, later()), kill.catch(() => undefined), settleDue(env, later())]);
    expect(await settleDue(env, later())).toEqual({ settled: 0, isDone: true });
    expect(await balanceOf(seller.accountId, 'usd')).toEqual({ available: 999_00, held: 0 });
    expect((await balanceOf(BOUNDARY_ACCOUNT.brokerClearing, 'usd')).available).toBe(before - 999_00);
  });

  test('that is busted before it settles leaves nothing to settle', async () => {
    const asset = await routed();
    const seller = await holderOf(asset);
    await filled(seller, asset, 'SELL', 10);
    const trade = await env.DB.prepare('SELECT id FROM trades WHERE asset_id = ?1').bind(asset).first<{ id: string }>();
    const bust = await operator.post(`/v1/operator/trades/${trade?.id}/bust`, { reason: 'busted by the broker' });
    expect(bust.status).toBe(200);
    expect(await accountOf(seller)).toMatchObject({ cashBalance: 0, unsettledCash: 0 });
    expect(await balanceOf(seller.accountId, asset)).toEqual({ available: 100, held: 0 });
    await settleDue(env, later());
    expect(await accountOf(seller)).toMatchObject({ cashBalance: 0, buyingPower: 0 });
  });
});

test('cash that waits to settle is told as it comes and goes: on the own-account feed, in balances and by the agents’ tool', async () => {
  const asset = await routed();
  const seller = await holderOf(asset);
  const { headers, client } = await createKey(db, seller);
  const feed = await FeedSocket.open('/v1/ws', headers);
  feed.say({ type: 'subscribe', channel: 'balances' });
  await feed.next('balances_snapshot');
  const told = () => feed.received.findLast((message) => message.type === 'balance' && message.asset === 'USD');
  await filled(seller, asset, 'SELL', 10);
  await vi.waitFor(() => expect(told()).toMatchObject({ free: 0, locked: 0, unsettled: 999 }));
  const waiting = { asset: 'USD', free: 0, locked: 0, unsettled: 999 };
  expect((await client.get('/v1/account/balances')).body.balances).toContainEqual(waiting);
  const agent = await agentOf(seller);
  const owned = (await agent.tool('get_portfolio')).structured?.balances;
  expect(owned).toContainEqual({ asset: 'USD', free: '0', locked: '0', unsettled: '999' });
  const late = await FeedSocket.open('/v1/ws', headers);
  late.say({ type: 'subscribe', channel: 'account' });
  expect((await late.next('balances_snapshot')).balances).toContainEqual(waiting);

  await settleDue(env, later());
  await vi.waitFor(() => expect(told()).toMatchObject({ free: 999, locked: 0 }));
  expect(told()).not.toHaveProperty('unsettled');
  for (const socket of [feed, late]) socket.close();
});

describe('a purchase of a public equity', () => {
  test('brings shares that may be sold at once, and not be withdrawn until they settle', async () => {
    const asset = await routed();
    const buyer = await tradingClient(db, { cash: 10_000_00 });
    await filled(buyer, asset, 'BUY', 10);
    const item = { assetId: asset, quantity: 10, unsettledQuantity: 10 };
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({ data: [item] });
    expect((await buyer.get('/v1/exchange-portfolio')).body).toMatchObject({ data: [item] });
    expect((await withdraw(buyer.accountId, asset, 1)).body).toMatchObject({
      error: { code: 'INSUFFICIENT_BALANCE', details: { reason: 'unsettled', required: 1, available: 0 } },
    });
    await filled(buyer, asset, 'SELL', 4);
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({ data: [{ quantity: 6, unsettledQuantity: 6 }] });
    await settleDue(env, later());
    expect((await buyer.get('/v1/portfolio')).body).toMatchObject({ data: [{ quantity: 6, unsettledQuantity: 0 }] });
    expect((await withdraw(buyer.accountId, asset, 6)).status).toBe(200);
  });
});

test('a sale at the broker that is no public equity settles at once', async () => {
  const asset = await routed('commodities');
  const client = await tradingClient(db, { cash: 10_000_00 });
  await filled(client, asset, 'BUY', 10);
  await filled(client, asset, 'SELL', 10);
  expect(await accountOf(client)).toMatchObject({ cashBalance: 9_998, unsettledCash: 0, buyingPower: 9_998 });
  expect((await client.get('/v1/core-transactions?type=trade')).body).toMatchObject({
    data: [{ isSettled: true, settlementDate: null }, { side: 'BUY' }],
  });
});

describe('an operator', () => {
  test('reads what waits by day, and settles as of a later day where the sandbox allows it; once by Idempotency-Key', async () => {
    const asset = await routed();
    const seller = await holderOf(asset);
    await filled(seller, asset, 'SELL', 10);
    const settlementDay = settlementDate(Date.now());
    const waits = await operator.get<{ data: object[] }>('/v1/operator/settlements');
    expect(waits.body.data).toEqual([
      {
        settlementDate: dateText(settlementDay),
        assetId: 'usd',
        symbol: 'USD',
        kind: 'cash',
        accounts: 1,
        amount: 999,
      },
    ]);
    const today = { through: dateText(newYorkDate(Date.now())) };
    expect((await operator.post('/v1/operator/settlements', today)).body).toMatchObject({ data: { settled: 0 } });
    const key = { 'idempotency-key': uuidv7() };
    const through = dateText(settlementDay);
    for (let times = 0; times < 2; times++) {
      const settled = await operator.post('/v1/operator/settlements', { through }, key);
      expect(settled).toMatchObject({ status: 200, body: { data: { through, settled: 1 } } });
    }
    expect(await accountOf(seller)).toMatchObject({ unsettledCash: 0, buyingPower: 999 });
    expect((await operator.get('/v1/operator/audit-trail?limit=1')).body).toMatchObject({
      data: [{ type: 'operator.settlement' }],
    });
  });

  test('settles today, and no day that has not come in any other system: FORBIDDEN', async () => {
    const allowed = env.SANDBOX_FAULTS;
    env.SANDBOX_FAULTS = '';
    const settledThrough = (day: number) => operator.post('/v1/operator/settlements', { through: dateText(day) });
    const today = await settledThrough(newYorkDate(Date.now()));
    const answer = await settledThrough(newYorkDate(Date.now()) + DAY_MS);
    env.SANDBOX_FAULTS = allowed;
    expect(today).toMatchObject({ status: 200, body: { data: { settled: 0 } } });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { reason: 'not_due' } } },
    });
  });
});
