import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BrokerClient, BrokerOrderTerms } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import type { Result } from '../../domain/result.ts';
import { alpacaClient } from '../../durable-objects/broker/alpaca/alpaca-client.ts';
import { AlpacaServer } from './fixtures/alpaca-server.ts';

let server: AlpacaServer;
let broker: BrokerClient & MarketDataSource;

const clientOf = (keyId = 'key') =>
  alpacaClient({ baseUrl: server.address, dataUrl: server.address, keyId, callsPerMinute: 200, secretKey: 'secret' });

beforeEach(async () => {
  server = await new AlpacaServer().start();
  broker = clientOf();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const order = (terms: Partial<BrokerOrderTerms> = {}): BrokerOrderTerms => ({
  clientOrderId: 'one',
  symbol: 'AAPL',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  quantity: '10',
  limitPrice: '212.50',
  stopPrice: null,
  ...terms,
});

function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const placed = async (terms: Partial<BrokerOrderTerms> = {}) => {
  value(await broker.submit(order(terms)));
  server.find(terms.clientOrderId ?? 'one').status = 'new';
};

const UNAVAILABLE = { ok: false, error: { reason: 'unavailable' } };

describe('an order at Alpaca', () => {
  test('is placed under the exchange’s id, with its terms', async () => {
    expect(value(await broker.submit(order()))).toEqual({
      ...order({ limitPrice: '212.5' }),
      status: 'open',
      filled: '0',
      revision: 0,
    });
    expect(server.orders).toMatchObject([
      { client_order_id: 'one', qty: '10', limit_price: '212.50', time_in_force: 'gtc', type: 'limit', side: 'buy' },
    ]);
  });

  test('whose answer is lost is found when it is submitted again, and placed once', async () => {
    server.faults.push('lose');
    expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
    expect(value(await broker.submit(order()))).toMatchObject({ clientOrderId: 'one', status: 'open' });
    expect(server.orders).toHaveLength(1);
  });

  test('under an id that another order has is a conflict', async () => {
    await placed();
    expect(await broker.submit(order({ quantity: '11' }))).toMatchObject({ error: { code: 'conflict' } });
  });

  test.each([
    [{ symbol: 'NONE' }, 'invalid_order', 'asset "NONE" not found'],
    [{ quantity: '2000' }, 'account_limit', 'insufficient buying power'],
  ] as const)('that Alpaca does not take is refused: %j', async (terms, code, detail) => {
    expect(await broker.submit(order(terms))).toEqual({ ok: false, error: { reason: 'refused', code, detail } });
  });

  test.each([403, 422])(
    'that is there already is not refused: submitted again after a lost answer, and met by %i',
    async (status) => {
      server.faults.push('lose');
      expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
      server.faults.push({ status, body: { code: 40310000, message: 'insufficient qty available for order' } });
      expect(value(await clientOf().submit(order()))).toMatchObject({ clientOrderId: 'one', status: 'open' });
      expect(server.orders).toHaveLength(1);
    },
  );

  test.each([
    [403, 'account_limit'],
    [422, 'invalid_order'],
  ])('whose first request may still arrive is refused by a second one only later: %i', async (status, code) => {
    const refusal = { status, body: { code: 40310000, message: 'insufficient qty available for order' } };
    server.faults.push({ status: 504 }, refusal);
    expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
    expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    server.faults.push(refusal);
    expect(await broker.submit(order())).toMatchObject({ error: { reason: 'refused', code } });
  });

  test('that is there and cannot be read is not refused', async () => {
    await placed();
    server.faults.push({ status: 422, body: { code: 40010001 } }, { status: 200, body: { id: 'one' } });
    expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
  });

  test('is cancelled by Alpaca’s id; the request again is taken, one that has ended is not', async () => {
    await placed();
    expect(await broker.cancel('AAPL', 'one')).toEqual({ ok: true, value: null });
    expect(server.requests.at(-1)).toBe(`DELETE /v2/orders/${server.find('one').id}`);
    expect(await broker.cancel('AAPL', 'one')).toEqual({ ok: true, value: null });
    server.find('one').status = 'canceled';
    expect(await broker.cancel('AAPL', 'one')).toMatchObject({ error: { code: 'order_ended' } });
    expect(await broker.cancel('AAPL', 'none')).toMatchObject({ error: { code: 'unknown_order' } });
  });

  test('is replaced by an order of its own there, and stays one here', async () => {
    await placed();
    server.fill('one', 3, '212.4', '2026-11-20T15:00:00Z');
    const change = { revision: 1, quantity: '20', limitPrice: '213' };
    value(await broker.replace('AAPL', 'one', change));
    value(await broker.replace('AAPL', 'one', change));
    expect(server.orders.map(({ client_order_id, status }) => [client_order_id, status])).toEqual([
      ['one', 'replaced'],
      ['one~1', 'new'],
    ]);
    server.fill('one~1', 4, '212.9', '2026-11-20T15:00:01Z');
    const expected = {
      clientOrderId: 'one',
      quantity: '20',
      limitPrice: '213',
      filled: '7',
      revision: 1,
      status: 'open',
    };
    expect(value(await broker.order('AAPL', 'one'))).toMatchObject(expected);
    expect(value(await broker.openOrders('AAPL', null))).toMatchObject({ orders: [expected], next: null });
    value(await broker.cancel('AAPL', 'one'));
    expect(server.find('one~1').status).toBe('pending_cancel');
    const { events } = value(await broker.events('AAPL', null, []));
    expect(events.map(({ clientOrderId }) => clientOrderId)).toEqual(['one', 'one']);
  });

  test('that Alpaca has not passed on yet is replaced later', async () => {
    value(await broker.submit(order()));
    const change = { revision: 1, quantity: '20', limitPrice: '213' };
    expect(await broker.replace('AAPL', 'one', change)).toMatchObject(UNAVAILABLE);
  });

  test('that is none is null', async () => {
    expect(value(await broker.order('AAPL', 'none'))).toBeNull();
  });
});

describe('events', () => {
  test('are executions with Alpaca’s activity as their id, told once to whoever keeps the cursor', async () => {
    await placed();
    await placed({ clientOrderId: 'two', symbol: 'MSFT' });
    const first = server.fill('one', 4, '212.4050', '2026-11-20T15:00:00.5Z');
    server.fill('two', 10, '431', '2026-11-20T15:00:01Z');
    const page = value(await broker.events('AAPL', null, []));
    expect(page).toMatchObject({ more: false });
    expect(page.events).toEqual([
      {
        type: 'partial_fill',
        id: first.id,
        executionId: first.id,
        symbol: 'AAPL',
        clientOrderId: 'one',
        at_ms: Date.parse('2026-11-20T15:00:00.5Z'),
        venue: null,
        price: '212.405',
        quantity: '4',
      },
    ]);
    expect(value(await broker.events('AAPL', page.cursor, []))).toEqual({ ...page, events: [] });
    expect(value(await broker.events('AAPL', null, [])).events).toEqual(page.events);
  });

  test('that are entered late, before the last one that was read, are told', async () => {
    await placed();
    server.fill('one', 4, '212', '2026-11-20T15:00:30Z');
    const page = value(await broker.events('AAPL', null, []));
    const late = server.fill('one', 2, '211', '2026-11-20T15:00:10Z');
    for (let at = 0; at < 2; at++) {
      const { events, cursor } = value(await broker.events('AAPL', page.cursor, []));
      expect(events.map(({ id }) => id)).toEqual([late.id]);
      expect(cursor).not.toBe(page.cursor);
    }
  });

  test('of the last minute are told again by an object that has restarted', async () => {
    await placed();
    server.fill('one', 4, '212', '2026-11-20T15:00:00Z');
    server.fill('one', 4, '212', '2026-11-20T15:05:00Z');
    const { cursor } = value(await broker.events('AAPL', null, []));
    const again = value(await clientOf().events('AAPL', cursor, []));
    expect(again.events.map(({ at_ms }) => at_ms)).toEqual([Date.parse('2026-11-20T15:05:00Z')]);
  });

  test('come page by page, each once, also where the last page is full', async () => {
    await placed({ quantity: '900' });
    for (let at = 0; at < 200; at++) {
      server.fill('one', 1, '212', new Date(Date.UTC(2026, 10, 20, 15) + at * 1_000).toISOString());
    }
    const ids: string[] = [];
    let cursor: string | null = null;
    const mores: boolean[] = [];
    for (let at = 0; at < 5; at++) {
      const page: Awaited<ReturnType<BrokerClient['events']>> = await broker.events('AAPL', cursor, []);
      const { events, cursor: next, more } = value(page);
      ids.push(...events.map(({ id }) => id));
      mores.push(more);
      cursor = next;
    }
    expect(mores).toEqual([true, true, false, false, false]);
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  });

  test('say how watched orders have ended, and with how much filled', async () => {
    await placed();
    await placed({ clientOrderId: 'two' });
    await placed({ clientOrderId: 'three' });
    server.fill('one', 4, '212', '2026-11-20T15:00:00Z');
    Object.assign(server.find('one'), { status: 'canceled', canceled_at: '2026-11-20T15:00:02Z' });
    Object.assign(server.find('two'), { status: 'expired', expired_at: '2026-11-20T21:00:00Z' });
    const page = value(await broker.events('AAPL', null, ['one', 'two', 'three', 'none']));
    expect(page.events.filter(({ type }) => type === 'done')).toEqual([
      {
        type: 'done',
        id: `done:${server.find('one').id}`,
        symbol: 'AAPL',
        clientOrderId: 'one',
        at_ms: Date.parse('2026-11-20T15:00:02Z'),
        reason: 'canceled',
        filled: '4',
        detail: null,
      },
      expect.objectContaining({ clientOrderId: 'two', reason: 'expired', filled: '0' }),
    ]);
  });

  test('of orders that are none of the exchange’s are left out', async () => {
    await placed({ clientOrderId: 'other' });
    server.fill('other', 1, '212', '2026-11-20T15:00:00Z');
    Object.assign(server.find('other'), { type: 'trailing_stop' });
    expect(value(await broker.events('AAPL', null, [])).events).toEqual([]);
  });

  test('after a cursor that is none are refused', async () => {
    expect(await broker.events('AAPL', '7', [])).toMatchObject({ error: { code: 'unknown_cursor' } });
  });
});

describe('Alpaca', () => {
  test.each([429, 500, 503])('with status %i is unavailable, for as long as it says', async (status) => {
    server.faults.push({ status, headers: { 'retry-after': '2' }, body: { message: 'later' } });
    expect(await broker.submit(order())).toEqual({
      ok: false,
      error: { reason: 'unavailable', retryAfter_ms: 2_000, detail: `status ${status}` },
    });
    expect(server.orders).toEqual([]);
  });

  test('that does not answer in time, or not in JSON, is unavailable', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() =>
      AbortSignal.abort(new DOMException('late', 'TimeoutError')),
    );
    expect(await broker.order('AAPL', 'one')).toMatchObject(UNAVAILABLE);
    vi.restoreAllMocks();
    server.faults.push({ status: 200, body: undefined });
    expect(await broker.order('AAPL', 'one')).toMatchObject(UNAVAILABLE);
    await server.stop();
    expect(await broker.position('AAPL')).toMatchObject(UNAVAILABLE);
    server = await new AlpacaServer().start();
  });

  test('that does not take the keys is unavailable: no order is refused for that', async () => {
    expect(await clientOf('wrong').submit(order())).toMatchObject(UNAVAILABLE);
    server.faults.push({ status: 403, body: { message: 'forbidden.' } });
    expect(await broker.submit(order())).toMatchObject(UNAVAILABLE);
  });

  test('is not followed elsewhere with the keys', async () => {
    server.faults.push({ status: 307, headers: { location: `${server.address}/elsewhere` } });
    expect(await broker.position('AAPL')).toMatchObject(UNAVAILABLE);
    expect(server.requests).toEqual(['GET /v2/positions/AAPL']);
  });

  test('has the shares that it holds', async () => {
    server.positions.set('AAPL', '-15');
    expect(value(await broker.position('AAPL'))).toBe('-15');
    expect(value(await broker.position('MSFT'))).toBe('0');
  });

  test('has the quote of the day, and the best bid and offer as a book', async () => {
    const quotes = value(await broker.quotes(['AAPL']));
    expect(quotes.get('AAPL')).toEqual({
      bid: '212.34',
      ask: '212.36',
      last: '212.345',
      open: '210.1',
      high: '213',
      low: '209.99',
      prevClose: '210',
      volume: '45123456',
      at_ms: Date.parse('2026-11-20T20:59:59.9Z'),
    });
    expect(value(await broker.book('AAPL', 5))).toEqual({
      bids: [{ price: '212.34', quantity: '2' }],
      asks: [{ price: '212.36', quantity: '3' }],
      at_ms: Date.parse('2026-11-20T20:59:59.9Z'),
    });
    expect(await broker.book('NONE', 5)).toMatchObject({ error: { code: 'unknown_symbol' } });
  });

  test('has quotes of many symbols in one request, and none of what never traded or is no symbol', async () => {
    const quotes = value(await broker.quotes(['MSFT', 'IDLE', 'NONE', 'AAPL']));
    expect([...quotes.keys()]).toEqual(['MSFT', 'AAPL']);
    expect(server.requests).toEqual(['GET /v2/stocks/snapshots']);
    server.faults.push({ status: 429 });
    expect(await broker.quotes(['AAPL'])).toMatchObject(UNAVAILABLE);
  });

  test('has bars of a span by interval, adjusted for splits, on as many pages as there are', async () => {
    const bar = { o: 210.1, h: 213, l: 209.99, c: 212.345, v: 45_123_456 };
    server.bars = [17, 18, 19, 20].map((day) => ({ ...bar, t: `2026-11-${day}T05:00:00Z`, c: day }));
    const span = { interval: '1d', from_ms: Date.parse('2026-11-18'), to_ms: Date.parse('2026-11-20T21:00Z') } as const;
    const bars = value(await broker.bars('AAPL', span));
    expect(bars.map(({ close }) => close)).toEqual(['18', '19', '20']);
    expect(bars[0]).toEqual({
      start_ms: Date.parse('2026-11-18T05:00:00Z'),
      open: '210.1',
      high: '213',
      low: '209.99',
      close: '18',
      volume: '45123456',
    });
    expect(server.barQueries).toMatchObject([
      {
        timeframe: '1Day',
        adjustment: 'split',
        start: '2026-11-18T00:00:00.000Z',
        end: '2026-11-20T21:00:00.000Z',
        limit: '5000',
      },
      { page_token: '2' },
    ]);
    server.bars = [];
    expect(value(await broker.bars('AAPL', { ...span, interval: '1m' }))).toEqual([]);
    expect(await broker.bars('NONE', span)).toMatchObject({ error: { code: 'unknown_symbol' } });
  });

  test('whose bars cannot be read, or have no end, is away', async () => {
    const span = { interval: '1h', from_ms: 0, to_ms: 1 } as const;
    server.faults.push({ status: 200, body: { bars: [{ t: 'today' }], next_page_token: null } });
    expect(await broker.bars('AAPL', span)).toMatchObject(UNAVAILABLE);
    server.faults.push(...Array(6).fill({ status: 200, body: { bars: [], next_page_token: 'again' } }));
    expect(await broker.bars('AAPL', span)).toMatchObject(UNAVAILABLE);
  });
});
