/**
 * `npm run bench:feed`: one book, 1,000 sockets that follow it ten levels deep while it is traded on, against a bare `ws` server on Node
 * that broadcasts the very same texts. Straight from the book, and through feed objects. Subscribers are a process of their own, and
 * connect to the Worker's own socket.
 *
 * Trading is real: eight accounts place limit orders, one when the last is answered, so that nearly each makes an update of its own;
 * each is admitted, held, matched, journaled and settled. The bench's Worker calls the function that every door places orders with
 * (`workers/feed-exchange.ts`): HTTP and keys, which `bench:http` measures, would stand on other machines than the book and its sockets.
 * All that trading costs counts against the exchange; the peer only sends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { unstable_readConfig } from 'wrangler';
import { WebSocket } from 'ws';
import type { BroadcastRequest } from './feed/broadcaster.ts';
import type { SubscribersReport, SubscribersRequest } from './feed/subscribers.ts';
import { percentile } from './load.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const SOCKETS = sized(1_000, 20);
const ORDERS_PER_ROUND = sized(150, 10);
const PACED_ORDERS = sized(20, 3);
const PACE_MS = 100;
const DEPTH = 10;
const SYMBOL = 'COIN-USD';
const SUBSCRIBE = JSON.stringify({ type: 'subscribe', channel: 'orderbook', symbol: SYMBOL, depth: DEPTH });
const TRADERS = sized(8, 4);

interface Round {
  readonly messages_per_s: number;
  readonly latencies_ms: readonly number[];
}

const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
const exchange = await startWorker('bench/workers/feed-exchange.toml', {
  bindings: { ...vars, CLIENT_ADDRESS_HEADER: 'cf-connecting-ip' },
  log: () => undefined,
});
const children: ChildProcess[] = [];

function start(script: string): ChildProcess {
  const child = fork(new URL(script, import.meta.url));
  children.push(child);
  return child;
}

/** A process with all sockets open on one server. */
class Subscribers {
  readonly #process = start('feed/subscribers.ts');

  async open(url: string, subscribe: string | null): Promise<void> {
    this.#ask({ type: 'open', url, sockets: SOCKETS, subscribe });
    await this.#report('opened');
  }

  async until(sequence: number): Promise<Extract<SubscribersReport, { type: 'reached' }>> {
    this.#ask({ type: 'until', sequence });
    return this.#report('reached');
  }

  end(): void {
    this.#process.kill();
  }

  #ask(request: SubscribersRequest): void {
    this.#process.send(request);
  }

  async #report<T extends SubscribersReport['type']>(type: T): Promise<Extract<SubscribersReport, { type: T }>> {
    for (;;) {
      const [report] = (await once(this.#process, 'message')) as [SubscribersReport];
      if (report.type === type) return report as Extract<SubscribersReport, { type: T }>;
    }
  }
}

await answered(`/setup?traders=${TRADERS}`);

/** Places orders at the exchange, `every_ms` apart; ends when the last is answered. */
function trade(orders: number, every_ms: number): Promise<void> {
  return answered(`/trade?orders=${orders}&every_ms=${every_ms}`);
}

async function answered(path: string): Promise<void> {
  const response = await fetch(new URL(path, exchange.directUrl));
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function bookSequence(): Promise<number> {
  const response = await fetch(new URL(`/book/v1/orderbook/${SYMBOL}?depth=1`, exchange.directUrl), {
    headers: { 'cf-connecting-ip': `192.168.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}` },
  });
  return ((await response.json()) as { sequence: number }).sequence;
}

/** Updates of one round as a lone client sees them, for the peer to broadcast: from its first subscription to the sequence at which the book stands then. */
async function recordTexts(): Promise<string[]> {
  const socket = new WebSocket(`${wsBase()}?symbol=${SYMBOL}`);
  const texts: string[] = [];
  let seen = 0;
  let heard = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const text = String(data);
    if (!text.startsWith('{"type":"orderbook_')) return;
    seen = (JSON.parse(text) as { sequence: number }).sequence;
    if (text.startsWith('{"type":"orderbook_update"')) texts.push(text);
    heard.resolve();
    heard = Promise.withResolvers();
  });
  await once(socket, 'open');
  const subscribed = heard.promise;
  socket.send(SUBSCRIBE);
  await subscribed;
  await trade(ORDERS_PER_ROUND, 0);
  const last = await bookSequence();
  while (seen < last) await heard.promise;
  socket.close();
  return texts;
}

