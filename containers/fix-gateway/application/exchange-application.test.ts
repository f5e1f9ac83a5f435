import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field, FixMessage } from '../codec/fix-message.ts';
import { SessionFile } from '../store/session-file.ts';
import type { Outgoing } from './application.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { ExchangeApplication } from './exchange-application.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { NOTHING_EXECUTED } from './tracked-order.ts';
import type { WireOrder } from './wire.ts';

const ORDER: WireOrder = {
  order_id: 'o1',
  client_order_id: 'c1',
  symbol: 'ACME-USD',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price: 10,
  stop_price: null,
  size: 5,
  filled_size: 0,
  remaining_size: 5,
  average_price: null,
  status: 'open',
  reason: null,
  expires_at: null,
  updated_at: 1,
};
const OPEN = 'GET /v1/orders?status=open';
const CANCEL = 'DELETE /v1/orders/batch';

it('X-01: cancels the orders that it knows when a connection has ended before it asks which others are open', async () => {
  const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-application-')), 'session.jsonl'), 0);
  const port = { store, send: () => undefined, answer: () => undefined };
  const names = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'names.jsonl'), 0);
  const desk = new OrderDesk(port, new OrderNames(names));
  for (const order_id of ['o1', 'o2'])
    desk.track({ ...ORDER, order_id }, { clOrdId: order_id, executed: NOTHING_EXECUTED });
  desk.take({
    ...desk.track({ ...ORDER, order_id: 'o3' }, { clOrdId: 'o3', executed: NOTHING_EXECUTED }),
    ended: true,
  });
  store.putState('connected', true);
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const exchange: Exchange = {
    call: async (method, path, _caller, body) => {
      calls.push(`${method} ${path}`);
      if (method === 'DELETE') bodies.push(body);
      const orders = calls.filter((call) => call === OPEN).length > 1 ? [{ ...ORDER, order_id: 'o3' }] : [];
      const isOne = path.startsWith('/v1/orders/') && method === 'GET';
      return { type: 'ok', body: isOne ? ORDER : { orders, fills: [], results: [] }, next: null };
    },
    feedUrl: new URL('ws://127.0.0.1:1'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const application = new ExchangeApplication(port, exchange, new OrderNames(names));
  application.admitted({});
  application.loggedOn({ senderCompId: 'CLIENT', cancelOnDisconnect: false, dropCopy: false });
  application.disconnected();
  await application.close();
  expect(calls.slice(0, calls.indexOf(CANCEL)).filter((call) => call === OPEN)).toHaveLength(1);
  expect(bodies).toEqual([{ order_ids: ['o1', 'o2'] }, { order_ids: ['o3'] }]);
});

