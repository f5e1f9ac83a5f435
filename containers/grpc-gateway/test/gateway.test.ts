import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  ChannelCredentials,
  type Client,
  credentials,
  Metadata,
  makeClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ErrorInfoSchema, RetryInfoSchema, StatusSchema } from '../../../protocol/rpc/error_details_pb.ts';
import {
  CancelRequestSchema,
  OrderBookRequestSchema,
  type OrderBookUpdate,
  OrderRequestSchema,
  StreamRequestSchema,
  type Trade,
} from '../../../protocol/rpc/trading_pb.ts';
import type { Settings } from '../settings.ts';
import { type Gateway, startGateway } from '../start-gateway.ts';
import { TRADING_SERVICE } from '../trading-service-definition.ts';
import { type StandInExchange, standInExchange } from './stand-in-exchange.ts';

const SYMBOL = 'ACME-USD';
const ORDER = create(OrderRequestSchema, { symbol: SYMBOL, side: 'buy', type: 'limit', price: 10, size: 1 });

let exchange: StandInExchange;
let gateway: Gateway;
let client: Client;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

async function start(terms: Partial<Settings> = {}, channel: ChannelCredentials = credentials.createInsecure()) {
  const settings = {
    exchangeUrl: exchange.url,
    host: '127.0.0.1',
    port: 0,
    tls: null,
    proxies: [],
    gatewaySecret: null,
    drain_ms: 200,
  };
  gateway = await startGateway({ ...settings, ...terms });
  const Trading = makeClientConstructor(TRADING_SERVICE, 'TradingService');
  client = new Trading(`localhost:${gateway.port}`, channel);
}

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  answer = (_, response) => response.end('{}');
  exchange = await standInExchange((request, response) => answer(request, response));
});

afterEach(async () => {
  client.close();
  await gateway.drain();
  await exchange.close();
  vi.restoreAllMocks();
});

function unary<I, O>(
  {
    path,
    requestSerialize,
    responseDeserialize,
  }: (typeof TRADING_SERVICE)['PlaceOrder' | 'CancelOrder' | 'GetOrderBook'],
  request: I,
  deadline_ms = 60_000,
  metadata = new Metadata(),
): Promise<O> {
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      path,
      requestSerialize as (message: I) => Buffer,
      responseDeserialize as unknown as (bytes: Buffer) => O,
      request,
      metadata,
      { deadline: Date.now() + deadline_ms },
      (error, message) => (error === null ? resolve(message as O) : reject(error)),
    ),
  );
}

async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call did not fail');
}

function answerError(code: string, details: object, httpStatus: number): void {
  answer = (_, response) =>
    response.writeHead(httpStatus).end(JSON.stringify({ error: { code, message: 'no', details } }));
}

function followTrades(resumeFrom?: bigint) {
  const { path, requestSerialize, responseDeserialize } = TRADING_SERVICE.StreamTrades;
  const request = create(StreamRequestSchema, { symbol: SYMBOL, ...(resumeFrom === undefined ? {} : { resumeFrom }) });
  const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
  const received: Trade[] = [];
  const ended = new Promise<ServiceError>((resolve) => stream.once('error', resolve));
  stream.on('data', (trade: Trade) => received.push(trade));
  return { stream, received, ended };
}

function trade(sequence: number, prev_sequence = sequence - 1): string {
  const terms = { trade_id: 'id', price: 1, size: 1, side: 'buy', timestamp: 1 };
  return JSON.stringify({ type: 'trade', channel: 'trades', symbol: SYMBOL, sequence, prev_sequence, ...terms });
}

const subscribed = (sequence: number) =>
  JSON.stringify({ type: 'subscribed', channel: 'trades', symbol: SYMBOL, sequence });

