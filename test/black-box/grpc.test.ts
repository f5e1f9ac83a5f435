import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceClientConstructor, ServiceError } from '@grpc/grpc-js';
import { type ClientReadableStream, credentials, loadPackageDefinition, Metadata, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { type Message, type TradingClient, tradingClient } from '../../clients/grpc/trading-client.ts';
import { signature } from '../../clients/signing/sign.ts';
import { type GrpcGatewayProcess, startGrpcGateway } from '../../scripts/local/grpc-gateway-process.ts';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const SYMBOL = 'ACME-USD';

let system: LocalSystem;
/** Between the gateway and the exchange. */
let path: CuttableProxy;
let gateway: GrpcGatewayProcess;
let client: TradingClient;

beforeAll(async () => {
  system = await localSystem({ SERVICES: 'grpc' });
  await system.start();
  path = await cuttableProxy(system.port);
  const exchangeUrl = `http://localhost:${path.port}/book`;
  gateway = await startGrpcGateway({ exchangeUrl, port: 0, log: join(system.state, 'grpc-test.log') });
  client = tradingClient(gateway.address, null);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await path?.close();
  await system?.stop('SIGTERM');
});

function as(person: string | null): Metadata {
  const metadata = new Metadata();
  if (person === null) return metadata;
  const { id, secret } = demoKeyOf(person);
  metadata.set('x-api-key', id);
  metadata.set('x-api-secret', secret);
  return metadata;
}

type UnaryName = 'PlaceOrder' | 'CancelOrder' | 'GetOrderBook';

function call(name: UnaryName, request: Message, metadata: Metadata, deadline_ms = 90_000): Promise<Message> {
  return new Promise((resolve, reject) =>
    client[name](request, metadata, { deadline: Date.now() + deadline_ms }, (error, message) =>
      error === null ? resolve(message) : reject(error),
    ),
  );
}

async function errorOf(answer: Promise<unknown>): Promise<ServiceError> {
  try {
    await answer;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call did not fail');
}

const limit = (side: string, size: number, price: number) => ({ symbol: SYMBOL, side, type: 'limit', size, price });

/** What a stream has brought, and how it ended. */
class Received {
  readonly messages: Message[] = [];
  readonly ended: Promise<ServiceError>;
  readonly ready: Promise<unknown>;
  readonly #stream: ClientReadableStream<Message>;

  constructor(stream: ClientReadableStream<Message>) {
    this.#stream = stream;
    stream.on('data', (message) => this.messages.push(message));
    this.ready = new Promise((resolve) => stream.once('metadata', resolve));
    this.ended = new Promise((resolve) => stream.once('error', resolve));
  }

  get sequences(): number[] {
    return this.messages.map(({ sequence }) => sequence as number);
  }

  async until(reached: () => boolean): Promise<void> {
    const deadline = Date.now() + 90_000;
    while (!reached()) {
      if (Date.now() > deadline) throw new Error(`${reached}: not so with ${JSON.stringify(this.messages)}`);
      await wait(10);
    }
  }

  cancel(): void {
    this.#stream.cancel();
  }
}

const followTrades = (request: Message = {}, person: string | null = 'carol') =>
  new Received(client.StreamTrades({ symbol: SYMBOL, ...request }, as(person)));

/** A stream that is open: the place of one that was cancelled is there a moment later. */
async function streamOfFrank(): Promise<Received> {
  for (;;) {
    const stream = followTrades({}, 'frank');
    const refused = await Promise.race([stream.ready.then(() => null), stream.ended]);
    if (refused === null) return stream;
    expect(refused.code).toBe(status.RESOURCE_EXHAUSTED);
    await wait(100);
  }
}

/** An order by REST, straight to the exchange. */
async function restOrder(person: string, order: object): Promise<void> {
  const { id, secret } = demoKeyOf(person);
  const response = await fetch(`${system.origin}/book/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
}

/** Trades between the market maker and two others, who take turns: their keys place 10 orders a second. */
async function trade(times: number): Promise<void> {
  await restOrder('maker', limit('sell', times, 26));
  for (let i = 0; i < times; i++) {
    await restOrder(i % 2 === 0 ? 'alice' : 'bob', limit('buy', 1, 26));
    await wait(120);
  }
}

const gapless = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

describe('TradingService on the gateway', () => {
  test('has no package: a client with the five request and three response fields of the specification places an order', async () => {
    const loaded = loadPackageDefinition(
      loadSync(join(import.meta.dirname, 'spec-trading.proto'), { keepCase: true, longs: Number }),
    );
    const { TradingService } = loaded as unknown as { TradingService: ServiceClientConstructor };
    const bare = new TradingService(gateway.address, credentials.createInsecure()) as unknown as TradingClient;
    const before = Date.now();
    const placed = await new Promise<Message>((resolve, reject) =>
      bare.PlaceOrder(limit('buy', 3, 20.5), as('bob'), {}, (error, message) =>
        error === null ? resolve(message) : reject(error),
      ),
    );
    bare.close();
    expect(placed).toEqual({
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'open',
      timestamp: expect.any(Number),
    });
    expect(placed.timestamp).toBeGreaterThanOrEqual(before);
    await call('CancelOrder', { order_id: placed.order_id }, as('bob'));
  });

  test('PlaceOrder takes the further fields from 6 on and answers the whole order', async () => {
    const expires_at = Date.now() + 60_000;
    const order = { ...limit('buy', 2, 20), time_in_force: 'GTD', expires_at, client_order_id: `c-${expires_at}` };
    const placed = await call('PlaceOrder', order, as('bob'));
    expect(placed).toMatchObject({ ...order, status: 'open' });
    expect(await call('PlaceOrder', order, as('bob'))).toEqual(placed);
    const again = await errorOf(call('PlaceOrder', { ...order, price: 19 }, as('bob')));
    expect([again.code, again.metadata.get('x-error-code')]).toEqual([status.ALREADY_EXISTS, ['CONFLICT']]);
    expect(await call('CancelOrder', { order_id: placed.order_id, symbol: SYMBOL }, as('bob'))).toMatchObject({
      order_id: placed.order_id,
      status: 'cancelled',
      size: 2,
    });
  });

  test('GetOrderBook answers symbol, bids and asks best first, sequence and timestamp, to anyone', async () => {
    const placed = await Promise.all([
      call('PlaceOrder', limit('buy', 2, 21), as('bob')),
      call('PlaceOrder', limit('buy', 1, 21.5), as('bob')),
      call('PlaceOrder', limit('sell', 4, 27.5), as('maker')),
      call('PlaceOrder', limit('sell', 3, 27), as('maker')),
    ]);
    const book = await call('GetOrderBook', { symbol: SYMBOL, depth: 2 }, as(null));
    expect(book).toEqual({
      symbol: SYMBOL,
      bids: [
        { price: 21.5, size: 1 },
        { price: 21, size: 2 },
      ],
      asks: [
        { price: 27, size: 3 },
        { price: 27.5, size: 4 },
      ],
      sequence: expect.any(Number),
      timestamp: expect.any(Number),
    });
    const rest = await fetch(`${system.origin}/book/v1/orderbook/${SYMBOL}?depth=2`);
    expect(await rest.json()).toMatchObject({ sequence: book.sequence });
    expect(Math.abs((book.timestamp as number) - Date.now())).toBeLessThan(60_000);
    const [bid1, bid2, ...asks] = placed.map(({ order_id }) => order_id);
    for (const order_id of [bid1, bid2]) await call('CancelOrder', { order_id }, as('bob'));
    const after = await call('GetOrderBook', { symbol: SYMBOL, depth: 2 }, as(null));
    expect(after.sequence).toBeGreaterThan(book.sequence as number);
    for (const order_id of asks) await call('CancelOrder', { order_id }, as('maker'));
  });

  test('StreamTrades sends symbol, price, size, side of the taker and timestamp of each trade', async () => {
    const trades = followTrades();
    await trades.ready;
    await trade(1);
    await trades.until(() => trades.messages.length === 1);
    expect(trades.messages[0]).toMatchObject({ symbol: SYMBOL, price: 26, size: 1, side: 'buy' });
    expect(trades.messages[0]?.timestamp).toBeGreaterThan(Date.now() - 60_000);
    trades.cancel();
  });

  test('StreamOrderBook sends a snapshot, then changes that keep a local book equal to GetOrderBook', async () => {
    const updates = new Received(client.StreamOrderBook({ symbol: SYMBOL, depth: 1_000 }, as('carol')));
    await updates.ready;
    const placed: Message[] = [];
    for (const price of [15, 16, 17, 16]) placed.push(await call('PlaceOrder', limit('buy', 1, price), as('bob')));
    await call('CancelOrder', { order_id: placed[0]?.order_id }, as('bob'));
    const book = await call('GetOrderBook', { symbol: SYMBOL, depth: 1_000 }, as(null));
    await updates.until(() => updates.sequences.at(-1) === book.sequence);
    const bids = new Map<number, number>();
    for (const [i, { bids: levels, prev_sequence, snapshot }] of updates.messages.entries()) {
      expect(snapshot).toBe(i === 0 ? true : undefined);
      if (i > 0) expect(prev_sequence).toBe(updates.sequences[i - 1]);
      for (const { price, size = 0 } of (levels ?? []) as { price: number; size?: number }[]) {
        if (size === 0) bids.delete(price);
        else bids.set(price, size);
      }
    }
    expect([...bids].sort(([a], [b]) => b - a)).toEqual(
      (book.bids as { price: number; size: number }[]).map(({ price, size }) => [price, size]),
    );
    updates.cancel();
    for (const { order_id } of placed.slice(1)) await call('CancelOrder', { order_id }, as('bob'));
  });
});

describe('the gateway and the Worker', () => {
  const market = { symbol: SYMBOL, side: 'buy', type: 'market', size: 1 };
  test.each<[UnaryName, Message]>([
    ['GetOrderBook', {}],
    ['GetOrderBook', { symbol: '.' }],
    ['GetOrderBook', { symbol: SYMBOL, depth: 0 }],
    ['GetOrderBook', { symbol: 'NONE-USD' }],
    ['CancelOrder', {}],
    ['CancelOrder', { order_id: '..' }],
    ['CancelOrder', { order_id: 'none', symbol: SYMBOL }],
    ['PlaceOrder', {}],
    ['PlaceOrder', { ...market, price: Number.NaN }],
    ['PlaceOrder', { ...market, price: -1 }],
    ['PlaceOrder', { ...market, size: Number.POSITIVE_INFINITY }],
    ['PlaceOrder', { ...market, size: -1 }],
    ['PlaceOrder', { ...limit('buy', 1, Number.NaN) }],
  ])('refuse %s of %o with one code', async (name, request) => {
    const { id, secret } = demoKeyOf('carol');
    const error = await errorOf(call(name, request, as('carol')));
    const response = await fetch(`${system.origin}/book/TradingService/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
      // Protobuf's JSON has texts for numbers that JSON has not.
      body: JSON.stringify(request, (_, value) =>
        Number.isFinite(value) || typeof value !== 'number' ? value : String(value),
      ),
    });
    expect([response.ok, response.headers.get('x-error-code')]).toEqual([false, error.metadata.get('x-error-code')[0]]);
  });
});

