/**
 * `npm run bench:http`: single orders by POST /book/v1/orders, each authenticated, counted by the limiter, checked, admitted, matched
 * and journaled before it is answered, against a Worker that returns a constant; both straight in workerd, over 64 connections.
 */
import { unstable_readConfig } from 'wrangler';
import { type LoadResult, load, percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';

const ROUNDS = 5;
const CONNECTIONS = 64;
const ORDERS_PER_ROUND = 6_000;
const TRADERS = 32;
const MID_CENTS = 10_000;
const SPREAD_CENTS = 60;
/** How far orders reach over the mid price: about 43 % of them trade. */
const REACH_CENTS = 16;

interface Key {
  readonly id: string;
  readonly secret: string;
}

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/http-exchange.toml', { bindings: vars, log: () => undefined });
const constant = await startWorker('bench/workers/http-constant.toml');

async function get<Answer>(path: string): Promise<Answer> {
  const response = await fetch(new URL(path, exchange.url));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

function orders(url: URL, keys: readonly Key[]): Promise<LoadResult> {
  const requestOf = (index: number) => {
    const key = keys[index % keys.length]!;
    const side = Math.random() < 0.5 ? 'buy' : 'sell';
    const away = Math.floor(Math.random() * SPREAD_CENTS) - REACH_CENTS;
    const price = (side === 'buy' ? MID_CENTS - away : MID_CENTS + away) / 100;
    const size = 1 + Math.floor(Math.random() * 20);
    return {
      headers: { 'content-type': 'application/json', 'x-api-key': key.id, 'x-api-secret': key.secret },
      body: JSON.stringify({ symbol: 'COIN-USD', side, type: 'limit', price, size, time_in_force: 'GTC' }),
    };
  };
  return load({ url, connections: CONNECTIONS, requests: ORDERS_PER_ROUND, requestOf });
}

try {
  const keys = await get<Key[]>(`/setup?traders=${TRADERS}`);
  const ordersUrl = new URL('/book/v1/orders', exchange.url);
  await orders(ordersUrl, keys);
  await orders(constant.url, keys);
  const exchangeRounds: LoadResult[] = [];
  const constantRounds: LoadResult[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    constantRounds.push(await orders(constant.url, keys));
    exchangeRounds.push(await orders(ordersUrl, keys));
    const [floor, ours] = [constantRounds.at(-1)!, exchangeRounds.at(-1)!];
    console.log(
      `round ${round}: constant ${Math.round(floor.requests_per_s)}, orders ${Math.round(ours.requests_per_s)} requests/s`,
    );
  }
  const broken = await get<string[]>('/audit');
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.join('; ')}`);

  const of = (rounds: readonly LoadResult[]) => ({
    requests_per_s: median(rounds.map((round) => round.requests_per_s)),
    p50_ms: median(rounds.map((round) => percentile(round.latencies_ms, 50))),
    p99_ms: median(rounds.map((round) => percentile(round.latencies_ms, 99))),
  });
  const [floor, ours] = [of(constantRounds), of(exchangeRounds)];
  const ratio = ours.requests_per_s / floor.requests_per_s;
  const row = (path: string, { requests_per_s, p50_ms, p99_ms }: typeof floor, times: number) => ({
    path,
    'requests/s': requests_per_s,
    'p50 ms': p50_ms,
    'p99 ms': p99_ms,
    ratio: times,
  });
  printReport({
    bench: 'http',
    ratio,
    table: [row('constant', floor, 1), row('orders', ours, ratio)],
    figures: {
      connections: CONNECTIONS,
      constant_requests_per_s: Math.round(floor.requests_per_s),
      orders_requests_per_s: Math.round(ours.requests_per_s),
      orders_p50_ms: ours.p50_ms,
      orders_p99_ms: ours.p99_ms,
    },
  });
} finally {
  await constant.stop();
  await exchange.stop();
}
