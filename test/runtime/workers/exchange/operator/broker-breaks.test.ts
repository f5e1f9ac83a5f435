import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runWholeAudit } from '../../../../../application/audit/run-whole-audit.ts';
import { isCounted } from '../../../../../data/broker/broker-breaks.ts';
import type { Database } from '../../../../../data/database.ts';
import type { BrokerEvent, BrokerExecution } from '../../../../../domain/broker/broker-client.ts';
import { dateText } from '../../../../../domain/calendar/date-text.ts';
import { settlementDate } from '../../../../../domain/calendar/settlement-date.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { BOUNDARY_ACCOUNT } from '../../../../../domain/ledger/boundary-accounts.ts';
import type { Side } from '../../../../../domain/orders/order.ts';
import { orderBookOf } from '../../../../../durable-objects/order-book/api.ts';
import { ScriptedBroker } from '../../../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { balanceOf } from '../../../fixtures/book-commands.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { clearFaults, faults } from '../../../fixtures/faults.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { settle } from '../../../fixtures/settle.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;
/** Monday, 3 November 2025, noon in New York. */
const MONDAY = Date.UTC(2025, 10, 3, 17);

let db: Database;
let operator: Client;
let broker: ScriptedBroker;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

afterEach(async () => {
  await acknowledgeAll();
  await expectRightLedger();
  clearFaults();
});

interface Break {
  readonly id: string;
  readonly symbol: string;
  readonly state: string;
}

async function listed(query = ''): Promise<readonly Break[]> {
  const { status, body } = await operator.get<{ data: Break[] }>(`/v1/operator/broker-breaks${query}`);
  expect(status).toBe(200);
  return body.data;
}

async function acknowledgeAll(): Promise<void> {
  for (const { symbol, id } of await listed())
    expect((await resolve(symbol, id, { action: 'acknowledge' })).status).toBe(200);
}

function pathOf(symbol: string, id: string): string {
  return `/v1/operator/markets/${encodeURIComponent(symbol)}/broker-breaks/${encodeURIComponent(id)}`;
}

function resolve(
  symbol: string,
  id: string,
  body: Readonly<Record<string, unknown>>,
  { headers = {}, as = operator }: { headers?: Record<string, string>; as?: Client } = {},
) {
  return as.post<{ data: Record<string, unknown> }>(
    `${pathOf(symbol, id)}/resolve`,
    { reason: 'a phone call', ...body },
    headers,
  );
}

function errorOf({ status, body }: { readonly status: number; readonly body: unknown }) {
  const { code, details } = (body as ErrorBody).error;
  return { status, code, details };
}

interface Market {
  readonly asset: string;
  readonly symbol: string;
  readonly client: TradingClient;
}

/** A stock of its own at a broker that does what the test says; somebody has $10,000 and 20 shares that have cost $5 each. */
async function routed(): Promise<Market> {
  const name = `BREAK${pairs++}`;
  const asset = name.toLowerCase();
  await createPair(db, name, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 100_00 },
  });
  broker = new ScriptedBroker();
  faults.broker = broker;
  const lots = [{ quantity: 20, cost: 100_00 }];
  const client = await tradingClient(db, { cash: 10_000_00 }, { asset, lots });
  return { asset, symbol: `${name}-USD`, client };
}

/** The broker tells of an execution that fits no order; without a side where that is null. */
async function told(
  symbol: string,
  { side = 'buy', ...terms }: Partial<Omit<BrokerExecution, 'side'>> & { readonly side?: Side | null } = {},
): Promise<string> {
  const id = `event/${symbol} ${broker.told}`;
  return heard(symbol, {
    id,
    symbol: symbol.replace('-USD', ''),
    clientOrderId: 'a-stranger',
    at_ms: MONDAY,
    type: 'partial_fill',
    executionId: `x ${id}`,
    venue: 'V1',
    price: '99.5',
    quantity: '4',
    ...(side !== null && { side }),
    ...terms,
  });
}

async function heard(symbol: string, event: BrokerEvent): Promise<string> {
  broker.tell(event);
  await orderBookOf(env, symbol).hearBroker();
  await settle(symbol);
  return event.id;
}

const failing = async (): Promise<string[]> =>
  (await runWholeAudit(env)).checks.flatMap(({ holds, violation }) => (holds ? [] : [violation ?? '']));

