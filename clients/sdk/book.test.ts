import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BookClient } from './book.ts';
import { type PlayedAnswer, playedExchange, refusal } from './played-exchange.fixtures.ts';
import { keyCredentials } from './wire/credentials.ts';
import { type Failure, failureOf } from './wire/failure.ts';

const ORDER = { symbol: 'ACME-USD', side: 'buy', type: 'limit', price: '20.10', size: '3' } as const;
const STANDING = {
  ...ORDER,
  price: '20.1',
  order_id: 'o-1',
  client_order_id: 'mine',
  status: 'open',
  filled_size: '0',
  time_in_force: 'GTC',
  stop_price: null,
  expires_at: null,
  reason: null,
};

function client(answers: readonly PlayedAnswer[]) {
  const played = playedExchange(answers);
  const credentials = keyCredentials({ key: 'key', secret: 'secret' });
  const book = new BookClient({ baseUrl: 'https://exchange.example/book/', credentials, seams: played.seams });
  return { book, ...played };
}

const DAY_MS = 86_400_000;

/** Keeps keys and orders as the exchange does: a key names the bytes of its request for a day, a client order id its open order. */
function keepingExchange() {
  const keys = new Map<string, { body: string; until: number; answer: string }>();
  const orders = new Map<string, string>();
  const played = playedExchange([]);
  const json = (status: number, body: string) =>
    new Response(body, { status, headers: { 'content-type': 'application/json' } });
  const refused = (status: number, code: string) => json(status, JSON.stringify(refusal(status, code).body));
  const fetch: typeof played.seams.fetch = async (url, { method, headers, body }) => {
    if (method === 'GET') {
      const order = orders.get(url.split('/').at(-1) ?? '');
      return order === undefined ? refused(404, 'ORDER_NOT_FOUND') : json(200, order);
    }
    const key = new Headers(headers).get('idempotency-key') ?? '';
    const held = keys.get(key);
    const text = String(body);
    if (held !== undefined && held.until > played.clock.now)
      return held.body === text ? json(200, held.answer) : refused(422, 'IDEMPOTENCY_CONFLICT');
    const asked = JSON.parse(text);
    if (orders.has(asked.client_order_id)) return refused(409, 'CONFLICT');
    const answer = JSON.stringify({ ...STANDING, ...asked, time_in_force: asked.time_in_force ?? 'GTC' });
    orders.set(asked.client_order_id, answer);
    keys.set(key, { body: text, until: played.clock.now + DAY_MS, answer });
    return json(200, answer);
  };
  const credentials = keyCredentials({ key: 'key', secret: 'secret' });
  const book = () =>
    new BookClient({ baseUrl: 'https://exchange.example/book', credentials, seams: { ...played.seams, fetch } });
  return { book, orders, clock: played.clock };
}

/** The same order in another writing: order of fields, zeros at the end of a decimal, terms that are the default. */
const writings = fc
  .record({
    price: fc.constantFrom('20.10', '20.1', '20.100'),
    size: fc.constantFrom('3', '3.0'),
    stated: fc.boolean(),
    fields: fc.shuffledSubarray(['symbol', 'side', 'type', 'price', 'size'] as const, { minLength: 5 }),
  })
  .map(({ price, size, stated, fields }) => {
    const terms = { ...ORDER, price, size };
    const written = Object.fromEntries(fields.map((field) => [field, terms[field]])) as unknown as typeof terms;
    return { ...written, client_order_id: 'mine', ...(stated && { time_in_force: 'GTC' as const }) };
  });

async function failing(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  const failure = failureOf(error);
  if (failure === null) throw error ?? new Error('it succeeded');
  return failure;
}

