/**
 * `npm run bench:sdk`: what the client library costs the program that has it.
 *
 * Orders: `placeOrder` against a bare `fetch` of the same order with the same headers, one after the other in turns, at the Worker of
 * `bench:http`. Book: the updates of a busy pair as text, through connection, sequence, copy and checksum, as CPU of one core at 1,000
 * updates a second; and what is in use after ten minutes of them.
 */
import { unstable_readConfig } from 'wrangler';
import { bookFeed, FollowedBook, type Socket } from '../clients/sdk/feeds.ts';
import { BookClient, keyCredentials, type OrderRequest } from '../clients/sdk/index.ts';
import { signature } from '../clients/signing/sign.ts';
import { bookChecksum, type WireLevel } from '../protocol/feeds/checksum.ts';
import { percentile } from './load.ts';
import { memoryInUse_bytes } from './memory-in-use.ts';
import { printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ORDERS = sized(2_000, 40);
const WARM_UP_ORDERS = sized(300, 10);
const UPDATES_PER_S = 1_000;
const UPDATES_PER_BATCH = sized(20_000, 1_000);
/** Ten minutes of updates. */
const BATCHES = sized(30, 2);
const DEPTHS = [50, 1_000];
const MID_CENTS = 10_000;
const LEVELS_CHANGED_MAX = 3;

interface Key {
  readonly id: string;
  readonly secret: string;
}

async function costOfOrders() {
  const vars = unstable_readConfig({ config: 'wrangler.toml' }).vars as Record<string, unknown>;
  const exchange = await startWorker('bench/workers/http-exchange.toml', { bindings: vars, log: () => undefined });
  try {
    const setup = await fetch(new URL('/setup?traders=2', exchange.url));
    const [key] = (await setup.json()) as Key[];
    if (key === undefined) throw new Error('no key');
    const baseUrl = new URL('/book', exchange.directUrl).href;
    const client = new BookClient({
      baseUrl,
      credentials: keyCredentials({ key: key.id, secret: key.secret }),
    });
    const ways = {
      bare: (order: OrderRequest) => placeBare(baseUrl, key, order),
      library: client.placeOrder.bind(client),
    };
    const latencies_ms: Record<keyof typeof ways, number[]> = { bare: [], library: [] };
    for (let index = -WARM_UP_ORDERS; index < ORDERS; index++) {
      for (const [way, place] of Object.entries(ways) as [
        keyof typeof ways,
        (order: OrderRequest) => Promise<unknown>,
      ][]) {
        const order = orderOf(`${way}-${index}`, index);
        const started = performance.now();
        await place(order);
        if (index >= 0) latencies_ms[way].push(performance.now() - started);
      }
    }
    for (const all of Object.values(latencies_ms)) all.sort((a, b) => a - b);
    return {
      bare_p50_ms: percentile(latencies_ms.bare, 50),
      bare_p99_ms: percentile(latencies_ms.bare, 99),
      library_p50_ms: percentile(latencies_ms.library, 50),
      library_p99_ms: percentile(latencies_ms.library, 99),
    };
  } finally {
    await exchange.stop();
  }
}

/** Orders that rest, both ways the same. */
function orderOf(client_order_id: string, index: number): OrderRequest & { readonly client_order_id: string } {
  const price = String((MID_CENTS - 1 - (Math.abs(index) % 50)) / 100);
  return { client_order_id, symbol: 'COIN-USD', side: 'buy', type: 'limit', price, size: '1' };
}

/** What a program writes without the library, and no more than that: it signs, sends once, and reads. */
async function placeBare(baseUrl: string, key: Key, order: OrderRequest): Promise<unknown> {
  const url = new URL(`${baseUrl}/v1/orders`);
  const body = JSON.stringify({ ...order, price: Number(order.price), size: Number(order.size) });
  const timestamp = Date.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': String(order.client_order_id),
      'x-api-key': key.id,
      'x-api-timestamp': String(timestamp),
      'x-api-signature': signature(key.secret, timestamp, 'POST', url.pathname, body),
    },
    body,
  });
  if (!response.ok) throw new Error(`an order was answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

interface BookCost {
  readonly depth: number;
  readonly core_percent: number;
  readonly growth_kib: number;
}

function costOfBook(depth: number): BookCost {
  const market = new PlayedMarket(depth);
  const socket: Socket = { onopen: null, onclose: null, onerror: null, onmessage: null, send() {}, close() {} };
  const feed = bookFeed({ baseUrl: 'http://bench/book', open: () => socket });
  feed.start();
  socket.onopen?.();
  const followed = new FollowedBook(feed, 'COIN-USD', depth);
  let changes = 0;
  followed.watch(() => {
    changes += 1;
  });
  socket.onmessage?.({ data: market.snapshot() });
  let cpu_us = 0;
  let measured = 0;
  let first_bytes = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const messages = Array.from({ length: UPDATES_PER_BATCH }, () => market.update());
    const before = process.cpuUsage();
    for (const data of messages) socket.onmessage?.({ data });
    const used = process.cpuUsage(before);
    // The first batch warms up.
    if (batch === 0) first_bytes = memoryInUse_bytes();
    else {
      cpu_us += used.user + used.system;
      measured += UPDATES_PER_BATCH;
    }
  }
  const growth_kib = (memoryInUse_bytes() - first_bytes) / 1_024;
  if (followed.state !== 'fresh' || changes <= UPDATES_PER_BATCH * BATCHES) throw new Error('the book was not kept');
  feed.stop();
  return { depth, core_percent: (cpu_us / measured / 1_000_000) * UPDATES_PER_S * 100, growth_kib };
}

/** The feed's side of one pair: as many levels a side as a subscriber follows, of which each update changes a few near the top. */
class PlayedMarket {
  readonly #sides: readonly [bids: Map<number, number>, asks: Map<number, number>];
  readonly #depth: number;
  #sequence = 1;

  constructor(depth: number) {
    this.#depth = depth;
    const side = (direction: 1 | -1) =>
      new Map(Array.from({ length: depth }, (_, at) => [priceOf(at, direction), 1 + (at % 90)] as const));
    this.#sides = [side(-1), side(1)];
  }

  snapshot(): string {
    return this.#message('orderbook_snapshot', {}, this.#levels(0), this.#levels(1));
  }

  update(): string {
    const prev_sequence = this.#sequence;
    this.#sequence += 1;
    const changed: [WireLevel[], WireLevel[]] = [[], []];
    for (let count = 1 + (this.#sequence % LEVELS_CHANGED_MAX); count > 0; count--) {
      const side = (this.#sequence + count) % 2;
      // Most of what happens in a book happens near its top.
      const at = Math.floor(this.#depth * Math.random() ** 3);
      const price = priceOf(at, side === 0 ? -1 : 1);
      const size = 1 + Math.floor(Math.random() * 1_000);
      this.#sides[side]?.set(price, size);
      changed[side]?.push([price, size]);
    }
    return this.#message('orderbook_update', { prev_sequence }, ...changed);
  }

  #message(type: string, more: object, bids: readonly WireLevel[], asks: readonly WireLevel[]): string {
    const checksum = bookChecksum(this.#levels(0), this.#levels(1));
    const topic = { channel: 'orderbook', symbol: 'COIN-USD', timestamp: Date.now() };
    return JSON.stringify({ type, ...topic, sequence: this.#sequence, ...more, bids, asks, checksum });
  }

  /** In their order from the start: changes replace sizes. */
  #levels(side: 0 | 1): WireLevel[] {
    return [...this.#sides[side]];
  }
}

function priceOf(at: number, direction: 1 | -1): number {
  return (MID_CENTS + direction * (1 + at)) / 100;
}

const orders = await costOfOrders();
const books = DEPTHS.map(costOfBook);
const [book, deepBook] = books as [BookCost, BookCost];
printReport({
  bench: 'sdk',
  ratio: orders.library_p50_ms / orders.bare_p50_ms,
  table: [
    { what: 'bare fetch, an order', 'p50 ms': orders.bare_p50_ms, 'p99 ms': orders.bare_p99_ms },
    { what: 'library, an order', 'p50 ms': orders.library_p50_ms, 'p99 ms': orders.library_p99_ms },
    ...books.map(({ depth, core_percent, growth_kib }) => ({
      what: `book of ${depth} levels at ${UPDATES_PER_S}/s`,
      '% of a core': core_percent,
      'KiB more after all': growth_kib,
    })),
  ],
  figures: {
    ...orders,
    updates: UPDATES_PER_BATCH * BATCHES,
    book_core_percent: Number(book.core_percent.toFixed(2)),
    book_growth_kib: Math.round(book.growth_kib),
    deep_book_core_percent: Number(deepBook.core_percent.toFixed(2)),
  },
});