/** A session at an exchange that gives these answers. */
function session(
  answerTo: (method: string, path: string, body: unknown) => ExchangeAnswer | Promise<ExchangeAnswer>,
  orderIds: readonly string[] = ['o1'],
) {
  const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-application-')), 'session.jsonl'), 0);
  /** What each request was answered. */
  const answers: (readonly Outgoing[])[] = [];
  const port = {
    store,
    send: () => undefined,
    answer: (_: number, outgoing: readonly Outgoing[]) => void answers.push(outgoing),
  };
  const names = new OrderNames(new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'names.jsonl'), 0));
  const known = new OrderDesk(port, names);
  for (const order_id of orderIds)
    known.track({ ...ORDER, order_id }, { clOrdId: order_id.replace('o', 'c'), executed: NOTHING_EXECUTED });
  const exchange: Exchange = {
    call: async (method, path, _caller, body) => answerTo(method, path, body),
    feedUrl: new URL('ws://127.0.0.1:1'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const application = new ExchangeApplication(port, exchange, names);
  const logOn = (terms: { cancelOnDisconnect: boolean; dropCopy: boolean }) => {
    application.admitted({});
    application.loggedOn({ senderCompId: 'CLIENT', ...terms });
  };
  return { application, store, answers, logOn };
}

/** BeginString and BodyLength. */
const HEAD: readonly Field[] = [
  [8, 'FIX.4.4'],
  [9, '0'],
];

const NOTHING: ExchangeAnswer = {
  type: 'ok',
  body: { orders: [], fills: [], results: [], markets: [], bids: [], asks: [] },
  next: null,
};
const AWAY: ExchangeAnswer = { type: 'unknown' };

/** Lets time go by until something is so. */
async function passTimeUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('cancel on disconnect', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const ORDERS_ON = { cancelOnDisconnect: true, dropCopy: false };

  it('cancels once an exchange that was away is back', async () => {
    const cancelled: unknown[] = [];
    let attempts = 0;
    const { application, store, logOn } = session((method, _path, body) => {
      if (method !== 'DELETE') return NOTHING;
      attempts += 1;
      if (attempts <= 12) return AWAY;
      cancelled.push(body);
      return NOTHING;
    });
    logOn(ORDERS_ON);
    application.disconnected();
    await passTimeUntil(() => store.state('connected').length === 0);
    expect(cancelled).toEqual([{ order_ids: ['o1'] }]);
    await application.close();
  });

  it('asks again for an order whose book was out of reach', async () => {
    const bodies: unknown[] = [];
    const error = { code: 'SERVICE_UNAVAILABLE', message: '', details: {} };
    const { application, store, logOn } = session((method, _path, body) => {
      if (method !== 'DELETE') return NOTHING;
      bodies.push(body);
      return bodies.length > 1 ? NOTHING : { type: 'ok', body: { results: [{ error }] }, next: null };
    });
    logOn(ORDERS_ON);
    application.disconnected();
    await passTimeUntil(() => store.state('connected').length === 0);
    expect(bodies).toEqual([{ order_ids: ['o1'] }, { order_ids: ['o1'] }]);
    await application.close();
  });

  it('asks for no more at once than a key is sure of in a minute', async () => {
    const counts: number[] = [];
    const orderIds = Array.from({ length: 110 }, (_, at) => `o${at}`);
    const { application, store, logOn } = session((method, _path, body) => {
      if (method === 'DELETE') counts.push((body as { order_ids: string[] }).order_ids.length);
      return NOTHING;
    }, orderIds);
    logOn(ORDERS_ON);
    application.disconnected();
    await passTimeUntil(() => store.state('connected').length === 0);
    expect(counts).toEqual([50, 50, 10]);
    await application.close();
  });

  it('is left to the next logon where the exchange answers for no hour', async () => {
    let attempts = 0;
    const { application, store, logOn } = session((method) => {
      if (method !== 'DELETE') return NOTHING;
      attempts += 1;
      return AWAY;
    });
    logOn(ORDERS_ON);
    application.disconnected();
    // Each of 61 times it is asked for five times, and once more behind the list.
    await passTimeUntil(() => attempts >= 2 * 61 * 5);
    await application.close();
    expect(store.state('connected')).toHaveLength(1);
  });

  it('is nothing that a drop copy asks for, which knows the orders of the whole account', async () => {
    const asked: string[] = [];
    const { application, store, logOn } = session((method) => {
      asked.push(method);
      return NOTHING;
    });
    logOn({ cancelOnDisconnect: true, dropCopy: true });
    expect(store.state('connected')).toEqual([]);
    application.disconnected();
    await application.close();
    expect(asked).not.toContain('DELETE');
  });

  it('that a drop copy makes up for cancels the orders of the session before alone', async () => {
    const bodies: unknown[] = [];
    const { application, store, logOn } = session((method, path, body) => {
      if (method === 'DELETE') bodies.push(body);
      const orders = [{ ...ORDER, order_id: '01a224cf-8986-7559-8032-78d047c908d8', client_order_id: 'of-rest' }];
      return path.startsWith('/v1/orders?') ? { type: 'ok', body: { orders }, next: null } : NOTHING;
    });
    store.putState('connected', true);
    // A request that the gateway was killed over waits until the account is known.
    const about: Field[] = [...HEAD, [35, 'H'], [34, '1'], [11, 'c1'], [55, 'ACME-USD'], [54, '1']];
    application.take(1, { fields: about, text: '' });
    logOn({ cancelOnDisconnect: false, dropCopy: true });
    await passTimeUntil(() => store.state('connected').length === 0);
    expect(bodies).toEqual([{ order_ids: ['o1'] }]);
    application.disconnected();
    await application.close();
  });
});

