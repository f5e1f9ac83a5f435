import { create } from '@bufbuild/protobuf';
import { type CallOptions, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { ErrorInfoSchema, RetryInfoSchema } from '../../../../../protocol/rpc/error_details_pb.ts';
import { rpcCodeOf } from '../../../../../protocol/rpc/rpc-code-of.ts';
import { OrderRequestSchema, TradingService } from '../../../../../protocol/rpc/trading_pb.ts';
import { STATUS_OF } from '../../../../../workers/responses/failure.ts';
import { sign } from '../../../fixtures/api-key.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../../fixtures/buyer-and-seller.ts';
import { callWorker } from '../../../fixtures/call-worker.ts';
import { freshAddress } from '../../../fixtures/fresh-address.ts';
import { giveBalance } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let freshPair: BuyerAndSeller['freshPair'];

beforeAll(async () => {
  db = await migrate();
  ({ buyer, seller, freshPair } = await createBuyerAndSeller(db, 'RPC'));
});

const reach = {
  baseUrl: 'http://localhost/book',
  fetch: ((input, init) => callWorker(new Request(input, { ...init, redirect: 'manual' }))) as typeof fetch,
};

/** Every protocol that browsers speak to the service. */
const PROTOCOLS: readonly [string, Transport][] = [
  ['Connect with JSON', createConnectTransport({ ...reach, useBinaryFormat: false })],
  ['Connect with protobuf', createConnectTransport({ ...reach, useBinaryFormat: true })],
  ['gRPC-Web', createGrpcWebTransport({ ...reach, useBinaryFormat: true })],
];

const as = ({ headers }: Pick<KeyHolder, 'headers'>): CallOptions => ({ headers: { ...headers } });

const anyone = (): CallOptions => ({
  headers: { 'cf-connecting-ip': freshAddress() },
});

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ConnectError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

describe('a request with a field that the service does not know', () => {
  const json = async (method: string, message: object) => {
    const headers = { ...buyer.headers, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(message) };
    const answer = await callWorker(new Request(`http://localhost/book/TradingService/${method}`, init));
    return { status: answer.status, body: await answer.text() };
  };

  it.each([
    ['PlaceOrder', { side: 'buy', type: 'limit', price: 10, size: 1, time_in_forc: 'IOC' }],
    ['PlaceOrder', { side: 'buy', type: 'limit', price: 10, size: 1, clientOrderID: 'mine' }],
    ['CancelOrder', { orderId: crypto.randomUUID(), Symbol: 'A-B' }],
    ['GetOrderBook', { deep: 5 }],
  ])('%s in JSON, misspelt: it is refused, and names it', async (method, message) => {
    const symbol = await freshPair();
    const unknown = Object.keys(message).at(-1) ?? '';
    const { status, body } = await json(method, { symbol, ...message });
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid_argument']);
    expect(body).toContain(unknown);
    const book = await createClient(TradingService, PROTOCOLS[0]?.[1] as Transport).getOrderBook({ symbol }, anyone());
    expect(book.bids).toEqual([]);
  });

  it.each(PROTOCOLS.slice(1))(
    'PlaceOrder over %s, of a newer client: it is refused, and nothing is placed',
    async (_, transport) => {
      const symbol = await freshPair();
      const client = createClient(TradingService, transport);
      const order = create(OrderRequestSchema, { symbol, side: 'buy', type: 'limit', size: 1, price: 10 });
      order.$unknown = [{ no: 99, wireType: 0, data: new Uint8Array([1]) }];
      const error = await errorOf(client.placeOrder(order, as(buyer)));
      expect([error.code, error.metadata.get('x-error-code')]).toEqual([Code.InvalidArgument, 'VALIDATION_ERROR']);
      expect(error.rawMessage).toBe('this interface has no field 99');
      expect((await client.getOrderBook({ symbol }, anyone())).bids).toEqual([]);
    },
  );
});

describe.each(PROTOCOLS)('TradingService over %s', (protocol, transport) => {
  const client = createClient(TradingService, transport);
  const limit = (symbol: string, side: string, size: number, price: number) => ({
    symbol,
    side,
    type: 'limit',
    size,
    price,
  });

  it('places an order, shows it in the book and cancels it', async () => {
    const symbol = await freshPair();
    const before = Date.now();
    const placed = await client.placeOrder(
      { ...limit(symbol, 'buy', 10, 99.5), clientOrderId: `mine:${protocol.length}`, timeInForce: 'GTC' },
      as(buyer),
    );
    expect(placed).toMatchObject({
      status: 'open',
      symbol,
      price: 99.5,
      size: 10,
      clientOrderId: `mine:${protocol.length}`,
    });
    expect(Number(placed.timestamp)).toBeGreaterThanOrEqual(before);
    const book = await client.getOrderBook({ symbol, depth: 5 }, anyone());
    expect(book.bids).toMatchObject([{ price: 99.5, size: 10 }]);
    const cancelled = await client.cancelOrder({ orderId: placed.orderId, symbol }, as(buyer));
    expect(cancelled).toMatchObject({ orderId: placed.orderId, status: 'cancelled', filledSize: 0, remainingSize: 0 });
    expect((await client.getOrderBook({ symbol }, anyone())).bids).toEqual([]);
  });

  it('tells what self-trade prevention has left of an order', async () => {
    const symbol = await freshPair();
    await client.placeOrder(limit(symbol, 'buy', 3, 50), as(buyer));
    const bought = await client.placeOrder(limit(symbol, 'buy', 1, 49), as(buyer));
    expect(bought).toMatchObject({ status: 'open', size: 1, filledSize: 0, remainingSize: 1 });
    await giveBalance({ accountId: seller.accountId, asset: 'usd', amount: 1_000_00 });
    await client.placeOrder(limit(symbol, 'sell', 8, 51), as(seller));
    const own = { ...limit(symbol, 'buy', 10, 51), selfTradePrevention: 'decrement' };
    const placed = await client.placeOrder(own, as(seller));
    expect(placed).toMatchObject({ status: 'open', size: 10, filledSize: 0, remainingSize: 2 });
  });

  it('fills an order that meets another, and streams the trade with side, price, size and sequence', async () => {
    const symbol = await freshPair();
    const first = await client.placeOrder(limit(symbol, 'sell', 3, 50), as(seller));
    await client.placeOrder(limit(symbol, 'buy', 1, 50), as(buyer));
    const givenUp = new AbortController();
    const trades = client.streamTrades({ symbol, resumeFrom: 0n }, { ...anyone(), signal: givenUp.signal });
    const iterator = trades[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ symbol, price: 50, size: 1, side: 'buy', sequence: 1n });
    await client.placeOrder(limit(symbol, 'buy', 2, 50), as(buyer));
    expect((await iterator.next()).value).toMatchObject({ size: 2, sequence: 2n });
    givenUp.abort();
    expect(first.status).toBe('open');
  });

  it('streams a snapshot of the book, then the levels that change', async () => {
    const symbol = await freshPair();
    await client.placeOrder(limit(symbol, 'buy', 5, 99), as(buyer));
    const givenUp = new AbortController();
    const updates = client.streamOrderBook({ symbol, depth: 2 }, { ...anyone(), signal: givenUp.signal });
    const iterator = updates[Symbol.asyncIterator]();
    const snapshot = (await iterator.next()).value;
    expect(snapshot).toMatchObject({ snapshot: true, bids: [{ price: 99, size: 5 }], asks: [] });
    await client.placeOrder(limit(symbol, 'buy', 1, 100), as(buyer));
    const update = (await iterator.next()).value;
    expect(update).toMatchObject({ snapshot: false, bids: [{ price: 100, size: 1 }] });
    expect(update?.prevSequence).toBe(snapshot?.sequence);
    givenUp.abort();
  });

  it('gives the place of a stream back when the client goes: five at a time, any number in turn', async () => {
    const symbol = await freshPair();
    await client.placeOrder(limit(symbol, 'buy', 1, 10), as(buyer));
    const follower = await createKeyHolder(db);
    for (let i = 0; i < 8; i++) {
      const givenUp = new AbortController();
      const updates = () => client.streamOrderBook({ symbol }, { ...as(follower), signal: givenUp.signal });
      // The place of the one before is given back once the server has heard that its client is gone.
      const first = async () => (await updates()[Symbol.asyncIterator]().next()).value;
      await expect.poll(() => first().catch(() => null)).toMatchObject({ snapshot: true });
      givenUp.abort();
    }
  });

  it('refuses with the status of the error, its code in ErrorInfo and in x-error-code', async () => {
    const symbol = await freshPair();
    const poor = await createKeyHolder(db);
    const error = await errorOf(client.placeOrder(limit(symbol, 'buy', 1, 10), as(poor)));
    expect(error.code).toBe(Code.FailedPrecondition);
    expect(error.metadata.get('x-error-code')).toBe('INSUFFICIENT_BALANCE');
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: 'INSUFFICIENT_BALANCE', metadata: { available: '0' } },
    ]);

    const cases = [
      [() => client.placeOrder({ ...limit(symbol, 'buy', 1, 1), type: 'other' }, as(buyer)), Code.InvalidArgument],
      [() => client.placeOrder({ ...limit(symbol, 'both', 1, 1) }, as(buyer)), Code.InvalidArgument],
      [() => client.placeOrder(limit('NONE-USD', 'buy', 1, 1), as(buyer)), Code.InvalidArgument],
      [() => client.getOrderBook({ symbol: 'NONE-USD' }, anyone()), Code.InvalidArgument],
      [() => client.getOrderBook({}, anyone()), Code.InvalidArgument],
      [() => client.getOrderBook({ symbol, depth: 0 }, anyone()), Code.InvalidArgument],
      [() => client.getOrderBook({ symbol, depth: 1_001 }, anyone()), Code.InvalidArgument],
      [() => client.cancelOrder({}, as(buyer)), Code.NotFound],
      [() => client.cancelOrder({ orderId: crypto.randomUUID() }, as(buyer)), Code.NotFound],
      [
        () => client.streamTrades({ symbol: 'NONE-USD' }, anyone())[Symbol.asyncIterator]().next(),
        Code.InvalidArgument,
      ],
    ] as const;
    for (const [call, code] of cases) expect((await errorOf(call())).code).toBe(code);
  });

  it.each([
    ['market', { price: Number.NaN }],
    ['market', { price: Number.POSITIVE_INFINITY }],
    ['market', { price: -1 }],
    ['market', { size: Number.NaN }],
    ['market', { size: -5 }],
    ['limit', { price: Number.NaN }],
    ['limit', { price: 10, stopPrice: Number.NEGATIVE_INFINITY }],
  ])('refuses a %s order with %o: no number of it may be none', async (type, terms) => {
    const symbol = await freshPair();
    const order = { symbol, side: 'sell', type, size: 1, ...terms };
    const error = await errorOf(client.placeOrder(order, as(seller)));
    expect([error.code, error.metadata.get('x-error-code')]).toEqual([Code.InvalidArgument, 'VALIDATION_ERROR']);
  });

  it('places an order with a client_order_id once: repeated, it has the first answer, though the order has ended since', async () => {
    const symbol = await freshPair();
    const order = { ...limit(symbol, 'buy', 1, 10), clientOrderId: `again:${protocol.length}` };
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => client.placeOrder(order, as(buyer))));
    expect(others).toEqual([first, first, first]);
    expect((await client.getOrderBook({ symbol }, anyone())).bids).toMatchObject([{ size: 1 }]);
    await client.cancelOrder({ orderId: first?.orderId ?? '' }, as(buyer));
    expect(await client.placeOrder(order, as(buyer))).toEqual(first);
    expect((await client.getOrderBook({ symbol }, anyone())).bids).toEqual([]);
  });

  it('keeps a refusal of an order with a client_order_id', async () => {
    const symbol = await freshPair();
    const poor = await createKeyHolder(db);
    const order = { ...limit(symbol, 'buy', 1, 10), clientOrderId: 'poor' };
    const refusals = [
      await errorOf(client.placeOrder(order, as(poor))),
      await errorOf(client.placeOrder(order, as(poor))),
    ];
    for (const error of refusals) expect(error.metadata.get('x-error-code')).toBe('INSUFFICIENT_BALANCE');
  });

  it('refuses another order under a client_order_id and names the order that carries it', async () => {
    const symbol = await freshPair();
    const order = { ...limit(symbol, 'buy', 1, 10), clientOrderId: `once:${protocol.length}` };
    const { orderId } = await client.placeOrder(order, as(buyer));
    const error = await errorOf(client.placeOrder({ ...order, price: 11 }, as(buyer)));
    expect(error.code).toBe(Code.AlreadyExists);
    expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ existing_order_id: orderId });
    await client.cancelOrder({ orderId }, as(buyer));
  });

  it('authenticates every call: none, a wrong secret, a missing scope', async () => {
    const symbol = await freshPair();
    const reader = await createKey(db, buyer, { scopes: ['read'] });
    const wrong = { headers: { ...buyer.headers, 'x-api-secret': 'wrong-secret-of-this-key' } };
    const order = limit(symbol, 'buy', 1, 10);
    for (const [call, code] of [
      [() => client.placeOrder(order, anyone()), Code.Unauthenticated],
      [() => client.placeOrder(order, wrong), Code.Unauthenticated],
      [() => client.placeOrder(order, as(reader)), Code.PermissionDenied],
      [() => client.cancelOrder({ orderId: 'any' }, anyone()), Code.Unauthenticated],
      [() => client.getOrderBook({ symbol }, wrong), Code.Unauthenticated],
      [() => client.streamTrades({ symbol }, wrong)[Symbol.asyncIterator]().next(), Code.Unauthenticated],
    ] as const) {
      expect((await errorOf(call())).code).toBe(code);
    }
  });

  it('counts calls like REST: RESOURCE_EXHAUSTED with the time to wait', async () => {
    const symbol = await freshPair();
    const slow = { ...buyer, ...(await createKey(db, buyer, { rateLimits: { orders: 1 } })) };
    const order = limit(symbol, 'buy', 1, 10);
    const answers = await Promise.allSettled([
      client.placeOrder(order, as(slow)),
      client.placeOrder(order, as(slow)),
      client.placeOrder(order, as(slow)),
    ]);
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as ConnectError] : []));
    expect(refused.map(({ code }) => code)).toContain(Code.ResourceExhausted);
    expect(refused[0]?.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds).toBeGreaterThan(0n);
  });
});

