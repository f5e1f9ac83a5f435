/**
 * `npm run bench:order-entry`: orders over WebSocket against single orders by POST, both at the Worker's own socket, with 64 clients of 32 keys:
 * each authenticated, counted by the limiter, checked, admitted, matched and journaled before it is answered. Single orders stand alone on
 * their connection, as HTTP/1.1 has it; a client of the socket sends the next ones while others are unanswered. Then the socket again at
 * half of the rate that it reached, orders sent by the clock, for the latency that a client meets.
 */
import { once } from 'node:events';
import { unstable_readConfig } from 'wrangler';
import { WebSocket } from 'ws';
import { type LoadResult, load, percentile } from './load.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { median, printReport } from './report.ts';
import { profiled } from './runtime/cpu-profile.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const CLIENTS = sized(64, 8);
const TRADERS = sized(32, 8);
const ORDERS_PER_ROUND = sized(6_000, 64);
/** Unanswered orders of one client. */
const WINDOWS = [1, 8] as const;
const HALF_LOAD_MS = sized(3_000, 300);
/** `npm run bench:order-entry -- --profile`: where half load spends its time, and nothing else. */
const isProfile = process.argv.includes('--profile');
const INSPECTOR_PORT = 9_231;
const PROFILE_LINES = 30;
const MID_CENTS = 10_000;
const SPREAD_CENTS = 60;
/** How far orders reach over the mid price: about 43 % of them trade. */
const REACH_CENTS = 16;

interface Key {
  readonly id: string;
  readonly secret: string;
}

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/http-exchange.toml', {
  bindings: vars,
  log: () => undefined,
  ...(isProfile ? { inspectorPort: INSPECTOR_PORT } : {}),
});

async function get<Answer>(path: string): Promise<Answer> {
  const response = await fetch(new URL(path, exchange.url));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

function randomOrder() {
  const side = Math.random() < 0.5 ? 'buy' : 'sell';
  const away = Math.floor(Math.random() * SPREAD_CENTS) - REACH_CENTS;
  const price = (side === 'buy' ? MID_CENTS - away : MID_CENTS + away) / 100;
  const size = 1 + Math.floor(Math.random() * 20);
  return { symbol: 'COIN-USD', side, type: 'limit', price, size, time_in_force: 'GTC' };
}

const headersOf = ({ id, secret }: Key) => ({ 'x-api-key': id, 'x-api-secret': secret });

function posts(keys: readonly Key[]): Promise<LoadResult> {
  const requestOf = (index: number) => ({
    headers: { 'content-type': 'application/json', ...headersOf(keys[index % keys.length] as Key) },
    body: JSON.stringify(randomOrder()),
  });
  const url = new URL('/book/v1/orders', exchange.directUrl);
  return load({ url, connections: CLIENTS, requests: ORDERS_PER_ROUND, requestOf });
}

/** One socket of order entry; an answer resolves the order with its id. */
class Client {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, () => void>();
  #ids = 0;
  failure: Error | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as { type: string; id: number };
      if (answer.type !== 'result') this.failure = new Error(`an order was answered ${String(data)}`);
      this.#waiting.get(answer.id)?.();
      this.#waiting.delete(answer.id);
    });
    socket.on('close', (code, reason) => {
      if (this.#waiting.size > 0) this.failure = new Error(`closed ${code} ${reason}`);
      for (const resolve of this.#waiting.values()) resolve();
    });
  }

  static async open(key: Key): Promise<Client> {
    const url = new URL('/book/v1/ws/orders', exchange.directUrl).href.replace('http', 'ws');
    const socket = new WebSocket(url, { headers: headersOf(key) });
    await once(socket, 'open');
    return new Client(socket);
  }

  /** Milliseconds to the answer. */
  async place(): Promise<number> {
    const id = ++this.#ids;
    const from = performance.now();
    const answered = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ type: 'place', id, order: randomOrder() }));
    await answered;
    if (this.failure !== null) throw this.failure;
    return performance.now() - from;
  }

  close(): void {
    this.#socket.close();
  }
}

/** As many orders as go, each client with so many unanswered. */
async function fullLoad(clients: readonly Client[], window: number): Promise<LoadResult> {
  const latencies_ms: number[] = [];
  let left = ORDERS_PER_ROUND;
  const lane = async (client: Client): Promise<void> => {
    while (left-- > 0) latencies_ms.push(await client.place());
  };
  const from = performance.now();
  await Promise.all(clients.flatMap((client) => Array.from({ length: window }, () => lane(client))));
  const seconds = (performance.now() - from) / 1_000;
  return { requests_per_s: ORDERS_PER_ROUND / seconds, latencies_ms: latencies_ms.sort((a, b) => a - b) };
}