describe('a connection authenticates in its metadata', () => {
  test('by key and secret; without, or with a wrong secret, it is UNAUTHENTICATED', async () => {
    const wrong = as('bob');
    wrong.set('x-api-secret', 'wrong-secret-of-this-key');
    for (const metadata of [as(null), wrong]) {
      const error = await errorOf(call('PlaceOrder', limit('buy', 1, 20), metadata));
      expect([error.code, error.metadata.get('x-error-code')]).toEqual([status.UNAUTHENTICATED, ['UNAUTHORIZED']]);
    }
    const streams = [
      new Received(client.StreamTrades({ symbol: SYMBOL }, wrong)),
      new Received(client.StreamOrderBook({ symbol: SYMBOL }, wrong)),
    ];
    for (const stream of streams) expect((await stream.ended).code).toBe(status.UNAUTHENTICATED);
  });

  test('by a signature over the REST call that the gateway makes, which is good for one call', async () => {
    const { id, secret } = demoKeyOf('bob');
    const signed = (method: string, target: string, body = '') => {
      const timestamp = Date.now();
      const metadata = new Metadata();
      metadata.set('x-api-key', id);
      metadata.set('x-api-timestamp', String(timestamp));
      metadata.set('x-api-signature', signature(secret, timestamp, method, target, body));
      return metadata;
    };
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', price: 19.5, size: 1 };
    const metadata = signed('POST', '/book/v1/orders', JSON.stringify(order));
    const { order_id } = await call('PlaceOrder', order, metadata);
    expect((await errorOf(call('PlaceOrder', order, metadata))).code).toBe(status.UNAUTHENTICATED);
    const other = { ...order, size: 2 };
    expect(
      (await errorOf(call('PlaceOrder', other, signed('POST', '/book/v1/orders', JSON.stringify(order))))).code,
    ).toBe(status.UNAUTHENTICATED);
    const cancelled = await call('CancelOrder', { order_id }, signed('DELETE', `/book/v1/orders/${order_id}`));
    expect(cancelled.status).toBe('cancelled');
    const trades = new Received(client.StreamTrades({ symbol: SYMBOL }, signed('GET', `/book/v1/ws?symbol=${SYMBOL}`)));
    await trades.ready;
    trades.cancel();
  });

  test('by an access token of the identity provider', async () => {
    const response = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'demo-service',
        client_secret: 'demo-service-secret-local-only',
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${access_token}`);
    expect(await call('GetOrderBook', { symbol: SYMBOL }, metadata)).toMatchObject({ symbol: SYMBOL });
    metadata.set('authorization', `Bearer ${access_token}x`);
    expect((await errorOf(call('GetOrderBook', { symbol: SYMBOL }, metadata))).code).toBe(status.UNAUTHENTICATED);
  });

  test('a user has five streams at a time, and gets their places back by cancelling', async () => {
    for (let round = 0; round < 3; round++) {
      const streams = await Promise.all(Array.from({ length: 5 }, streamOfFrank));
      expect((await followTrades({}, 'frank').ended).code).toBe(status.RESOURCE_EXHAUSTED);
      for (const stream of streams) stream.cancel();
    }
  });
});

describe('a call that fails', () => {
  test('has the status of its error, and the code and details of the error beside it', async () => {
    const [unknown, tooLarge, poor] = await Promise.all([
      errorOf(call('CancelOrder', { order_id: 'none' }, as('alice'))),
      errorOf(call('PlaceOrder', { ...limit('buy', 1, 20), client_order_id: 'x'.repeat(70_000) }, as('alice'))),
      errorOf(call('PlaceOrder', limit('sell', 900_000, 30), as('alice'))),
    ]);
    expect(unknown.code).toBe(status.NOT_FOUND);
    expect(tooLarge.code).toBe(status.RESOURCE_EXHAUSTED);
    expect([poor.code, poor.metadata.get('x-error-code')]).toEqual([
      status.FAILED_PRECONDITION,
      ['INSUFFICIENT_BALANCE'],
    ]);
    expect(poor.metadata.get('grpc-status-details-bin')).toHaveLength(1);
    expect((await followTrades({ symbol: 'NONE-USD' }).ended).code).toBe(status.INVALID_ARGUMENT);
  });

  test('ends at its deadline', async () => {
    const error = await errorOf(call('PlaceOrder', limit('buy', 1, 20), as('alice'), 1));
    expect(error.code).toBe(status.DEADLINE_EXCEEDED);
  });
});

describe('no trade is lost or repeated', () => {
  test('when the connections to the exchange are reset in the middle: the stream goes on by itself', async () => {
    const trades = followTrades();
    await trades.ready;
    const trading = trade(16);
    await trades.until(() => trades.messages.length >= 3);
    expect(path.cut()).toBeGreaterThan(0);
    await trades.until(() => trades.messages.length >= 8);
    path.cut();
    await trading;
    await trades.until(() => trades.messages.length >= 16);
    expect(trades.sequences).toEqual(gapless(trades.sequences[0] ?? 0, 16));
    trades.cancel();
  });

  test('when the gateway is killed in the middle: it comes back, and the stream is resumed after the last sequence', async () => {
    const first = followTrades();
    await first.ready;
    await trade(4);
    await first.until(() => first.messages.length === 4);
    const killed = gateway.pid();
    process.kill(killed ?? 0, 'SIGKILL');
    expect((await first.ended).code).toBe(status.UNAVAILABLE);
    await trade(4);
    await first.until(() => gateway.pid() !== null && gateway.pid() !== killed);
    await new Promise((resolve, reject) =>
      client.waitForReady(Date.now() + 90_000, (error) => (error === undefined ? resolve(null) : reject(error))),
    );
    const second = followTrades({ resume_from: first.sequences.at(-1) });
    await second.ready;
    await trade(4);
    await second.until(() => second.messages.length >= 8);
    expect([...first.sequences, ...second.sequences]).toEqual(gapless(first.sequences[0] ?? 0, 12));
    second.cancel();
  });
});

describe('SIGTERM', () => {
  test('drains the gateway: streams end as UNAVAILABLE and the health service says so before', async () => {
    const { grpc } = loadPackageDefinition(loadSync((await import('grpc-health-check')).protoPath)) as unknown as {
      grpc: { health: { v1: { Health: ServiceClientConstructor } } };
    };
    const health = new grpc.health.v1.Health(gateway.address, credentials.createInsecure());
    const states: unknown[] = [];
    const watch = health.Watch!({ service: 'TradingService' }) as ClientReadableStream<{ status: string }>;
    watch.on('data', ({ status: state }) => states.push(state));
    watch.on('error', () => undefined);
    const trades = followTrades();
    await trades.ready;
    await trades.until(() => states.length === 1);
    await gateway.stop();
    expect(await trades.ended).toMatchObject({ code: status.UNAVAILABLE, details: expect.stringContaining('resume') });
    expect(states.map(String)).toEqual(['1', '2']);
    health.close();
  });
});