describe('what the exchange is told', () => {
  test('the credentials, the request id, and under the secret the address of the client', async () => {
    await start({ gatewaySecret: 'a-secret-of-the-gateway' });
    const metadata = new Metadata();
    metadata.set('x-api-key', 'key');
    metadata.set('x-api-secret', 'secret');
    metadata.set('x-request-id', 'request-1');
    metadata.set('idempotency-key', 'once');
    metadata.set('cf-connecting-ip', '192.0.2.1');
    metadata.set('x-gateway-client-address', '192.0.2.1');
    answer = (_, response) => response.writeHead(400).end();
    await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER, 5_000, metadata));
    const { headers, url, method } = exchange.requests[0]!;
    expect([method, url]).toEqual(['POST', '/book/v1/orders']);
    expect(headers).toMatchObject({
      'x-api-key': 'key',
      'x-api-secret': 'secret',
      'x-request-id': 'request-1',
      'idempotency-key': 'once',
      'x-gateway-secret': 'a-secret-of-the-gateway',
      'x-gateway-client-address': '127.0.0.1',
    });
    expect(headers['cf-connecting-ip']).toBeUndefined();
  });

  test('of an order with a client_order_id an idempotency-key that follows from what it asks for', async () => {
    await start();
    const keyOf = async (terms: object) => {
      await unary(TRADING_SERVICE.PlaceOrder, create(OrderRequestSchema, { ...ORDER, ...terms })).catch(
        () => undefined,
      );
      return exchange.requests.at(-1)?.headers['idempotency-key'];
    };
    answer = (_, response) => response.writeHead(503).end();
    expect(await keyOf({})).toBeUndefined();
    const key = await keyOf({ clientOrderId: 'a' });
    expect(key).toMatch(/^[\x21-\x7e]{1,128}$/);
    expect(await keyOf({ clientOrderId: 'a' })).toBe(key);
    expect(await keyOf({ clientOrderId: 'b' })).not.toBe(key);
    expect(await keyOf({ clientOrderId: 'a', price: 11 })).not.toBe(key);

    const named = create(OrderRequestSchema, { ...ORDER, clientOrderId: 'a' });
    answerError('CONFLICT', {}, 409);
    expect((await errorOf(unary(TRADING_SERVICE.PlaceOrder, named))).code).toBe(status.UNAVAILABLE);
    answerError('CONFLICT', { existing_order_id: 'x' }, 409);
    expect((await errorOf(unary(TRADING_SERVICE.PlaceOrder, named))).code).toBe(status.ALREADY_EXISTS);
  });

  test('a log line names the key and the code, and carries no secret', async () => {
    await start({ gatewaySecret: 'a-secret-of-the-gateway' });
    const metadata = new Metadata();
    metadata.set('x-api-key', 'key-id');
    metadata.set('x-api-secret', 'secret-of-the-key');
    answerError('FORBIDDEN', {}, 403);
    await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER, 5_000, metadata));
    const lines = vi.mocked(process.stdout.write).mock.calls.map(([line]) => String(line));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ method: 'PlaceOrder', code: 'FORBIDDEN', key: 'key-id' });
    expect(lines.join()).not.toContain('secret-of-the-key');
    expect(lines.join()).not.toContain('a-secret-of-the-gateway');
  });

  test('nothing of what cannot be a path or a number: the answers are those of the Worker', async () => {
    await start();
    const cases: [Promise<unknown>, status, string][] = [
      ...['', '.', '..'].flatMap((name): [Promise<unknown>, status, string][] => [
        [
          unary(TRADING_SERVICE.GetOrderBook, create(OrderBookRequestSchema, { symbol: name })),
          status.INVALID_ARGUMENT,
          'INVALID_SYMBOL',
        ],
        [
          unary(TRADING_SERVICE.CancelOrder, create(CancelRequestSchema, { orderId: name })),
          status.NOT_FOUND,
          'ORDER_NOT_FOUND',
        ],
      ]),
      ...[{ price: Number.NaN }, { size: -1 }, { stopPrice: Number.POSITIVE_INFINITY }].map(
        (terms): [Promise<unknown>, status, string] => [
          unary(TRADING_SERVICE.PlaceOrder, create(OrderRequestSchema, { ...ORDER, type: 'market', ...terms })),
          status.INVALID_ARGUMENT,
          'VALIDATION_ERROR',
        ],
      ),
    ];
    for (const [call, code, errorCode] of cases) {
      const error = await errorOf(call);
      expect([error.code, error.metadata.get('x-error-code')]).toEqual([code, [errorCode]]);
    }
    expect(exchange.requests).toEqual([]);
  });

  test('nothing of a request with a field that this side does not know', async () => {
    await start();
    const order = create(OrderRequestSchema, { ...ORDER });
    order.$unknown = [{ no: 99, wireType: 0, data: new Uint8Array([1]) }];
    const error = await errorOf(unary(TRADING_SERVICE.PlaceOrder, order));
    expect([error.code, error.details]).toEqual([status.INVALID_ARGUMENT, 'this interface has no field 99']);
    expect(exchange.requests).toEqual([]);
  });

  test('that a call has ended: at its deadline the request to the exchange is dropped', async () => {
    await start();
    let dropped = 0;
    answer = (request) => request.once('close', () => (dropped += 1));
    // A deadline that a busy machine passes before the exchange has the call shows nothing: the next one is longer.
    for (let deadline_ms = 300; exchange.requests.length === 0; deadline_ms *= 3)
      expect((await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER, deadline_ms))).code).toBe(
        status.DEADLINE_EXCEEDED,
      );
    await vi.waitUntil(() => dropped === 1);
  });
});

