/**
 * `npm run bench:grpc`: PlaceOrder and StreamTrades through the gateway against a grpc-js server that only echoes, in the same run. The
 * exchange runs straight in workerd; gateway and echo server are processes of their own, the clients are this one. Each order is
 * authenticated, counted, checked, admitted, matched and journaled before it is answered; each trade comes from such orders.
 */

import { create } from '@bufbuild/protobuf';
import { type Client, credentials, Metadata, makeClientConstructor, type ServiceError, status } from '@grpc/grpc-js';
import { unstable_readConfig } from 'wrangler';
import { TRADING_SERVICE } from '../containers/grpc-gateway/trading-service-definition.ts';
import { orderBodyOf } from '../protocol/rpc/order-body-of.ts';
import {
  type OrderRequest,
  OrderRequestSchema,
  type OrderResponse,
  type StreamRequest,
  StreamRequestSchema,
  type Trade,
} from '../protocol/rpc/trading_pb.ts';
import { percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { spawnServer } from './runtime/spawn-server.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const CONNECTIONS = sized(4, 2);
const CALLS_UNDER_WAY = sized(64, 8);
const ORDERS_PER_ROUND = sized(3_000, 64);
const TRADERS = sized(32, 8);
const STREAMS = TRADERS;
const BATCHES_PER_ROUND = sized(100, 4);
const ORDERS_PER_BATCH = sized(25, 5);
/** What the echo server sends to each stream; about as many trades as a round makes. */
const ECHOED_TRADES = sized(1_000, 20);
const SYMBOL = 'COIN-USD';
const MID_CENTS = 10_000;
const SPREAD_CENTS = 60;
const REACH_CENTS = 16;

interface Key {
  readonly id: string;
  readonly secret: string;
}

type TradingClient = Client & {
  PlaceOrder(
    request: OrderRequest,
    metadata: Metadata,
    done: (error: ServiceError | null, answer: OrderResponse) => void,
  ): void;
  StreamTrades(request: StreamRequest, metadata: Metadata): ReturnType<Client['makeServerStreamRequest']>;
};

interface Rates {
  readonly per_s: number;
  /** Ascending. */
  readonly latencies_ms: readonly number[];
}

const TradingClientConstructor = makeClientConstructor(TRADING_SERVICE, 'TradingService');

/** Clients on connections of their own. */
function connect(address: string): readonly TradingClient[] {
  return Array.from(
    { length: CONNECTIONS },
    () =>
      new TradingClientConstructor(address, credentials.createInsecure(), {
        'grpc.use_local_subchannel_pool': 1,
      }) as unknown as TradingClient,
  );
}

const metadataOf = ({ id, secret }: Key): Metadata => {
  const metadata = new Metadata();
  metadata.set('x-api-key', id);
  metadata.set('x-api-secret', secret);
  return metadata;
};

function anyOrder(): OrderRequest {
  const side = Math.random() < 0.5 ? 'buy' : 'sell';
  const away = Math.floor(Math.random() * SPREAD_CENTS) - REACH_CENTS;
  const price = (side === 'buy' ? MID_CENTS - away : MID_CENTS + away) / 100;
  return create(OrderRequestSchema, {
    symbol: SYMBOL,
    side,
    type: 'limit',
    price,
    size: 1 + Math.floor(Math.random() * 20),
  });
}

function place(client: TradingClient, order: OrderRequest, metadata: Metadata): Promise<OrderResponse> {
  return new Promise((resolve, reject) =>
    client.PlaceOrder(order, metadata, (error, answer) => (error === null ? resolve(answer) : reject(error))),
  );
}

/** Runs as many tasks at a time as there are calls under way. */
async function run(count: number, task: (index: number) => Promise<unknown>): Promise<Rates> {
  const latencies_ms: number[] = [];
  let next = 0;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: CALLS_UNDER_WAY }, async () => {
      while (next < count) {
        const index = next++;
        const sent = performance.now();
        await task(index);
        latencies_ms.push(performance.now() - sent);
      }
    }),
  );
  const per_s = count / ((performance.now() - from) / 1_000);
  return { per_s, latencies_ms: latencies_ms.sort((a, b) => a - b) };
}

const orders = (clients: readonly TradingClient[], callers: readonly Metadata[]) =>
  run(ORDERS_PER_ROUND, (index) =>
    place(clients[index % clients.length]!, anyOrder(), callers[index % callers.length]!),
  );

interface Followed {
  readonly messages_per_s: number;
  /** From the time that a trade bears to its arrival; ascending. */
  readonly age_ms: readonly number[];
}

/**
 * Messages a second over all streams, from what starts them to the last message of the last stream.
 *
 * @param start brings the streams their messages and answers the sequence of the last one
 */
async function follow(
  clients: readonly TradingClient[],
  callers: readonly Metadata[],
  request: StreamRequest,
  start: () => Promise<number>,
): Promise<Followed> {
  const age_ms: number[] = [];
  const reached = new Array<number>(STREAMS).fill(-1);
  const from = performance.now();
  let started_at = from;
  const open = await Promise.all(
    reached.map(async (_, index) => {
      const stream = clients[index % clients.length]!.StreamTrades(request, callers[index % callers.length]!);
      stream.on('error', (error: ServiceError) => {
        if (error.code !== status.CANCELLED) throw error;
      });
      const headers = new Promise((resolve) => stream.once('metadata', resolve));
      stream.on('data', ({ sequence, timestamp }: Trade) => {
        reached[index] = Number(sequence);
        age_ms.push(Date.now() - Number(timestamp));
      });
      await headers;
      return stream;
    }),
  );
  if (request.resumeFrom === undefined) started_at = performance.now();
  const last = await start();
  while (reached.some((sequence) => sequence < last)) await new Promise((resolve) => setTimeout(resolve, 1));
  const seconds = (performance.now() - started_at) / 1_000;
  for (const stream of open) stream.cancel();
  return { messages_per_s: age_ms.length / seconds, age_ms: age_ms.sort((a, b) => a - b) };
}

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/http-exchange.toml', { bindings: vars, log: () => undefined });
const get = async <Answer>(path: string): Promise<Answer> =>
  (await (await fetch(new URL(path, exchange.url))).json()) as Answer;
