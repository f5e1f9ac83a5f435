import { beforeAll, describe, expect, it } from 'vitest';
import {
  AlgorithmRunner,
  type AlgorithmState,
  bookVenue,
  filledOf,
  followWithFeed,
  hidden,
  iceberg,
  startHidden,
  startIceberg,
} from '../../../../clients/sdk/algorithms.ts';
import { bookFeed, type FeedConnection, type Socket } from '../../../../clients/sdk/feeds.ts';
import { BookClient, keyCredentials } from '../../../../clients/sdk/index.ts';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

const BASE = 'http://localhost/book';
const TERMS = { limitPrice: '10.00', lotSize: '1', sizeMin: '1' };

let db: Database;
let buyer: KeyHolder;
let seller: KeyHolder;
let pairs = 0;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  buyer = await createKeyHolder(db, { cash: 1_000_000_00 });
  seller = await createKeyHolder(db);
});

async function freshPair(): Promise<string> {
  pairs += 1;
  const { symbol, baseAsset } = await createPair(db, `SDK${pairs}`);
  await giveHolding({ accountId: seller.accountId, asset: baseAsset, lots: [{ quantity: 1_000 }] });
  return symbol;
}

/** The library as a program has it; `loses` says which answers never arrive. */
function clientOf({ headers }: KeyHolder, loses: (method: string) => boolean = () => false): BookClient {
  const { 'x-api-key': key = '', 'x-api-secret': secret = '', ...others } = headers;
  const fetch = async (url: string, { method, headers: own, body }: RequestInit): Promise<Response> => {
    const sent = new Headers(own);
    for (const [name, value] of Object.entries(others)) sent.set(name, value);
    const response = await callWorker(url, { method: method ?? 'GET', headers: sent, body: body ?? null });
    if (!loses(String(method))) return response;
    await response.text();
    throw new TypeError('the connection was lost');
  };
  const seams = { fetch, pause: async () => {} };
  return new BookClient({ baseUrl: BASE, credentials: keyCredentials({ key, secret }), seams });
}

function startedFeed({ headers }: KeyHolder): FeedConnection {
  const { 'x-api-key': api_key = '', 'x-api-secret': api_secret = '', ...others } = headers;
  const open = (): Socket => {
    let inner: WebSocket | null = null;
    const socket: Socket = {
      onopen: null,
      onclose: null,
      onerror: null,
      onmessage: null,
      send: (text) => inner?.send(text),
      close: () => inner?.close(1000, 'done'),
    };
    void callWorker(`${BASE}/v1/ws`, { headers: { upgrade: 'websocket', ...others } }).then(({ webSocket }) => {
      if (webSocket === null) throw new Error('no handshake');
      webSocket.accept();
      inner = webSocket;
      webSocket.addEventListener('message', ({ data }) => socket.onmessage?.({ data }));
      webSocket.addEventListener('close', () => socket.onclose?.());
      socket.onopen?.();
    });
    return socket;
  };
  const feed = bookFeed({ baseUrl: BASE, auth: async () => ({ api_key, api_secret }), open });
  feed.start();
  return feed;
}

const sell = (client: BookClient, symbol: string, size: string, price = '10.00') =>
  client.placeOrder({ symbol, side: 'sell', type: 'limit', price, size });

async function bidsOf(client: BookClient, symbol: string): Promise<string[]> {
  const { bids } = await client.get('/v1/orderbook/{symbol}', { path: { symbol }, query: { depth: 5 } });
  return bids.map(({ price, size }) => `${size} at ${price}`);
}

describe('the client library at the exchange', () => {
  it('places once though answers are lost, reads the order by its id, and pages through its orders', async () => {
    const symbol = await freshPair();
    let lost = 0;
    const client = clientOf(buyer, (method) => method === 'POST' && ++lost < 3);
    const request = { client_order_id: 'once', symbol, side: 'buy', type: 'limit', price: '9.50', size: '2' } as const;
    const order = await client.placeOrder(request);
    expect([order.status, order.price, lost]).toEqual(['open', '9.5', 3]);
    expect(await bidsOf(client, symbol)).toEqual(['2 at 9.5']);
    await client.placeOrder({ ...request, client_order_id: 'twice' });
    const names: (string | null)[] = [];
    for await (const { client_order_id } of client.orders({ symbol, limit: '1' })) names.push(client_order_id);
    expect(names).toEqual(['twice', 'once']);
    expect(await client.cancelCalledOrder('twice')).toMatchObject({ status: 'cancelled' });
    expect(await client.calledOrder('never')).toBeNull();
  });

  it('shows one slice of an iceberg at a time, and goes on after a restart with lost answers', async () => {
    const symbol = await freshPair();
    const stored: AlgorithmState[] = [];
    const terms = { ...TERMS, symbol, side: 'buy', quantity: '10', sliceSize: '4', jitterPercent: 0 } as const;
    let calls = 0;
    const runnerOf = (state: ReturnType<typeof startIceberg>) =>
      new AlgorithmRunner({
        algorithm: iceberg,
        state,
        venue: bookVenue(clientOf(buyer, () => ++calls % 2 === 1)),
        store: (next) => void stored.push(structuredClone(next)),
      });
    const first = runnerOf(startIceberg('ice', terms));
    await first.start();
    await expect.poll(() => bidsOf(clientOf(seller), symbol)).toEqual(['4 at 10']);
    await sell(clientOf(seller), symbol, '4');
    first.close();
    const second = runnerOf(JSON.parse(JSON.stringify(stored.at(-1))));
    const feed = startedFeed(buyer);
    const endFeed = followWithFeed(second, feed);
    await second.start();
    await expect.poll(() => bidsOf(clientOf(seller), symbol)).toEqual(['4 at 10']);
    await sell(clientOf(seller), symbol, '4');
    await expect.poll(() => bidsOf(clientOf(seller), symbol)).toEqual(['2 at 10']);
    await sell(clientOf(seller), symbol, '2');
    const ended = await second.ended;
    endFeed();
    feed.stop();
    expect([ended.reason, filledOf(ended), ended.placed]).toEqual([{ is: 'filled' }, '10', 3]);
    const sizes: string[] = [];
    for await (const { size } of clientOf(buyer).fills({ symbol })) sizes.push(size);
    expect(sizes).toEqual(['4', '4', '2']);
  });

  it('keeps a hidden order off the book, and takes what comes within its limit', async () => {
    const symbol = await freshPair();
    const state = startHidden('hid', { ...TERMS, symbol, side: 'buy', quantity: '5', intervalMs: 100 });
    const runner = new AlgorithmRunner({
      algorithm: hidden,
      state,
      venue: bookVenue(clientOf(buyer)),
      store: () => {},
    });
    const feed = startedFeed(buyer);
    const endFeed = followWithFeed(runner, feed);
    await runner.start();
    await sell(clientOf(seller), symbol, '3', '10.01');
    expect(await bidsOf(clientOf(seller), symbol)).toEqual([]);
    await sell(clientOf(seller), symbol, '3');
    await expect.poll(() => filledOf(runner.state)).toBe('3');
    expect(await bidsOf(clientOf(seller), symbol)).toEqual([]);
    runner.stop();
    const ended = await runner.ended;
    endFeed();
    feed.stop();
    expect([ended.reason, filledOf(ended)]).toEqual([{ is: 'stopped' }, '3']);
  });
});
