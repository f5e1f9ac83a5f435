/**
 * `npm run bench:http`: single orders by POST /book/v1/orders, each authenticated, counted by the limiter, checked, admitted, matched
 * and journaled before it is answered, against a Worker that returns a constant; both straight in workerd, over 64 connections. Beside
 * them a Worker that only asks two objects, as every order must: the platform's own bound.
 *
 * Twice: where Miniflare serves them, with a Worker of its own before each, which is where a local client meets them and what `ratio`
 * compares; and on their own sockets (`direct_ratio`), where the constant is about four times as fast.
 */
import { unstable_readConfig } from 'wrangler';
import { type LoadResult, load, percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { profiled } from './runtime/cpu-profile.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const CONNECTIONS = sized(64, 8);
const ORDERS_PER_ROUND = sized(6_000, 64);
const TRADERS = sized(32, 8);
const MID_CENTS = 10_000;
const SPREAD_CENTS = 60;
/** How far orders reach over the mid price: about 43 % of them trade. */
const REACH_CENTS = 16;

/** `npm run bench:http -- --profile`: where orders spend the Worker's time, and nothing else. */
const isProfile = process.argv.includes('--profile');
const INSPECTOR_PORT = 9_331;
const PROFILE_LINES = 40;

interface Key {
  readonly id: string;
  readonly secret: string;
}

const NAME_OF = { url: 'by Miniflare', directUrl: 'direct' } as const;

type Line = {
  readonly path: string;
  readonly 'requests/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly ratio: number;
};

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/http-exchange.toml', {
  bindings: vars,
  log: () => undefined,
  ...(isProfile ? { inspectorPort: INSPECTOR_PORT } : {}),
});
const constant = await startWorker('bench/workers/http-constant.toml');
const objects = await startWorker('bench/workers/http-objects.toml');

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

function medians(rounds: readonly LoadResult[]) {
  return {
    requests_per_s: median(rounds.map((round) => round.requests_per_s)),
    p50_ms: median(rounds.map((round) => percentile(round.latencies_ms, 50))),
    p99_ms: median(rounds.map((round) => percentile(round.latencies_ms, 99))),
  };
}

async function profileOf(keys: readonly Key[]): Promise<void> {
  const url = new URL('/book/v1/orders', exchange.directUrl);
  await orders(url, keys);
  const lines = await profiled(INSPECTOR_PORT, async () => {
    await orders(url, keys);
  });
  for (const { name, ms, share } of lines.slice(0, PROFILE_LINES))
    console.log(`${(ms / ORDERS_PER_ROUND).toFixed(4)} ms an order, ${(100 * share).toFixed(1)} %: ${name}`);
}

try {
  const keys = await get<Key[]>(`/setup?traders=${TRADERS}`);
  if (isProfile) {
    await profileOf(keys);
    process.exitCode = 0;
  } else await compare(keys);
} finally {
  await objects.stop();
  await constant.stop();
  await exchange.stop();
}

async function compare(keys: readonly Key[]): Promise<void> {
  const doors = ['url', 'directUrl'] as const;
  const rounds: Record<(typeof doors)[number], Record<'constant' | 'objects' | 'orders', LoadResult[]>> = {
    url: { constant: [], objects: [], orders: [] },
    directUrl: { constant: [], objects: [], orders: [] },
  };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const door of doors) {
      const floor = await orders(constant[door], keys);
      const bound = await orders(objects[door], keys);
      const ours = await orders(new URL('/book/v1/orders', exchange[door]), keys);
      // The first round warms all up.
      if (round === 0) continue;
      rounds[door].constant.push(floor);
      rounds[door].objects.push(bound);
      rounds[door].orders.push(ours);
      console.log(
        `round ${round}, ${NAME_OF[door]}: constant ${Math.round(floor.requests_per_s)}, two objects ${Math.round(bound.requests_per_s)}, orders ${Math.round(ours.requests_per_s)} requests/s`,
      );
    }
  }
  const broken = await get<string[]>('/audit');
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.join('; ')}`);

  const lines = doors.flatMap((door): Line[] => {
    const { constant, objects, orders } = rounds[door];
    const [floor, bound, ours] = [medians(constant), medians(objects), medians(orders)];
    const line = (path: string, { requests_per_s, p50_ms, p99_ms }: typeof floor): Line => ({
      path: `${path}, ${NAME_OF[door]}`,
      'requests/s': requests_per_s,
      'p50 ms': p50_ms,
      'p99 ms': p99_ms,
      ratio: requests_per_s / floor.requests_per_s,
    });
    return [line('constant', floor), line('two objects', bound), line('orders', ours)];
  });
  const [floor, bound, ours, directFloor, directBound, direct] = lines as [Line, Line, Line, Line, Line, Line];
  printReport({
    bench: 'http',
    ratio: ours.ratio,
    table: lines,
    figures: {
      connections: CONNECTIONS,
      constant_requests_per_s: Math.round(floor['requests/s']),
      objects_requests_per_s: Math.round(bound['requests/s']),
      orders_requests_per_s: Math.round(ours['requests/s']),
      orders_p50_ms: ours['p50 ms'],
      orders_p99_ms: ours['p99 ms'],
      direct_ratio: Number(direct.ratio.toFixed(2)),
      direct_objects_ratio: Number(directBound.ratio.toFixed(2)),
      direct_constant_requests_per_s: Math.round(directFloor['requests/s']),
      direct_orders_requests_per_s: Math.round(direct['requests/s']),
      direct_orders_p50_ms: direct['p50 ms'],
      direct_orders_p99_ms: direct['p99 ms'],
    },
  });
}