describe('an order of the client library', () => {
  test('goes out signed, with its decimals as JSON numbers, and is repeated under one id while no answer comes', async () => {
    const { book, sent, waited } = client(['lost', refusal(503, 'SERVICE_UNAVAILABLE'), { body: STANDING }]);
    expect(await book.placeOrder({ ...ORDER, client_order_id: 'mine' })).toMatchObject({ order_id: 'o-1' });
    expect(new Set(sent.map(({ body }) => body))).toEqual(
      new Set(['{"symbol":"ACME-USD","side":"buy","type":"limit","price":20.10,"size":3,"client_order_id":"mine"}']),
    );
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine', 'mine']);
    expect(new Set(sent.map(({ headers }) => headers.get('x-api-signature'))).size).toBe(3);
    expect(waited).toEqual([187.5, 375]);
  });

  test('has an outcome that is unknown once the tries are used up, and says under which key to ask again', async () => {
    const { book, sent } = client(Array(6).fill('lost'));
    const failure = await failing(book.placeOrder({ ...ORDER, client_order_id: 'mine' }));
    expect(failure).toMatchObject({ kind: 'outcome_unknown', idempotencyKey: 'mine', isRepeatable: true });
    expect(sent).toHaveLength(6);
  });

  test.each([
    ['a credential that has ended meanwhile', refusal(401, 'UNAUTHORIZED')],
    ['a limit of risk', refusal(403, 'RISK_LIMIT_EXCEEDED')],
  ])('stays unknown after a lost answer where the next one speaks of %s', async (_, answer) => {
    const { book } = client(['lost', answer]);
    const failure = await failing(book.placeOrder({ ...ORDER, client_order_id: 'mine' }));
    expect(failure).toMatchObject({ kind: 'outcome_unknown', answer: { status: answer.status } });
  });

  test('is refused for good where the exchange has looked at its key', async () => {
    const { book, sent } = client(['lost', refusal(400, 'INSUFFICIENT_BALANCE', { required: 62, available: 10.5 })]);
    const failure = await failing(book.placeOrder({ ...ORDER, client_order_id: 'mine' }));
    expect(failure).toMatchObject({
      kind: 'refused',
      code: 'INSUFFICIENT_BALANCE',
      details: { required: '62', available: '10.5' },
    });
    expect(sent).toHaveLength(2);
  });

  test('is read where its id is taken, and is another one where the terms differ', async () => {
    const conflict = refusal(409, 'CONFLICT', { existingOrderId: 'o-1' });
    const same = client([conflict, { body: STANDING }]);
    expect(await same.book.placeOrder({ ...ORDER, client_order_id: 'mine' })).toMatchObject({ order_id: 'o-1' });
    expect(same.sent[1]?.url).toBe('https://exchange.example/book/v1/orders/client/mine');
    const changes = [
      { size: '4' },
      { price: '20.2' },
      { time_in_force: 'IOC' },
      { stop_price: '20' },
      { expires_at: '5' },
      { side: 'sell' },
    ];
    for (const change of changes) {
      const other = client([conflict, { body: { ...STANDING, ...change } }]);
      expect(await failing(other.book.placeOrder({ ...ORDER, client_order_id: 'mine' }))).toMatchObject({
        kind: 'refused',
        code: 'CONFLICT',
      });
    }
  });

  test('is the same order in any writing, and another one in other terms, within a day and after it', async () => {
    const others = [{ size: '4' }, { price: '20.2' }, { side: 'sell' }, { time_in_force: 'IOC' }] as const;
    await fc.assert(
      fc.asyncProperty(
        writings,
        writings,
        fc.constantFrom(0, DAY_MS - 1, DAY_MS),
        fc.constantFrom(null, ...others),
        async (first, again, laterMs, change) => {
          const { book, orders, clock } = keepingExchange();
          await book().placeOrder(first);
          clock.now += laterMs;
          const repeated = book().placeOrder({ ...again, ...change });
          if (change === null) expect(await repeated).toMatchObject({ order_id: 'o-1', client_order_id: 'mine' });
          else expect(await failing(repeated)).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
          expect(orders.size).toBe(1);
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  test('has an unknown outcome where another request was made under its key and no order stands', async () => {
    const another = refusal(422, 'IDEMPOTENCY_CONFLICT');
    const unknown = { kind: 'outcome_unknown', idempotencyKey: 'mine', isRepeatable: false };
    const none = client([another, refusal(404, 'ORDER_NOT_FOUND')]);
    expect(await failing(none.book.placeOrder({ ...ORDER, client_order_id: 'mine' }))).toMatchObject({
      ...unknown,
      answer: { status: 422, code: 'IDEMPOTENCY_CONFLICT' },
    });
    const lost = client(['lost', another]);
    const call = lost.book.post('/v1/orders', { body: ORDER, idempotencyKey: 'mine' });
    expect(await failing(call)).toMatchObject(unknown);
    expect(lost.sent).toHaveLength(2);
  });

  test('has an unknown outcome after a lost answer, also where a fresh token cannot be had', async () => {
    const played = playedExchange(['lost', refusal(401, 'UNAUTHORIZED')]);
    const credentials = {
      headersOf: async () => ({}),
      renew: async () => {
        throw new TypeError('fetch failed');
      },
    };
    const book = new BookClient({ baseUrl: 'https://exchange.example/book', credentials, seams: played.seams });
    const failure = await failing(book.placeOrder({ ...ORDER, client_order_id: 'mine' }));
    expect(failure).toMatchObject({ kind: 'outcome_unknown', idempotencyKey: 'mine' });
  });

  test('is asked for again under its id where the answer cannot be read', async () => {
    const { book, sent } = client([{ text: '{"order_id": ' }, { body: STANDING }]);
    expect(await book.placeOrder(ORDER)).toMatchObject({ order_id: 'o-1' });
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    const unreadable = client(Array(6).fill({ text: '<html>' }));
    expect(await failing(unreadable.book.placeOrder(ORDER))).toMatchObject({ kind: 'outcome_unknown' });
  });

  test('takes no float for an amount', async () => {
    const { book, sent } = client([]);
    const wrong = { ...ORDER, price: 20.1 as unknown as string };
    await expect(book.placeOrder(wrong)).rejects.toThrow('price must be a decimal as text');
    await expect(book.placeOrder({ ...ORDER, size: '1e3' })).rejects.toThrow('size must be a decimal as text');
    expect(sent).toEqual([]);
  });

  test('is not sent after the caller has ended the call; once it was sent, what became of it is unknown', async () => {
    const before = client([]);
    const signal = AbortSignal.abort();
    expect(await failing(before.book.placeOrder(ORDER, { signal }))).toMatchObject({ kind: 'aborted' });
    const controller = new AbortController();
    const meanwhile = client(['lost']);
    const call = meanwhile.book.placeOrder(ORDER, { signal: controller.signal });
    controller.abort();
    const failure = await failing(call);
    expect(failure.kind).toBe(meanwhile.sent.length === 0 ? 'aborted' : 'outcome_unknown');
  });

  test('that is cancelled after its end is read as it stands', async () => {
    const over = { ...STANDING, status: 'filled', filled_size: '3' };
    const { book } = client([refusal(400, 'ORDER_NOT_CANCELLABLE'), { body: over }]);
    expect(await book.cancelCalledOrder('mine')).toMatchObject({ status: 'filled', filled_size: '3' });
    const cancelled = client([{ body: { ...STANDING, status: 'cancelled', filled_size: '1' } }]);
    expect(await cancelled.book.cancelCalledOrder('mine')).toMatchObject({ status: 'cancelled', filled_size: '1' });
    const none = client([refusal(404, 'ORDER_NOT_FOUND'), refusal(404, 'ORDER_NOT_FOUND')]);
    expect(await none.book.cancelCalledOrder('mine')).toBeNull();
  });
});

/** Goes through all of it. */
async function lastOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  let last: T | undefined;
  for await (const item of items) last = item;
  return last;
}

describe('limits, clocks and pages of the client library', () => {
  test('waits as long as the exchange says, and holds back a call that would find nothing left', async () => {
    const told = (remaining: number, resetS: number) => ({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetS),
    });
    const { book, waited, sent } = client([
      refusal(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '2' }),
      { body: STANDING, headers: told(0, 1_003) },
      { body: STANDING, headers: told(5, 1_003) },
      { body: STANDING },
    ]);
    await book.placeOrder(ORDER);
    expect(waited).toEqual([2_000]);
    await book.placeOrder(ORDER);
    expect(waited).toEqual([2_000, 1_000]);
    await book.placeOrder(ORDER);
    expect([waited.length, sent.length]).toEqual([2, 4]);
  });

  test('gives up on a limit as rate_limited: nothing was done', async () => {
    const { book } = client(Array(6).fill(refusal(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '60' })));
    expect(await failing(book.placeOrder(ORDER))).toMatchObject({ kind: 'rate_limited', retryAfterMs: 60_000 });
  });

  test('puts its clock right by the answer to a signature that was too old, and signs again', async () => {
    const stale = refusal(401, 'UNAUTHORIZED', { reason: 'timestamp_stale', server_time: 4_600_000 });
    const { book, sent } = client([stale, { body: STANDING }]);
    await book.placeOrder(ORDER);
    expect(sent.map(({ headers }) => headers.get('x-api-timestamp'))).toEqual(['1000000', '4600000']);
    expect(book.transport.clock.skewMs).toBe(3_600_000);
  });

  test('measures the clock between request and answer, and never signs twice at one millisecond', async () => {
    const { book, sent } = client([{ body: { timestamp: 1_000_250 } }, { body: STANDING }, { body: STANDING }]);
    expect(await book.measureClock()).toBe(250);
    await book.placeOrder(ORDER);
    await book.placeOrder(ORDER);
    expect(sent.slice(1).map(({ headers }) => headers.get('x-api-timestamp'))).toEqual(['1000250', '1000251']);
  });

  test('follows the Link header to the last page, keeps every digit, and takes no credential elsewhere', async () => {
    const page = (id: string) => ({ orders: [{ ...STANDING, order_id: id }] });
    const link = '<https://exchange.example/book/v1/orders?status=open&cursor=c2>; rel="next"';
    const { book, sent } = client([{ body: page('a'), headers: { link } }, { body: page('b') }]);
    const ids: string[] = [];
    for await (const { order_id } of book.orders({ status: 'open' })) ids.push(order_id);
    expect(ids).toEqual(['a', 'b']);
    expect(sent[1]?.url).toBe('https://exchange.example/book/v1/orders?status=open&cursor=c2');
    for (const href of ['https://elsewhere.example/book/v1/orders', 'https://exchange.example/exchange/v1/orders']) {
      const astray = client([{ body: page('a'), headers: { link: `<${href}>; rel="next"` } }]);
      expect(await failing(lastOf(astray.book.orders()))).toMatchObject({ kind: 'no_answer' });
      expect(astray.sent).toHaveLength(1);
    }
  });

  test('repeats a read and nothing that has no key: what becomes of that is unknown at once', async () => {
    const read = client(['lost', { body: { bids: [], asks: [] } }]);
    await read.book.get('/v1/orderbook/{symbol}', { path: { symbol: 'ACME-USD' }, query: { depth: 5 } });
    expect(read.sent[1]?.url).toBe('https://exchange.example/book/v1/orderbook/ACME-USD?depth=5');
    const armed = client(['lost']);
    expect(await failing(armed.book.post('/v1/orders/cancel-after', { body: { timeout_ms: '5000' } }))).toMatchObject({
      kind: 'outcome_unknown',
      isRepeatable: false,
    });
  });

  test('lets no part of a path lead to another one', async () => {
    const { book, sent } = client([{ body: STANDING }]);
    await expect(book.get('/v1/orders/{order_id}', { path: { order_id: '..' } })).rejects.toThrow(
      'order_id is missing',
    );
    await book.get('/v1/orders/{order_id}', { path: { order_id: 'a/../b?c' } });
    expect(sent[0]?.url).toBe('https://exchange.example/book/v1/orders/a%2F..%2Fb%3Fc');
  });
});