describe('a signed call over Connect with JSON', () => {
  it('is signed as any request is: timestamp, method, path and body', async () => {
    const symbol = await freshPair();
    const body = JSON.stringify({ symbol, side: 'buy', type: 'limit', price: 10, size: 1 });
    const path = '/book/TradingService/PlaceOrder';
    const key = { id: buyer.keyId, secret: buyer.headers['x-api-secret'] ?? '', headers: buyer.headers };
    const headers = { ...(await sign(key, { method: 'POST', path, body })), 'content-type': 'application/json' };
    const call = () => callWorker(`http://localhost${path}`, { method: 'POST', headers, body });
    const answer = await call();
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'open' }]);
    const replayed = await call();
    expect([replayed.status, await replayed.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
  });
});

describe('a call without side effects', () => {
  it('is answered to GET, to pages of any origin', async () => {
    const symbol = await freshPair();
    const message = encodeURIComponent(JSON.stringify({ symbol }));
    const answer = await callWorker(
      `http://localhost/book/TradingService/GetOrderBook?connect=v1&encoding=json&message=${message}`,
      { headers: { ...anyone().headers, origin: 'https://elsewhere.example' } as Record<string, string> },
    );
    expect(await answer.json()).toMatchObject({ symbol });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

it.each(Object.keys(STATUS_OF))(
  'the error code %s has a gRPC status; INTERNAL is that of INTERNAL_ERROR alone',
  (code) => {
    expect(rpcCodeOf(code) === (Code.Internal as number)).toBe(code === 'INTERNAL_ERROR');
  },
);
