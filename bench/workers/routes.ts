import { createAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { createMarket } from '../../data/markets/markets.ts';
import type { VenueRoute } from '../../domain/markets/market.ts';
import { venueOf } from '../../durable-objects/broker/broker-of.ts';
import { orderBookOf, type PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { submitAsText } from '../../durable-objects/order-book/rpc/call-text.ts';
import { openMarkets } from './open-markets.ts';
import { ACCOUNTS, accountId, sampleOrders } from './order-flow-sample.ts';

export * from './exchange-objects.ts';

const CALL_COMMANDS = 100;
const CALLS_UNDER_WAY = 8;
const ASK_AGAIN_MS = 20;
/** Below every price of the sandbox: what is bought at it rests. */
const PRICE = 1_00;

/** Markets of a route beside those that match here: names of their assets, and what those are. */
const ROUTED = [
  { prefix: 'r', route: 'broker', listed: { category: 'stocks', rail: 'public' } },
  { prefix: 'p', route: 'prime', listed: { category: 'crypto', rail: 'digital' } },
  { prefix: 'i', route: 'indication', listed: { category: 'pre-ipo', rail: 'private' } },
] as const;

/** Markets `R0-USD` … at the broker, `PRIME:P0-USD` … and `I0.IOI-USD` …, beside as many `B0-USD` … that match here. */
async function setUp(env: Env, markets: number): Promise<void> {
  await openMarkets(env, { markets, securities: 0 });
  const db = database(env.DB);
  const createdAt = Date.now();
  for (const { prefix, route, listed } of ROUTED)
    for (let at = 0; at < markets; at++) {
      const id = `${prefix}${at}`;
      const named = { id, symbol: id.toUpperCase(), name: id, scale: 0, createdAt };
      await createAsset(db, { ...named, executionRoute: route, ...listed });
      const opened = await createMarket(db, {
        route,
        baseAsset: id,
        quoteAsset: 'usd',
        priceScale: 2,
        tickSize: 1,
        lotSize: 1,
        quantityMin: 1,
        quantityMax: 1_000_000,
        takerFeeBps: 5,
        createdAt,
      });
      if (!opened.ok) throw new Error(`bench market of ${id}: ${JSON.stringify(opened.error)}`);
    }
}

/** The same orders for any route: buys that rest, of each account as many. */
function restingBuys(seed: number, count: number): PlaceCommand[] {
  return sampleOrders(seed, count).map((order, at) => ({
    ...order,
    account: accountId(at % ACCOUNTS),
    terms: { ...order.terms, side: 'buy', price: PRICE },
  }));
}

async function accept(env: Env, symbol: string, orders: readonly PlaceCommand[]): Promise<void> {
  let next = 0;
  const feed = async (): Promise<void> => {
    while (next < orders.length) {
      const from = next;
      next += CALL_COMMANDS;
      const results = await submitAsText(orderBookOf(env, symbol), orders.slice(from, from + CALL_COMMANDS));
      for (const result of results)
        if (result.type !== 'done') throw new Error(`bench order refused: ${JSON.stringify(result)}`);
    }
  };
  await Promise.all(Array.from({ length: CALLS_UNDER_WAY }, feed));
}

/** Until the broker of a route has so many open orders. */
async function handedOver(env: Env, route: VenueRoute, symbol: string, count: number): Promise<void> {
  const venue = venueOf(env, route);
  for (;;) {
    let found = 0;
    let page: string | null = null;
    do {
      const read: Awaited<ReturnType<typeof venue.openOrders>> = await venue.openOrders(symbol, page);
      if (!read.ok) throw new Error(read.error.detail);
      found += read.value.orders.length;
      page = read.value.next;
    } while (page !== null);
    if (found >= count) return;
    await scheduler.wait(ASK_AGAIN_MS);
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    const symbol = url.searchParams.get('symbol') ?? '';
    switch (url.pathname) {
      case '/setup':
        await setUp(env, number('markets'));
        return Response.json({});
      case '/accept':
        await accept(env, symbol, restingBuys(number('seed'), number('orders')));
        return Response.json({});
      case '/handed-over':
        await handedOver(env, url.searchParams.get('route') === 'prime' ? 'prime' : 'broker', symbol, number('orders'));
        return Response.json({});
      default:
        return new Response(null, { status: 404 });
    }
  },
};