/** Orders by the clock, whether earlier ones are answered or not. */
async function pacedLoad(clients: readonly Client[], orders_per_s: number): Promise<LoadResult> {
  const placed: Promise<number>[] = [];
  const from = performance.now();
  for (;;) {
    const elapsed_ms = performance.now() - from;
    if (elapsed_ms >= HALF_LOAD_MS) break;
    const due = (elapsed_ms / 1_000) * orders_per_s;
    while (placed.length < due) placed.push((clients[placed.length % clients.length] as Client).place());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const latencies_ms = (await Promise.all(placed)).sort((a, b) => a - b);
  return { requests_per_s: placed.length / (HALF_LOAD_MS / 1_000), latencies_ms };
}

function figures(rounds: readonly LoadResult[]) {
  return {
    'orders/s': median(rounds.map(({ requests_per_s }) => requests_per_s)),
    'p50 ms': median(rounds.map(({ latencies_ms }) => percentile(latencies_ms, 50))),
    'p99 ms': median(rounds.map(({ latencies_ms }) => percentile(latencies_ms, 99))),
  };
}

const connected = (keys: readonly Key[]): Promise<Client[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, index) => Client.open(keys[index % keys.length] as Key)));

async function profileOfHalfLoad(keys: readonly Key[]): Promise<void> {
  const clients = await connected(keys);
  await fullLoad(clients, WINDOWS[1]);
  const { requests_per_s } = await fullLoad(clients, WINDOWS[1]);
  let orders_per_s = 0;
  const cpuBefore_s = ownCpuSeconds();
  const lines = await profiled(INSPECTOR_PORT, async () => {
    ({ requests_per_s: orders_per_s } = await pacedLoad(clients, requests_per_s / 2));
  });
  const orders = (orders_per_s * HALF_LOAD_MS) / 1_000;
  console.log(
    `${Math.round(orders_per_s)} orders/s; workerd and bench together ${(((ownCpuSeconds() - cpuBefore_s) * 1_000) / orders).toFixed(2)} ms of CPU an order`,
  );
  const busy_ms = lines.reduce((sum, { ms }) => sum + ms, 0);
  console.log(`the exchange's isolate is busy ${((busy_ms / HALF_LOAD_MS) * 100).toFixed(0)} % of the time`);
  for (const { name, ms, share } of lines.slice(0, PROFILE_LINES))
    console.log(
      `${(share * 100).toFixed(1).padStart(5)} %  ${((ms * 1_000) / orders).toFixed(2).padStart(6)} us an order  ${name}`,
    );
  for (const client of clients) client.close();
}

async function compare(keys: readonly Key[]): Promise<void> {
  const rounds = {
    post: [] as LoadResult[],
    one: [] as LoadResult[],
    many: [] as LoadResult[],
    half: [] as LoadResult[],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const post = await posts(keys);
    const clients = await connected(keys);
    const one = await fullLoad(clients, WINDOWS[0]);
    const many = await fullLoad(clients, WINDOWS[1]);
    const half = await pacedLoad(clients, many.requests_per_s / 2);
    for (const client of clients) client.close();
    console.log(
      `round ${round}: POST ${Math.round(post.requests_per_s)}, socket ${Math.round(one.requests_per_s)} with one unanswered, ${Math.round(many.requests_per_s)} with ${WINDOWS[1]} orders/s; at half load p99 ${percentile(half.latencies_ms, 99).toFixed(1)} ms`,
    );
    // The first round warms all up.
    if (round === 0) continue;
    rounds.post.push(post);
    rounds.one.push(one);
    rounds.many.push(many);
    rounds.half.push(half);
  }
  const broken = await get<string[]>('/audit');
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.join('; ')}`);
  const floor = figures(rounds.post);
  const line = (path: string, figure: typeof floor) => ({
    path,
    ...figure,
    ratio: figure['orders/s'] / floor['orders/s'],
  });
  const many = figures(rounds.many);
  const half = figures(rounds.half);
  const one = figures(rounds.one);
  printReport({
    bench: 'order-entry',
    ratio: many['orders/s'] / floor['orders/s'],
    table: [
      line('POST, 64 connections', floor),
      line('socket, 64 clients, 1 unanswered each', one),
      line(`socket, 64 clients, ${WINDOWS[1]} unanswered each`, many),
      line('socket, half load', half),
    ],
    figures: {
      clients: CLIENTS,
      post_orders_per_s: Math.round(floor['orders/s']),
      socket_orders_per_s: Math.round(many['orders/s']),
      socket_one_unanswered_ratio: Number((one['orders/s'] / floor['orders/s']).toFixed(2)),
      half_load_p50_ms: half['p50 ms'],
      half_load_p99_ms: half['p99 ms'],
    },
  });
}

try {
  const keys = await get<Key[]>(`/setup?traders=${TRADERS}`);
  await (isProfile ? profileOfHalfLoad(keys) : compare(keys));
} finally {
  await exchange.stop();
}
