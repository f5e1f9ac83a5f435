/**
 * `npm run bench:fix`: NewOrderSingle to ExecutionReport over one FIX session through the gateway, pipelined, against the same orders by
 * POST /book/v1/orders over 64 connections, in the same run, both at the Worker's own socket with nothing before it. The exchange runs straight
 * in workerd, the gateway is a process of its own, the clients are this one. Every order is authenticated, counted, checked, admitted,
 * matched and journaled before it is answered.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { type Field, FixClient, timestamp } from '../clients/fix/fix-client.ts';
import { startFixGateway } from '../scripts/local/fix-gateway-process.ts';
import { type LoadResult, load, percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const CONNECTIONS = sized(64, 4);
const ORDERS_PER_ROUND = sized(6_000, 64);
/** Orders of the session that are not answered yet. */
const UNDER_WAY_MAX = 1_000;
const TRADERS = sized(33, 5);
const SYMBOL = 'COIN-USD';

interface Key {
  readonly id: string;
  readonly secret: string;
}

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/http-exchange.toml', { bindings: vars, log: () => undefined });

async function get<Answer>(path: string): Promise<Answer> {
  const response = await fetch(new URL(path, exchange.directUrl));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

interface Bid {
  /** ClOrdID and client_order_id. */
  readonly id: string;
  readonly price: number;
  readonly size: number;
}

/** Bids that rest: one account would otherwise meet itself. Both doors are given the same ones. */
function bidsOf(round: number): readonly Bid[] {
  return Array.from({ length: ORDERS_PER_ROUND }, (_, index) => ({
    id: `b-${round}-${index}`,
    price: (9_000 + Math.floor(Math.random() * 900)) / 100,
    size: 1 + Math.floor(Math.random() * 20),
  }));
}

function byHttp(keys: readonly Key[], bids: readonly Bid[]): Promise<LoadResult> {
  const requestOf = (index: number) => {
    const key = keys[index % keys.length]!;
    const { id, price, size } = bids[index]!;
    const terms = { symbol: SYMBOL, side: 'buy', type: 'limit', time_in_force: 'GTC', price, size };
    return {
      headers: { 'content-type': 'application/json', 'x-api-key': key.id, 'x-api-secret': key.secret },
      body: JSON.stringify({ ...terms, client_order_id: id }),
    };
  };
  const url = new URL('/book/v1/orders', exchange.directUrl);
  return load({ url, connections: CONNECTIONS, requests: bids.length, requestOf });
}

/** Keeps the session full until every order of the round is answered. */
function byFix(client: FixClient, bids: readonly Bid[]): Promise<LoadResult> {
  const sentAt = new Map<string, number>();
  const latencies_ms: number[] = [];
  const from = performance.now();
  let sent = 0;
  return new Promise((resolve, reject) => {
    const fill = () => {
      const messages: [type: string, body: readonly Field[]][] = [];
      while (sent < bids.length && sent - latencies_ms.length < UNDER_WAY_MAX) {
        const { id, price, size } = bids[sent++]!;
        sentAt.set(id, performance.now());
        messages.push([
          'D',
          [
            [11, id],
            [55, SYMBOL],
            [54, 1],
            [60, timestamp(Date.now())],
            [38, size],
            [40, 2],
            [44, price],
            [59, 1],
          ],
        ]);
      }
      if (messages.length > 0) client.sendAll(messages);
    };
    client.listen((message) => {
      if (message.type !== '8') return;
      if (message.get(150) !== '0') return reject(new Error(`not placed: ${message.get(58)}`));
      latencies_ms.push(performance.now() - (sentAt.get(message.get(11) ?? '') ?? from));
      if (latencies_ms.length === bids.length) {
        const seconds = (performance.now() - from) / 1_000;
        resolve({ requests_per_s: bids.length / seconds, latencies_ms: latencies_ms.sort((a, b) => a - b) });
      } else if (sent - latencies_ms.length <= UNDER_WAY_MAX / 2) fill();
    });
    fill();
  });
}

/** An account may have 10,000 open orders: a round begins with none. */
async function cancelAll(keys: readonly Key[]): Promise<void> {
  for (const { id, secret } of keys) {
    const headers = { 'x-api-key': id, 'x-api-secret': secret };
    const response = await fetch(new URL('/book/v1/orders', exchange.directUrl), { method: 'DELETE', headers });
    if (!response.ok) throw new Error(`nothing was cancelled: ${await response.text()}`);
  }
}

/** Cancels what the session has placed, and waits until it is told of all. */
async function emptied(client: FixClient, key: Key): Promise<void> {
  let left = ORDERS_PER_ROUND;
  const told = new Promise<void>((resolve) => {
    client.listen((message) => {
      if (message.type === '8' && message.get(150) === '4' && --left === 0) resolve();
    });
  });
  await cancelAll([key]);
  await told;
}

const folder = mkdtempSync(join(tmpdir(), 'fix-bench-'));
const gateway = await startFixGateway({
  exchangeUrl: new URL('/book', exchange.directUrl).href,
  port: 0,
  storeFolder: folder,
  log: join(folder, 'gateway.log'),
});
try {
  const keys = await get<Key[]>(`/setup?traders=${TRADERS}`);
  const [key] = keys as [Key];
  const client = new FixClient({
    host: '127.0.0.1',
    port: gateway.port,
    senderCompId: 'BENCH',
    targetCompId: 'EXCHANGE',
    username: key.id,
    password: key.secret,
  });
  await client.next(({ type }) => type === 'A');
  // Of the keys of HTTP none is that of the session: a client_order_id is unique within an account.
  const others = keys.slice(1);
  const round = async (bids: readonly Bid[]): Promise<readonly [http: LoadResult, fix: LoadResult]> => {
    const http = await byHttp(others, bids);
    await cancelAll(others);
    const fix = await byFix(client, bids);
    await emptied(client, key);
    return [http, fix];
  };
  await round(bidsOf(0));
  const httpRounds: LoadResult[] = [];
  const fixRounds: LoadResult[] = [];
  for (let number = 1; number <= ROUNDS; number++) {
    const [http, fix] = await round(bidsOf(number));
    httpRounds.push(http);
    fixRounds.push(fix);
    console.log(
      `round ${number}: HTTP ${Math.round(http.requests_per_s)}, FIX ${Math.round(fix.requests_per_s)} orders/s`,
    );
  }
  await client.logout();
  const broken = await get<string[]>('/audit');
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.join('; ')}`);

  const of = (rounds: readonly LoadResult[]) => ({
    orders_per_s: median(rounds.map((round) => round.requests_per_s)),
    p50_ms: median(rounds.map((round) => percentile(round.latencies_ms, 50))),
    p99_ms: median(rounds.map((round) => percentile(round.latencies_ms, 99))),
  });
  const [http, fix] = [of(httpRounds), of(fixRounds)];
  const ratio = fix.orders_per_s / http.orders_per_s;
  const row = (path: string, { orders_per_s, p50_ms, p99_ms }: typeof http, times: number) => ({
    path,
    'orders/s': orders_per_s,
    'p50 ms': p50_ms,
    'p99 ms': p99_ms,
    ratio: times,
  });
  printReport({
    bench: 'fix',
    ratio,
    table: [row('HTTP', http, 1), row('FIX', fix, ratio)],
    figures: {
      http_connections: CONNECTIONS,
      fix_sessions: 1,
      fix_under_way_max: UNDER_WAY_MAX,
      http_orders_per_s: Math.round(http.orders_per_s),
      fix_orders_per_s: Math.round(fix.orders_per_s),
      http_p50_ms: http.p50_ms,
      fix_p50_ms: fix.p50_ms,
    },
  });
} finally {
  await gateway.stop();
  await exchange.stop();
}
