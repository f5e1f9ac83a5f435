import { once } from 'node:events';
import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { connectStdio } from '../../clients/agent/connect-stdio.ts';
import { FixClient } from '../../clients/fix/fix-client.ts';
import { tradingClient } from '../../clients/grpc/trading-client.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const SYMBOL = 'ACME-USD';
const SELLER = demoKeyOf('alice');
const BUYER = demoKeyOf('carol');

let system: LocalSystem;
let grpcAddress: string;
let fixPort: number;

beforeAll(async () => {
  system = await localSystem({ SERVICES: 'grpc,fix' });
  const output = await system.start();
  grpcAddress = /gRPC +(localhost:\d+)/.exec(output)?.[1] ?? '';
  fixPort = Number(/FIX 4\.4 +localhost:(\d+)/.exec(output)?.[1]);
});

afterAll(() => system.stop('SIGTERM'));

const keyHeaders = (key: typeof SELLER) => ({ 'x-api-key': key.id, 'x-api-secret': key.secret });

function overRest(key: typeof SELLER, side: string, price: number, size: number): Promise<Response> {
  return fetch(`${system.origin}/book/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(key) },
    body: JSON.stringify({ symbol: SYMBOL, side, type: 'limit', price, size, time_in_force: 'GTC' }),
  });
}

async function overGrpc(key: typeof SELLER, side: string, price: number, size: number): Promise<void> {
  const client = tradingClient(grpcAddress, null);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(keyHeaders(key))) metadata.set(name, value);
  await new Promise<void>((resolve, reject) => {
    client.PlaceOrder({ symbol: SYMBOL, side, type: 'limit', price, size }, metadata, {}, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  client.close();
}

async function overAgent(key: typeof SELLER, side: string, price: number, size: number): Promise<void> {
  const client = await connectStdio({
    EXCHANGE_API_URL: `${system.origin}/book`,
    EXCHANGE_API_KEY: key.id,
    EXCHANGE_API_SECRET: key.secret,
  });
  const order = { symbol: SYMBOL, side, type: 'limit', quantity: size, price };
  const placed = await client.callTool({ name: 'place_order', arguments: order });
  await client.close();
  expect(placed.isError, JSON.stringify(placed.content)).not.toBe(true);
}

async function overFix(key: typeof SELLER, side: string, price: number, size: number): Promise<void> {
  const client = new FixClient({
    host: '127.0.0.1',
    port: fixPort,
    senderCompId: `DOORS-${key.id}`,
    targetCompId: 'EXCHANGE',
    username: key.id,
    password: key.secret,
    logon: [[141, 'Y']],
  });
  await client.next(({ type }) => type === 'A');
  client.send('D', [
    [11, `doors-${Date.now()}`],
    [55, SYMBOL],
    [54, side === 'buy' ? 1 : 2],
    [60, new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, -1)],
    [38, size],
    [40, 2],
    [44, price],
    [59, 1],
  ]);
  const report = await client.next(({ type }) => type === '8');
  expect(report.get(39)).not.toBe('8');
  await client.logout();
}

/** Size of trades before every door is watched. */
const UNWATCHED = 1;

/** Sizes of the trades that a door has told of so far. */
interface Watch {
  readonly sizes: number[];
  stop(): void;
}

async function watchSocket(): Promise<Watch> {
  const socket = new WebSocket(`${system.origin.replace('http', 'ws')}/book/v1/ws`);
  const sizes: number[] = [];
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', channel: 'trades', symbol: SYMBOL }));
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; size: number };
      if (message.type === 'subscribed') resolve();
      if (message.type === 'trade') sizes.push(message.size);
    });
  });
  return { sizes, stop: () => socket.close() };
}

async function watchEvents(): Promise<Watch> {
  const ended = new AbortController();
  const url = `${system.origin}/book/v1/stream?channel=trades&symbol=${SYMBOL}`;
  const response = await fetch(url, { signal: ended.signal });
  const sizes: number[] = [];
  void (async () => {
    let text = '';
    for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += part;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const size = /"type":"trade".*"size":(\d+)/.exec(event)?.[1];
        if (size !== undefined) sizes.push(Number(size));
      }
    }
  })().catch(() => undefined);
  return { sizes, stop: () => ended.abort() };
}

function watchGrpc(): Watch {
  const client = tradingClient(grpcAddress, null);
  const sizes: number[] = [];
  const stream = client.StreamTrades({ symbol: SYMBOL }, new Metadata());
  stream.on('data', ({ size }: { size: number }) => sizes.push(size));
  stream.on('error', () => undefined);
  return {
    sizes,
    stop() {
      stream.cancel();
      client.close();
    },
  };
}

test('an order placed by any door shows up in the feeds of all the others', async () => {
  const watches = { socket: await watchSocket(), events: await watchEvents(), grpc: watchGrpc() };
  // The gRPC stream says nothing until the first trade; a trade before its subscription is missed, and another one made.
  while (watches.grpc.sizes.length === 0) {
    expect((await overRest(SELLER, 'sell', 31.5, UNWATCHED)).status).toBe(200);
    expect((await overRest(BUYER, 'buy', 31.5, UNWATCHED)).status).toBe(200);
    await expect.poll(() => watches.socket.sizes).toContain(UNWATCHED);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const doors = [overRest, overGrpc, overAgent, overFix];
  const price = 31.5;
  const placed: number[] = [];
  for (const [index, door] of doors.entries()) {
    const size = index + 2;
    const offered = await overRest(SELLER, 'sell', price, size);
    expect(offered.status, await offered.clone().text()).toBe(200);
    await door(BUYER, 'buy', price, size);
    placed.push(size);
  }
  for (const [name, { sizes }] of Object.entries(watches))
    await expect.poll(() => sizes.filter((size) => size !== UNWATCHED), { message: name }).toEqual(placed);
  for (const watch of Object.values(watches)) watch.stop();
  const audit = await system.run('audit');
  expect(audit.code, audit.output).toBe(0);
});