describe('an error of the exchange', () => {
  test.each([
    ['INSUFFICIENT_BALANCE', 400, status.FAILED_PRECONDITION],
    ['INVALID_SYMBOL', 400, status.INVALID_ARGUMENT],
    ['ORDER_NOT_FOUND', 404, status.NOT_FOUND],
    ['UNAUTHORIZED', 401, status.UNAUTHENTICATED],
    ['FORBIDDEN', 403, status.PERMISSION_DENIED],
    ['CONFLICT', 409, status.ALREADY_EXISTS],
    ['INTERNAL_ERROR', 500, status.INTERNAL],
    ['SERVICE_UNAVAILABLE', 503, status.UNAVAILABLE],
  ])('%s has ErrorInfo with its code and details', async (code, httpStatus, expected) => {
    await start();
    answerError(code, { asset: 'USD', required: 5 }, httpStatus);
    const error = await errorOf(unary(TRADING_SERVICE.CancelOrder, create(CancelRequestSchema, { orderId: 'a/b' })));
    expect(exchange.requests[0]?.url).toBe('/book/v1/orders/a%2Fb');
    expect([error.code, error.metadata.get('x-error-code')]).toEqual([expected, [code]]);
    const details = fromBinary(StatusSchema, error.metadata.get('grpc-status-details-bin')[0] as Buffer);
    expect(details).toMatchObject({ code: expected, message: 'no' });
    expect(anyUnpack(details.details[0]!, ErrorInfoSchema)).toMatchObject({
      reason: code,
      metadata: { asset: 'USD', required: '5' },
    });
  });

  test('RATE_LIMIT_EXCEEDED has RetryInfo, and the limit stands in the trailers', async () => {
    await start();
    answer = (_, response) =>
      response
        .writeHead(429, { 'x-ratelimit-limit': '10', 'retry-after': '2' })
        .end('{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"no","details":{"retry_after":2}}}');
    const error = await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER));
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(error.metadata.get('x-ratelimit-limit')).toEqual(['10']);
    const details = fromBinary(StatusSchema, error.metadata.get('grpc-status-details-bin')[0] as Buffer);
    expect(anyUnpack(details.details[1]!, RetryInfoSchema)?.retryDelay?.seconds).toBe(2n);
  });

  test('no answer is UNAVAILABLE, and says how to learn the outcome of an order', async () => {
    await start();
    answer = (request) => request.socket.destroy();
    const error = await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER));
    expect(error).toMatchObject({ code: status.UNAVAILABLE, details: expect.stringContaining('client_order_id') });
  });

  test('that refuses a feed ends the stream with its status, and leaves no connection behind', async () => {
    await start();
    exchange.refuseFeeds('{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"too many","details":{}}}');
    expect((await followTrades().ended).code).toBe(status.RESOURCE_EXHAUSTED);
    await vi.waitUntil(() => exchange.refused[0]?.readableEnded);
  });

  test('out of reach ends a stream as UNAVAILABLE', async () => {
    await start();
    await exchange.close();
    exchange = await standInExchange(() => undefined);
    expect((await followTrades().ended).code).toBe(status.UNAVAILABLE);
  });
});