/** Orders by REST, so that the gateway has the streams alone. */
async function placeBatch({ id, secret }: Key): Promise<void> {
  const batch = Array.from({ length: ORDERS_PER_BATCH }, () => orderBodyOf(anyOrder()));
  const response = await fetch(new URL('/book/v1/orders/batch', exchange.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': id, 'x-api-secret': secret },
    body: JSON.stringify({ orders: batch }),
  });
  if (!response.ok) throw new Error(`a batch was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

const gateway = await spawnServer('containers/grpc-gateway/main.ts', {
  EXCHANGE_URL: new URL('/book', exchange.url).href,
  GRPC_HOST: '127.0.0.1',
  GRPC_PORT: '0',
  GRPC_DRAIN_MS: '1000',
});
const echo = await spawnServer('bench/grpc/echo-server.ts');
const [ours, floor] = [connect(gateway.address), connect(echo.address)];

try {
  const keys = await get<Key[]>(`/setup?traders=${TRADERS}`);
  const callers = keys.map(metadataOf);
  const trade = async (): Promise<number> => {
    await run(BATCHES_PER_ROUND, (index) => placeBatch(keys[index % keys.length]!));
    const { trades } = await get<{ trades: { sequence: number }[] }>(`/book/v1/trades/${SYMBOL}?limit=1`);
    return trades[0]?.sequence ?? 0;
  };
  await orders(ours, callers);
  await orders(floor, callers);
  const rounds: { echoed: Rates; placed: Rates; echoStream: Followed; tradeStream: Followed }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const echoed = await orders(floor, callers);
    const placed = await orders(ours, callers);
    const request = create(StreamRequestSchema, { symbol: SYMBOL, resumeFrom: BigInt(ECHOED_TRADES) });
    const echoStream = await follow(floor, callers, request, async () => ECHOED_TRADES - 1);
    const tradeStream = await follow(ours, callers, create(StreamRequestSchema, { symbol: SYMBOL }), trade);
    rounds.push({ echoed, placed, echoStream, tradeStream });
    console.log(
      `round ${round}: echo ${Math.round(echoed.per_s)}, orders ${Math.round(placed.per_s)} calls/s; ` +
        `echo ${Math.round(echoStream.messages_per_s)}, trades ${Math.round(tradeStream.messages_per_s)} messages/s`,
    );
  }
  const broken = await get<string[]>('/audit');
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.join('; ')}`);

  const ofRounds = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  const calls = {
    echo: ofRounds(({ echoed }) => echoed.per_s),
    orders: ofRounds(({ placed }) => placed.per_s),
    orders_p50_ms: ofRounds(({ placed }) => percentile(placed.latencies_ms, 50)),
    orders_p99_ms: ofRounds(({ placed }) => percentile(placed.latencies_ms, 99)),
  };
  const messages = {
    echo: ofRounds(({ echoStream }) => echoStream.messages_per_s),
    trades: ofRounds(({ tradeStream }) => tradeStream.messages_per_s),
    trades_p50_ms: ofRounds(({ tradeStream }) => percentile(tradeStream.age_ms, 50)),
    trades_p99_ms: ofRounds(({ tradeStream }) => percentile(tradeStream.age_ms, 99)),
  };
  const ratio = calls.orders / calls.echo;
  const streamRatio = messages.trades / messages.echo;
  printReport({
    bench: 'grpc',
    ratio,
    table: [
      { what: 'PlaceOrder, echo', '/s': calls.echo, ratio: 1 },
      {
        what: 'PlaceOrder',
        '/s': calls.orders,
        'p50 ms': calls.orders_p50_ms,
        'p99 ms': calls.orders_p99_ms,
        ratio,
      },
      { what: `StreamTrades × ${STREAMS}, echo`, '/s': messages.echo, ratio: 1 },
      {
        what: `StreamTrades × ${STREAMS}`,
        '/s': messages.trades,
        'p50 ms': messages.trades_p50_ms,
        'p99 ms': messages.trades_p99_ms,
        ratio: streamRatio,
      },
    ],
    figures: {
      calls_under_way: CALLS_UNDER_WAY,
      echo_calls_per_s: Math.round(calls.echo),
      order_calls_per_s: Math.round(calls.orders),
      orders_p50_ms: calls.orders_p50_ms,
      orders_p99_ms: calls.orders_p99_ms,
      streams: STREAMS,
      echo_messages_per_s: Math.round(messages.echo),
      trade_messages_per_s: Math.round(messages.trades),
      stream_ratio: Number(streamRatio.toFixed(2)),
      trades_p50_ms: messages.trades_p50_ms,
      trades_p99_ms: messages.trades_p99_ms,
    },
  });
} finally {
  for (const client of [...ours, ...floor]) client.close();
  await gateway.stop();
  await echo.stop();
  await exchange.stop();
}