it('An order that another door has placed is found by its OrderID, and called by it', async () => {
  const order_id = '01a224cf-8986-7559-8032-78d047c908d8';
  const asked: string[] = [];
  const { application, answers, logOn } = session((_method, path) => {
    asked.push(path);
    if (path.toLowerCase() === `/v1/orders/${order_id}`)
      return { type: 'ok', body: { ...ORDER, order_id, client_order_id: null }, next: null };
    if (path.startsWith('/v1/orders/'))
      return { type: 'refused', status: 404, code: 'ORDER_NOT_FOUND', message: 'no', details: {}, remaining: 1 };
    return NOTHING;
  });
  logOn({ cancelOnDisconnect: false, dropCopy: false });
  const about = (orderId: string): FixMessage => ({
    fields: [...HEAD, [35, 'H'], [34, '1'], [11, 'none'], [37, orderId], [55, 'ACME-USD'], [54, '1']],
    text: '',
  });
  for (const orderId of [order_id.toUpperCase(), order_id.replace('8', '9'), 'no/id'])
    application.take(answers.length + 1, about(orderId));
  await vi.waitUntil(() => answers.length === 3);
  const said = answers.map(([answer]) => [37, 11, 39].map((tag) => answer?.body.find(([of]) => of === tag)?.[1]));
  expect(said).toEqual([
    [order_id, order_id, '0'],
    ['NONE', 'none', '8'],
    ['NONE', 'none', '8'],
  ]);
  expect(asked.filter((path) => path.includes('no/id'))).toEqual([]);
  application.disconnected();
  await application.close();
});

it('X-06: A list of more pairs than a page has comes whole, in several messages of which the last says so', async () => {
  const marketsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      symbol: `A${first + index}-USD`,
      base_asset: `A${first + index}`,
      quote_asset: 'USD',
      lot_size: 1,
      size_min: 1,
      notional_min: 2.5,
    }));
  const pages = new Map<string, ExchangeAnswer>([
    ['/v1/markets', { type: 'ok', body: { markets: marketsFrom(0, 1_000) }, next: 'A999-USD' }],
    ['/v1/markets?cursor=A999-USD', { type: 'ok', body: { markets: marketsFrom(1_000, 3) }, next: null }],
  ]);
  const { application, answers, logOn } = session((_method, path) => pages.get(path) ?? NOTHING);
  logOn({ cancelOnDisconnect: false, dropCopy: false });
  const asked = (...fields: Field[]): FixMessage => ({ fields: [...HEAD, [35, 'x'], [320, 'r'], ...fields], text: '' });
  application.take(1, asked([559, '4']));
  application.take(2, asked([559, '0'], [55, 'A1002-USD']));
  await vi.waitUntil(() => answers.length === 2);
  // SecurityRequestResult, TotNoRelatedSym, NoRelatedSym, LastFragment, the first Symbol, and what it says of its least notional
  const said = answers.map((messages) =>
    messages.map(({ body }) => [560, 393, 146, 893, 55, 58].map((tag) => body.find(([of]) => of === tag)?.[1])),
  );
  expect(said).toEqual([
    [
      ['0', '1003', '1000', 'N', 'A0-USD', 'MinNotional=2.5'],
      ['0', '1003', '3', 'Y', 'A1000-USD', 'MinNotional=2.5'],
    ],
    [['0', '1', '1', 'Y', 'A1002-USD', 'MinNotional=2.5']],
  ]);
  pages.set('/v1/markets?cursor=A999-USD', { type: 'unknown' });
  application.take(3, asked([559, '4']));
  await vi.waitUntil(() => answers.length === 3);
  expect(answers[2]?.[0]?.body.find(([tag]) => tag === 560)?.[1]).toBe('4');
  application.disconnected();
  await application.close();
});

it('A subscription that its connection has not outlived begins on no other', async () => {
  let release: (answer: ExchangeAnswer) => void = () => undefined;
  const held = new Promise<ExchangeAnswer>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const { application, answers, logOn } = session((_method, path) => {
    if (!path.startsWith('/v1/orderbook/')) return NOTHING;
    asked += 1;
    return asked === 1 ? held : NOTHING;
  });
  const subscription = (sequence: number): FixMessage => ({
    fields: [
      ...HEAD,
      [35, 'V'],
      [34, String(sequence)],
      [262, 'md'],
      [263, '1'],
      [264, '5'],
      [265, '1'],
      [267, '1'],
      [269, '0'],
      [146, '1'],
      [55, 'ACME-USD'],
    ],
    text: '',
  });
  const terms = { cancelOnDisconnect: false, dropCopy: false };
  logOn(terms);
  application.take(1, subscription(1));
  await vi.waitUntil(() => asked === 1);
  application.disconnected();
  logOn(terms);
  application.take(2, subscription(2));
  release(NOTHING);
  await vi.waitUntil(() => answers.length === 2);
  application.disconnected();
  await application.close();
  // None says that the MDReqID is in use.
  expect([asked, answers]).toEqual([2, [[], []]]);
});