describe('breaks of brokers', () => {
  test('are listed and read with decimals, and the audit names them until they are closed', async () => {
    const { symbol } = await routed();
    const id = await told(symbol);
    const open = {
      id,
      symbol,
      kind: 'unknown_order',
      state: 'open',
      orderId: 'a-stranger',
      executionId: `x ${id}`,
      side: 'BUY',
      price: 99.5,
      quantity: 4,
      known: null,
      detail: 'an execution on V1',
      isBookable: true,
      timestamp: '2025-11-03T17:00:00.000Z',
      resolvedAt: null,
      resolvedBy: null,
      reason: null,
      booking: null,
    };
    expect(await listed(`?symbol=${symbol}`)).toEqual([open]);
    expect((await operator.get(pathOf(symbol, id))).body).toEqual({ data: open, message: 'ok' });
    expect(await failing()).toEqual([`${symbol}: unknown_order of order a-stranger, an execution on V1 (break ${id})`]);
    const before = await balanceOf(CLEARING, 'usd');
    const closed = await resolve(symbol, id, { action: 'acknowledge', reason: 'theirs' });
    expect(closed.body.data).toMatchObject({
      state: 'acknowledged',
      reason: 'theirs',
      resolvedBy: expect.any(String),
      resolvedAt: expect.any(String),
      isBookable: false,
      booking: null,
    });
    expect(await failing()).toEqual([]);
    expect(await balanceOf(CLEARING, 'usd')).toEqual(before);
    expect(await listed(`?symbol=${symbol}`)).toEqual([]);
    expect(await listed(`?symbol=${symbol}&state=resolved`)).toEqual([closed.body.data]);
  });

  test('are found by kind, order and market, and read page by page, newest first', async () => {
    const { symbol } = await routed();
    const first = await told(symbol, { clientOrderId: 'one' });
    const second = await told(symbol, { clientOrderId: 'two', at_ms: MONDAY + 1 });
    const third = await told(symbol, { clientOrderId: 'one', at_ms: MONDAY });
    const ids = async (query: string) => (await listed(`?symbol=${symbol}${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual([second, third, first]);
    expect(await ids('&orderId=one')).toEqual([third, first]);
    expect(await ids('&kind=unknown_order&orderId=two')).toEqual([second]);
    expect(await ids('&kind=bust')).toEqual([]);
    expect((await listed('?symbol=NONE-USD')).length).toBe(0);
    const found: string[] = [];
    let next: string | null = `/v1/operator/broker-breaks?symbol=${symbol}&limit=2`;
    while (next !== null) {
      const page: Awaited<ReturnType<typeof operator.get<{ data: Break[] }>>> = await operator.get(next);
      found.push(...page.body.data.map(({ id }) => id));
      const link = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      next = link === undefined ? null : `/v1${link.split('/v1')[1]}`;
    }
    expect(found).toEqual([second, third, first]);
    await resolve(symbol, second, { action: 'acknowledge' });
    expect(await ids('')).toEqual([third, first]);
    expect((await ids('&state=all')).length).toBe(3);
  });

  test('are read by an auditor of the venue, who closes none, and by nobody elsewhere', async () => {
    const { symbol } = await routed();
    const id = await told(symbol);
    const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
    const elsewhere = await signedIn(await createTrader(db, { roles: ['operator'] }));
    expect((await auditor.get(pathOf(symbol, id))).status).toBe(200);
    expect((await resolve(symbol, id, { action: 'acknowledge' }, { as: auditor })).status).toBe(403);
    expect((await elsewhere.get(pathOf(symbol, id))).status).toBe(403);
    expect((await listed(`?symbol=${symbol}`)).length).toBe(1);
  });

  test('that are not there are 404, and a reason is asked for', async () => {
    const { symbol } = await routed();
    expect((await operator.get(pathOf(symbol, 'none'))).status).toBe(404);
    expect((await resolve(symbol, 'none', { action: 'acknowledge' })).status).toBe(404);
    const id = await told(symbol);
    expect((await resolve(symbol, id, { action: 'acknowledge', reason: ' ' })).status).toBe(400);
    expect((await resolve(symbol, id, { action: 'forget' })).status).toBe(400);
  });
});

describe('a purchase that is booked', () => {
  test('is the account’s trade: cash and shares move against broker clearing, settle a day later, and stand in its lists', async () => {
    const { asset, symbol, client } = await routed();
    const id = await told(symbol);
    const booked = await resolve(symbol, id, { action: 'book', accountId: client.accountId });
    const settles = dateText(settlementDate(MONDAY));
    expect([booked.status, settles]).toEqual([200, '2025-11-04']);
    expect(booked.body.data).toMatchObject({
      state: 'booked',
      booking: {
        accountId: client.accountId,
        side: 'BUY',
        price: 99.5,
        quantity: 4,
        total: 398,
        settlementDate: settles,
      },
    });
    expect(await balanceOf(client.accountId, 'usd')).toEqual({ available: 9_602_00, held: 0 });
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 24, held: 0 });
    expect(await balanceOf(CLEARING, asset)).toEqual({ available: -4, held: 0 });
    const trades = async () => (await client.get<{ data: object[] }>('/v1/core-transactions?type=trade')).body.data;
    expect(await trades()).toMatchObject([
      { type: 'trade', side: 'BUY', assetId: asset, quantity: 4, price: 99.5, total: 398, fee: 0, isSettled: false },
    ]);
    expect((await client.get('/v1/exchange-portfolio')).body).toMatchObject({
      data: [{ assetId: asset, quantity: 24, unsettledQuantity: 4 }],
    });
    await expectRightLedger();
    expect((await operator.post('/v1/operator/settlements', { through: settles })).status).toBe(200);
    expect(await trades()).toMatchObject([{ isSettled: true, settlementDate: settles }]);
  });

  test('is in the audit trail with who, why and what moved, under its account', async () => {
    const { symbol, client } = await routed();
    const id = await told(symbol);
    await resolve(symbol, id, { action: 'book', accountId: client.accountId, reason: 'our error' });
    const { body } = await operator.get<{ data: object[] }>(
      `/v1/operator/audit-trail?subject=${client.accountId}&limit=1`,
    );
    expect(body.data).toMatchObject([
      { type: 'operator.break_resolved', details: { symbol, breakId: id, kind: 'unknown_order', reason: 'our error' } },
    ]);
    expect(body.data).toMatchObject([
      { after: { state: 'booked', side: 'buy', price: 99.5, quantity: 4, notional: 398 } },
    ]);
  });

  test('under the same Idempotency-Key is booked once, and by nobody again', async () => {
    const { asset, symbol, client } = await routed();
    const id = await told(symbol);
    const body = { action: 'book', accountId: client.accountId };
    const key = { headers: { 'idempotency-key': `once-${symbol}` } };
    const answers = [await resolve(symbol, id, body, key), await resolve(symbol, id, body, key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(errorOf(await resolve(symbol, id, body))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { reason: 'already_resolved' },
    });
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 24, held: 0 });
  });

  test('by two operators at once is booked once', async () => {
    const { asset, symbol, client } = await routed();
    const id = await told(symbol);
    const body = { action: 'book', accountId: client.accountId };
    const answers = await Promise.all([0, 1, 2].map(() => resolve(symbol, id, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 24, held: 0 });
  });

  test('beyond the cash of its account is INSUFFICIENT_BALANCE, and the break stays open', async () => {
    const { asset, symbol, client } = await routed();
    const id = await told(symbol, { quantity: '200' });
    const refused = await resolve(symbol, id, { action: 'book', accountId: client.accountId });
    expect(errorOf(refused)).toEqual({
      status: 400,
      code: 'INSUFFICIENT_BALANCE',
      details: { assetId: 'usd', required: 19_900, available: 10_000 },
    });
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 20, held: 0 });
    expect((await listed(`?symbol=${symbol}`)).length).toBe(1);
  });
});

test('a sale that is booked takes shares at once, tells what they had cost, and pays once it settles', async () => {
  const { asset, symbol, client } = await routed();
  const id = await told(symbol, { side: 'sell' });
  await resolve(symbol, id, { action: 'book', accountId: client.accountId });
  expect(await balanceOf(client.accountId, asset)).toEqual({ available: 16, held: 0 });
  expect(await balanceOf(client.accountId, 'usd')).toEqual({ available: 10_000_00, held: 0 });
  expect((await client.get('/v1/account')).body).toMatchObject({ data: { unsettledCash: 398 } });
  const { body } = await client.get('/v1/core-transactions?type=trade');
  expect(body).toMatchObject({ data: [{ side: 'SELL', total: 398, costBasis: 20, realizedPnl: 378 }] });
  expect((await client.get('/v1/portfolio')).body).toMatchObject({ realized: { realizedPnl: 378, isPartial: false } });
  await expectRightLedger();
  await operator.post('/v1/operator/settlements', { through: '2025-11-04' });
  expect(await balanceOf(client.accountId, 'usd')).toEqual({ available: 10_398_00, held: 0 });
});

describe('what a break says', () => {
  test('stands: what it leaves open is stated, and nothing else', async () => {
    const { asset, symbol, client } = await routed();
    const id = await told(symbol, { side: null, price: '99.505' });
    expect((await operator.get(pathOf(symbol, id))).body).toMatchObject({
      data: { side: null, price: null, quantity: 4, isBookable: true, detail: '4 at 99.505' },
    });
    const to = { action: 'book', accountId: client.accountId };
    const refusals = [
      [{}, { field: 'side', reason: 'not_stated' }],
      [{ side: 'BUY' }, { field: 'price', reason: 'not_stated' }],
      [
        { side: 'BUY', price: 99.505 },
        { field: 'price', reason: 'too_many_decimals' },
      ],
      [
        { side: 'BUY', price: 99.5, quantity: 5 },
        { field: 'quantity', reason: 'told_otherwise' },
      ],
    ] as const;
    for (const [terms, details] of refusals)
      expect(errorOf(await resolve(symbol, id, { ...to, ...terms }))).toMatchObject({ status: 400, details });
    expect((await resolve(symbol, id, { ...to, side: 'BUY', price: 99.5 })).status).toBe(200);
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 24, held: 0 });
  });

  test('to an account that is none, or is the venue’s boundary, is 404', async () => {
    const { symbol } = await routed();
    const id = await told(symbol);
    for (const accountId of ['nobody', BOUNDARY_ACCOUNT.deposits])
      expect((await resolve(symbol, id, { action: 'book', accountId })).status).toBe(404);
  });

  test('of no execution, or of one that counts, is booked by nobody', async () => {
    const { asset, symbol, client } = await routed();
    const orderId = await placed(client, limitOrder(asset, 'BUY', 5, 99.5));
    await vi.waitFor(() => expect(broker.orders.has(orderId)).toBe(true));
    broker.fill(orderId, '5', '99.5', 'counts');
    await vi.waitFor(async () => expect(await orderOf(client, orderId)).toMatchObject({ status: 'EXECUTED' }));
    const of = { id: 'busted', symbol: symbol.replace('-USD', ''), clientOrderId: orderId, at_ms: MONDAY };
    const busted = await heard(symbol, { ...of, type: 'bust', executionId: 'counts' });
    const to = { action: 'book', accountId: client.accountId };
    expect(errorOf(await resolve(symbol, busted, to))).toMatchObject({
      status: 400,
      details: { reason: 'no_execution' },
    });
    const otherwise = await told(symbol, {
      clientOrderId: orderId,
      executionId: 'counts',
      quantity: '5',
      price: '99.4',
    });
    const [differs] = await listed(`?symbol=${symbol}&kind=execution_differs`);
    expect(differs).toMatchObject({
      id: expect.stringContaining(otherwise),
      side: 'BUY',
      price: 99.4,
      quantity: 5,
      known: { side: 'BUY', price: 99.5, quantity: 5 },
    });
    expect(errorOf(await resolve(symbol, differs?.id ?? '', to))).toMatchObject({
      details: { reason: 'already_booked' },
    });
    // As of an order that was forgotten.
    const again = await told(symbol, { executionId: 'counts' });
    expect(errorOf(await resolve(symbol, again, to))).toMatchObject({
      status: 409,
      details: { reason: 'already_booked' },
    });
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 25, held: 0 });
  });

  test('twice, under two ids, is booked once', async () => {
    const { asset, symbol, client } = await routed();
    const [first, second] = [
      await told(symbol, { executionId: 'twice' }),
      await told(symbol, { executionId: 'twice' }),
    ];
    const to = { action: 'book', accountId: client.accountId };
    expect(await isCounted(db, symbol, 'twice')).toBe(false);
    expect((await resolve(symbol, first, to)).status).toBe(200);
    await settle(symbol);
    // D1 says so for good: the ledger forgets.
    expect(await isCounted(db, symbol, 'twice')).toBe(true);
    expect(errorOf(await resolve(symbol, second, to))).toMatchObject({ details: { reason: 'already_booked' } });
    expect(await balanceOf(client.accountId, asset)).toEqual({ available: 24, held: 0 });
  });
});
