import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BrokerClient, BrokerOrderTerms } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import type { Result } from '../../domain/result.ts';
import { primeClient } from '../../durable-objects/broker/coinbase/prime-client.ts';
import { PrimeServer } from './fixtures/prime-server.ts';

let server: PrimeServer;
let prime: BrokerClient & MarketDataSource;
let one: string;

const clientOf = (signingKey = 'signing') =>
  primeClient({
    baseUrl: server.address,
    portfolioId: 'p1',
    accessKey: 'access',
    passphrase: 'passphrase',
    signingKey,
    callsPerMinute: 600,
  });

beforeEach(async () => {
  server = await new PrimeServer().start();
  prime = clientOf();
  one = uuidv7();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

const order = (terms: Partial<BrokerOrderTerms> = {}): BrokerOrderTerms => ({
  clientOrderId: one,
  symbol: 'BTC',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  quantity: '0.25',
  limitPrice: '64000.1',
  stopPrice: null,
  ...terms,
});

function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const UNAVAILABLE = { ok: false, error: { reason: 'unavailable' } };
const AT = (second: number) => new Date(Date.UTC(2026, 10, 20, 15, 0, second)).toISOString();

describe('an order at Coinbase Prime', () => {
  test('is placed under the exchange’s id, with its terms, in a signed request', async () => {
    expect(value(await prime.submit(order()))).toEqual({ ...order(), status: 'open', filled: '0', revision: 0 });
    expect(server.orders).toMatchObject([
      {
        client_order_id: one,
        product_id: 'BTC-USD',
        side: 'BUY',
        type: 'LIMIT',
        time_in_force: 'GOOD_UNTIL_CANCELLED',
        base_quantity: '0.25',
        limit_price: '64000.1',
      },
    ]);
    expect(value(await prime.order('BTC', one))).toMatchObject({ ...order(), status: 'open', filled: '0' });
  });

  test.each([
    ['ioc', 'IMMEDIATE_OR_CANCEL'],
    ['fok', 'FILL_OR_KILL'],
  ] as const)('that is %s is sent as %s', async (timeInForce, sent) => {
    await prime.submit(order({ timeInForce, side: 'sell' }));
    expect(server.orders).toMatchObject([{ time_in_force: sent, side: 'SELL' }]);
    expect(value(await clientOf().order('BTC', one))).toMatchObject({ timeInForce, side: 'sell' });
  });

  test('whose answer is lost is found when it is submitted again, and placed once', async () => {
    server.faults.push(null, null, 'lose');
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    expect(value(await prime.submit(order()))).toMatchObject({ clientOrderId: one, status: 'open' });
    expect(server.orders).toHaveLength(1);
  });

  test('that has filled since its answer was lost is not placed again, though its id is free by then', async () => {
    server.faults.push(null, null, 'lose');
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    server.fill(one, 0.25, '64000', AT(0));
    expect(value(await clientOf().submit(order()))).toMatchObject({ status: 'filled', filled: '0.25' });
    expect(server.orders).toHaveLength(1);
  });

  test('whose first request may still arrive is sent again only later', async () => {
    server.faults.push(null, null, { status: 504 });
    const sentAt = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(sentAt);
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    expect(server.requests.filter((request) => request === 'POST /order')).toHaveLength(1);
    clock.mockReturnValue(sentAt + 29_000);
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    clock.mockReturnValue(sentAt + 31_000);
    expect(value(await prime.submit(order()))).toMatchObject({ status: 'open' });
    expect(server.orders).toHaveLength(1);
  });

  test('under an id that another order has is a conflict', async () => {
    await prime.submit(order());
    expect(await prime.submit(order({ quantity: '0.5' }))).toMatchObject({ error: { code: 'conflict' } });
    expect(server.orders).toHaveLength(1);
  });

  test.each([
    [{ symbol: 'NONE' }, 'unknown product'],
    [{ quantity: '2000' }, 'insufficient funds'],
  ] as const)('that it does not take is refused: %j', async (terms, detail) => {
    const refusal = { reason: 'refused', code: 'invalid_order', detail };
    expect(await prime.submit(order(terms))).toEqual({ ok: false, error: refusal });
  });

  test('that is there and cannot be read is neither refused nor placed again', async () => {
    await prime.submit(order());
    Object.assign(server.find(one), { type: 'TWAP' });
    expect(await clientOf().submit(order())).toMatchObject(UNAVAILABLE);
    expect(server.orders).toHaveLength(1);
  });

  test('that has ended is looked for among those since its id was made, page by page', async () => {
    server.pageMax = 2;
    for (let at = 0; at < 5; at++) {
      const clientOrderId = uuidv7();
      await prime.submit(order({ clientOrderId }));
      server.find(clientOrderId).status = 'CANCELLED';
      one = clientOrderId;
    }
    expect(value(await clientOf().order('BTC', one))).toMatchObject({ clientOrderId: one, status: 'canceled' });
    const { start_date = '' } = server.queries.at(-1) ?? {};
    expect(Date.now() - Date.parse(start_date)).toBeLessThan(600_000);
    expect(value(await clientOf().order('BTC', uuidv7()))).toBeNull();
  });

  test('is cancelled by Coinbase’s id; the request again says that it has ended, one that is not there that it is unknown', async () => {
    await prime.submit(order());
    expect(await prime.cancel('BTC', one)).toEqual({ ok: true, value: null });
    expect(server.find(one).status).toBe('CANCELLED');
    expect(await prime.cancel('BTC', one)).toMatchObject({ error: { code: 'order_ended' } });
    expect(await prime.cancel('BTC', uuidv7())).toMatchObject({ error: { code: 'unknown_order' } });
  });

  test('that ends while its cancel is under way is said to have ended', async () => {
    await prime.submit(order());
    server.faults.push(null, { status: 400, body: { message: 'order is not open' } });
    expect(await prime.cancel('BTC', one)).toMatchObject({
      error: { code: 'order_ended', detail: 'order is not open' },
    });
  });

  test('is listed while it is open', async () => {
    const two = uuidv7();
    await prime.submit(order());
    await prime.submit(order({ clientOrderId: two }));
    server.find(two).status = 'EXPIRED';
    const { orders, next } = value(await prime.openOrders('BTC', null));
    expect([orders.map(({ clientOrderId }) => clientOrderId), next]).toEqual([[one], null]);
  });

  test('is not replaced', async () => {
    await prime.submit(order());
    const change = { revision: 1, quantity: '1', limitPrice: '1' };
    expect(await prime.replace('BTC', one, change)).toMatchObject({ error: { code: 'not_permitted' } });
  });
});

describe('fills', () => {
  test('are told with the exchange’s id, side and venue, once to who goes on from the cursor', async () => {
    await prime.submit(order());
    server.fill(one, 0.1, '63999.5', AT(0));
    const page = value(await clientOf().events('BTC', null, []));
    expect(page.events).toEqual([
      {
        type: 'partial_fill',
        id: 'fill-0',
        executionId: 'fill-0',
        symbol: 'BTC',
        clientOrderId: one,
        at_ms: Date.parse(AT(0)),
        venue: 'CBE',
        side: 'buy',
        price: '63999.5',
        quantity: '0.1',
      },
    ]);
    const first = value(await prime.events('BTC', null, []));
    expect(value(await prime.events('BTC', first.cursor, [])).events).toEqual([]);
    server.fill(one, 0.15, '64000', AT(30));
    expect(value(await prime.events('BTC', first.cursor, [])).events).toMatchObject([{ id: 'fill-1' }]);
    expect(value(await prime.events('ETH', null, [])).events).toEqual([]);
  });

  test('come page by page, each once', async () => {
    await prime.submit(order({ quantity: '90' }));
    for (let at = 0; at < 45; at++) server.fill(one, 1, '64000', AT(10 * at));
    server.pageMax = 20;
    const ids: string[] = [];
    const mores: boolean[] = [];
    let cursor: string | null = null;
    for (let at = 0; at < 4; at++) {
      const page: Awaited<ReturnType<BrokerClient['events']>> = await prime.events('BTC', cursor, []);
      const { events, cursor: next, more } = value(page);
      ids.push(...events.map(({ id }) => id));
      mores.push(more);
      cursor = next;
    }
    expect(mores).toEqual([true, true, false, false]);
    expect([ids.length, new Set(ids).size]).toEqual([45, 45]);
  });

  test('come before the ends of watched orders, which say how much had filled', async () => {
    const [two, three] = [uuidv7(), uuidv7()];
    for (const clientOrderId of [one, two, three]) await prime.submit(order({ clientOrderId }));
    server.fill(one, 0.1, '64000', AT(0));
    server.find(one).status = 'CANCELLED';
    server.find(two).status = 'FAILED';
    const { events } = value(await prime.events('BTC', null, [one, two, three, uuidv7()]));
    expect(events.map(({ type, clientOrderId }) => [type, clientOrderId])).toEqual([
      ['partial_fill', one],
      ['done', one],
      ['done', two],
    ]);
    expect(events.slice(1)).toMatchObject([
      { reason: 'canceled', filled: '0.1' },
      { reason: 'rejected', filled: '0' },
    ]);
  });

  test('after a cursor that is none, or a page that is known no more, are refused', async () => {
    expect(await prime.events('BTC', '7', [])).toMatchObject({ error: { code: 'unknown_cursor' } });
    expect(await prime.events('BTC', '|gone||0', [])).toMatchObject({ error: { code: 'unknown_cursor' } });
  });
});

describe('Coinbase Prime', () => {
  test.each([
    [429, {}, 30_000],
    [429, { 'retry-after': '2' }, 2_000],
    [503, {}, null],
  ] as const)('with status %i and %j is unavailable, for so many ms: %s', async (status, headers, retryAfter_ms) => {
    server.faults.push({ status, headers, body: { message: 'later' } });
    const error = { reason: 'unavailable', retryAfter_ms, detail: `status ${status}` };
    expect(await prime.submit(order())).toEqual({ ok: false, error });
    expect(server.orders).toEqual([]);
  });

  test('that hangs is unavailable', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), 20);
      return late.signal;
    });
    server.faults.push('hang');
    expect(await prime.position('BTC')).toMatchObject(UNAVAILABLE);
  });

  test.each(['<html>', '{"orders":7}', '[]', ''])(
    'that answers %j is unavailable, and nothing is placed',
    async (text) => {
      server.faults.push({ status: 200, text });
      expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
      expect(server.requests).toEqual(['GET /open_orders']);
    },
  );

  test('that answers a placement with what is no id may have taken it: it is looked for before it is sent again', async () => {
    server.faults.push(null, null, 'garble');
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
    expect(await prime.submit(order())).toMatchObject({ ok: true });
    expect(server.orders).toHaveLength(1);
  });

  test('that does not take the keys is unavailable: no order is refused for that', async () => {
    expect(await clientOf('wrong').submit(order())).toMatchObject(UNAVAILABLE);
    server.faults.push(null, null, { status: 403, body: { message: 'forbidden' } });
    expect(await prime.submit(order())).toMatchObject(UNAVAILABLE);
  });

  test('is not followed elsewhere with the keys', async () => {
    server.faults.push({ status: 307, headers: { location: `${server.address}/elsewhere` } });
    expect(await prime.position('BTC')).toMatchObject(UNAVAILABLE);
    expect(server.requests).toEqual(['GET /balances']);
  });

  test('has the coins that the portfolio holds', async () => {
    server.balances.set('BTC', '1.25000000');
    expect(value(await prime.position('BTC'))).toBe('1.25');
    expect(value(await prime.position('ETH'))).toBe('0');
  });

  test('has prices of the day from its bars, no best bid and offer, and no book', async () => {
    const candle = (day: number, close: string) => ({
      timestamp: `2026-11-${day}T00:00:00Z`,
      open: '63000',
      high: '65000',
      low: '62000.5',
      close,
      volume: '1234.567890123',
    });
    server.candles = [candle(20, '64100'), candle(19, '63500')];
    const quotes = value(await prime.quotes(['BTC', 'NONE']));
    expect([...quotes.keys()]).toEqual(['BTC']);
    expect(quotes.get('BTC')).toMatchObject({
      bid: null,
      ask: null,
      last: '64100',
      prevClose: '63500',
      volume: '1234.5678',
    });
    const span = {
      interval: '1d',
      from_ms: Date.parse('2026-11-19'),
      to_ms: Date.parse('2026-11-20T12:00:00Z'),
    } as const;
    expect(value(await prime.bars('BTC', span)).map(({ close }) => close)).toEqual(['63500', '64100']);
    expect(server.queries.at(-1)).toEqual({
      product_id: 'BTC-USD',
      granularity: 'ONE_DAY',
      start_time: '2026-11-19T00:00:00.000Z',
      end_time: '2026-11-20T12:00:00.000Z',
    });
    expect(await prime.bars('NONE', span)).toMatchObject({ error: { code: 'unknown_symbol' } });
    expect(value(await prime.book('BTC', 10))).toMatchObject({ bids: [], asks: [] });
  });

  test('whose bars cannot be read is unavailable', async () => {
    server.candles = [{ timestamp: 'soon' }];
    const span = { interval: '1m', from_ms: 0, to_ms: 60_000 } as const;
    expect(await prime.bars('BTC', span)).toMatchObject(UNAVAILABLE);
    expect(await prime.quotes(['BTC'])).toMatchObject(UNAVAILABLE);
  });
});