function wsBase(): string {
  return new URL('/book/v1/ws', exchange.directUrl).href.replace('http', 'ws');
}

async function exchangeRound(subscribers: Subscribers, orders: number, every_ms: number): Promise<Round> {
  const started_ms = performance.timeOrigin + performance.now();
  await trade(orders, every_ms);
  return roundOf(await subscribers.until(await bookSequence()), started_ms);
}

function roundOf(reached: Extract<SubscribersReport, { type: 'reached' }>, started_ms: number): Round {
  const { messages, reachedAt_ms, latencies_ms } = reached;
  return { messages_per_s: (messages / (reachedAt_ms - started_ms)) * 1_000, latencies_ms };
}

try {
  await trade(200, 0);
  const texts = await recordTexts();
  const peer = start('feed/broadcaster.ts');
  const [port] = (await once(peer, 'message')) as [number];
  let peerSequence = 0;
  /** The same texts, numbered on. */
  const peerRound = async (subscribers: Subscribers, count: number, every_ms: number): Promise<Round> => {
    const numbered = texts
      .slice(0, count)
      .map((text) => text.replace(/"sequence":\d+/, `"sequence":${++peerSequence}`));
    const started_ms = performance.timeOrigin + performance.now();
    peer.send({ texts: numbered, every_ms } satisfies BroadcastRequest);
    return roundOf(await subscribers.until(peerSequence), started_ms);
  };

  const paths = ['ws', 'book', 'feed objects'] as const;
  const rates: Record<(typeof paths)[number], number[]> = { ws: [], book: [], 'feed objects': [] };
  const latencies: Record<(typeof paths)[number], number[]> = { ws: [], book: [], 'feed objects': [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const path of paths) {
      const subscribers = new Subscribers();
      const url = { ws: `ws://127.0.0.1:${port}`, book: `${wsBase()}?symbol=${SYMBOL}`, 'feed objects': wsBase() }[
        path
      ];
      await subscribers.open(url, path === 'ws' ? null : SUBSCRIBE);
      const run = (count: number, every_ms: number) =>
        path === 'ws' ? peerRound(subscribers, count, every_ms) : exchangeRound(subscribers, count, every_ms);
      const fast = await run(ORDERS_PER_ROUND, 0);
      const paced = await run(PACED_ORDERS, PACE_MS);
      subscribers.end();
      await new Promise((resolve) => setTimeout(resolve, 300));
      // The first round warms all three up.
      if (round === 0) continue;
      rates[path].push(fast.messages_per_s);
      latencies[path].push(...paced.latencies_ms);
    }
    if (round > 0)
      console.log(
        `round ${round}: ${paths.map((path) => `${path} ${Math.round(rates[path].at(-1)!)}`).join(', ')} messages/s`,
      );
  }
  const floor = median(rates.ws);
  const figure = (path: (typeof paths)[number]) => ({
    messages_per_s: Math.round(median(rates[path])),
    p50_ms: percentile(
      latencies[path].toSorted((a, b) => a - b),
      50,
    ),
    p99_ms: percentile(
      latencies[path].toSorted((a, b) => a - b),
      99,
    ),
  });
  printReport({
    bench: 'feed',
    ratio: median(rates.book) / floor,
    table: paths.map((path) => {
      const { messages_per_s, p50_ms, p99_ms } = figure(path);
      return { path, 'messages/s': messages_per_s, 'p50 ms': p50_ms, 'p99 ms': p99_ms, ratio: messages_per_s / floor };
    }),
    figures: {
      sockets: SOCKETS,
      feed_objects_ratio: Number((median(rates['feed objects']) / floor).toFixed(2)),
      ws: figure('ws'),
      book: figure('book'),
      feed_objects: figure('feed objects'),
    },
  });
} finally {
  for (const child of children) child.kill();
  await exchange.stop();
}