describe('a stream of trades', () => {
  test('closes its gaps: another socket resumes after the last trade, and each trade comes once', async () => {
    await start();
    const { stream, received } = followTrades();
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    const first = exchange.subscriptions[0]!;
    expect(first.message).toEqual({ type: 'subscribe', channel: 'trades', symbol: SYMBOL });
    for (const text of [subscribed(7), trade(8), trade(10)]) first.socket.send(text);
    await vi.waitUntil(() => exchange.subscriptions.length === 2);
    const second = exchange.subscriptions[1]!;
    expect(second.message).toMatchObject({ resume_from: 8 });
    for (const text of [trade(8), trade(9), trade(10), subscribed(10)]) second.socket.send(text);
    await vi.waitUntil(() => received.length === 3);
    second.socket.terminate();
    await vi.waitUntil(() => exchange.subscriptions.length === 3);
    expect(exchange.subscriptions[2]?.message).toMatchObject({ resume_from: 10 });
    exchange.subscriptions[2]?.socket.send(
      JSON.stringify({ type: 'heartbeat', channel: 'trades', symbol: SYMBOL, sequence: 12, timestamp: 1 }),
    );
    await vi.waitUntil(() => exchange.subscriptions.length === 4);
    for (const text of [trade(11), trade(12)]) exchange.subscriptions[3]?.socket.send(text);
    await vi.waitUntil(() => received.length === 5);
    expect(received.map(({ sequence }) => Number(sequence))).toEqual([8, 9, 10, 11, 12]);
    stream.on('error', () => undefined).cancel();
  });

  test('that cannot be resumed ends as OUT_OF_RANGE, one read too slowly as RESOURCE_EXHAUSTED', async () => {
    await start();
    const old = followTrades(3n);
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    expect(exchange.subscriptions[0]?.message).toMatchObject({ resume_from: 3 });
    exchange.subscriptions[0]?.socket.send(
      JSON.stringify({ type: 'reset', channel: 'trades', symbol: SYMBOL, sequence: 9 }),
    );
    expect((await old.ended).code).toBe(status.OUT_OF_RANGE);
    const slow = followTrades();
    await vi.waitUntil(() => exchange.subscriptions.length === 2);
    exchange.subscriptions[1]?.socket.close(1013, 'too slow');
    expect((await slow.ended).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('ends at once when its pair ends for the caller, and is not tried again', async () => {
    await start();
    const { ended } = followTrades();
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    const { socket } = exchange.subscriptions[0]!;
    socket.send(subscribed(7));
    const about = { channel: 'trades', symbol: SYMBOL };
    const message = `trading pair unsupported: ${SYMBOL}`;
    socket.send(JSON.stringify({ type: 'error', code: 'INVALID_SYMBOL', message, ...about }));
    socket.send(JSON.stringify({ type: 'unsubscribed', ...about }));
    expect(await ended).toMatchObject({ code: status.INVALID_ARGUMENT, details: message });
    expect(exchange.subscriptions).toHaveLength(1);
  });

  test('gives up after some sockets: UNAVAILABLE', async () => {
    await start();
    const { ended } = followTrades();
    const refuse = setInterval(() => exchange.subscriptions.at(-1)?.socket.terminate(), 10);
    expect((await ended).code).toBe(status.UNAVAILABLE);
    clearInterval(refuse);
    expect(exchange.subscriptions.length).toBeLessThan(10);
  });

  test('closes its socket when the client cancels', async () => {
    await start();
    const { stream } = followTrades();
    stream.on('error', () => undefined);
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    const closed = new Promise((resolve) => exchange.subscriptions[0]?.socket.once('close', resolve));
    stream.cancel();
    await closed;
  });

  test('is not read ahead without bound: a client that does not read stops the feed', async () => {
    await start();
    const { stream, received } = followTrades();
    stream.on('error', () => undefined);
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    const { socket } = exchange.subscriptions[0]!;
    socket.send(subscribed(0));
    socket.send(trade(1));
    await vi.waitUntil(() => received.length === 1);
    stream.pause();
    for (let sequence = 2; sequence <= 150_000; sequence++) socket.send(trade(sequence));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // What is neither read nor in the buffers of TCP still waits at the exchange, which closes such a reader.
    expect(socket.bufferedAmount).toBeGreaterThan(1_000_000);
    stream.cancel();
  });
});

describe('a stream of a book', () => {
  test('heals a gap by a fresh snapshot', async () => {
    await start();
    const { path, requestSerialize, responseDeserialize } = TRADING_SERVICE.StreamOrderBook;
    const request = create(OrderBookRequestSchema, { symbol: SYMBOL, depth: 5 });
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
    const received: OrderBookUpdate[] = [];
    stream.on('error', () => undefined).on('data', (update: OrderBookUpdate) => received.push(update));
    const message = (type: string, sequence: number, prev_sequence?: number) =>
      JSON.stringify({
        type,
        channel: 'orderbook',
        symbol: SYMBOL,
        sequence,
        prev_sequence,
        bids: [[1, 2]],
        asks: [],
        checksum: 1,
        timestamp: 1,
      });
    await vi.waitUntil(() => exchange.subscriptions.length === 1);
    expect(exchange.subscriptions[0]?.message).toMatchObject({ channel: 'orderbook', depth: 5 });
    for (const text of [
      message('orderbook_snapshot', 4),
      message('orderbook_update', 6, 4),
      message('orderbook_update', 9, 8),
    ])
      exchange.subscriptions[0]?.socket.send(text);
    await vi.waitUntil(() => exchange.subscriptions.length === 2);
    exchange.subscriptions[1]?.socket.send(message('orderbook_snapshot', 9));
    await vi.waitUntil(() => received.length === 3);
    expect(received.map(({ snapshot, sequence }) => [snapshot, Number(sequence)])).toEqual([
      [true, 4],
      [false, 6],
      [true, 9],
    ]);
    stream.cancel();
  });
});

describe('the server', () => {
  test('speaks TLS when given a certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grpc-tls-'));
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-keyout',
        keyFile,
        '-out',
        certificateFile,
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    const [key, certificate] = [readFileSync(keyFile), readFileSync(certificateFile)];
    await start({ tls: { key, certificate } }, ChannelCredentials.createSsl(certificate));
    answerError('FORBIDDEN', {}, 403);
    expect((await errorOf(unary(TRADING_SERVICE.PlaceOrder, ORDER))).code).toBe(status.PERMISSION_DENIED);
  });

  test('lets a call finish that is under way when it drains, and takes no other', async () => {
    await start({ drain_ms: 60_000 });
    let finish = () => {};
    answer = (_, response) => {
      finish = () => response.end('{"symbol":"ACME-USD","bids":[],"asks":[],"sequence":1,"timestamp":1}');
    };
    const request = create(OrderBookRequestSchema, { symbol: SYMBOL });
    const underWay = unary<typeof request, { symbol: string }>(TRADING_SERVICE.GetOrderBook, request);
    await vi.waitUntil(() => exchange.requests.length === 1);
    const drained = gateway.drain();
    finish();
    expect(await underWay).toMatchObject({ symbol: SYMBOL });
    await drained;
    expect((await errorOf(unary(TRADING_SERVICE.GetOrderBook, request, 500))).code).not.toBe(status.OK);
    expect(exchange.requests).toHaveLength(1);
  });

  test('takes a request of 64 KiB at most', async () => {
    await start();
    const large = create(OrderRequestSchema, { ...ORDER, clientOrderId: 'x'.repeat(65_536) });
    expect((await errorOf(unary(TRADING_SERVICE.PlaceOrder, large))).code).toBe(status.RESOURCE_EXHAUSTED);
    expect(exchange.requests).toEqual([]);
  });
});
