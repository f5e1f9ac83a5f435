import { createAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { createMarket } from '../../data/markets/markets.ts';
import { brokerOf } from '../../durable-objects/broker/broker-of.ts';
import { orderBookOf, type PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { submitAsText } from '../../durable-objects/order-book/rpc/call-text.ts';
import { openMarkets } from './open-markets.ts';
import { sampleOrders } from './order-flow-sample.ts';

export { Ledger } from '../../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../../durable-objects/order-book/order-book.ts';
export { SandboxBroker } from '../../durable-objects/sandbox-broker/sandbox-broker.ts';

const CALL_COMMANDS = 100;
const CALLS_UNDER_WAY = 8;
const ASK_AGAIN_MS = 20;
/** Below every price of the sandbox: what is bought at it rests. */
const PRICE = 1_00;

/** Markets `R0-USD` …, which execute at the broker, beside as many `B0-USD` … that match here. */
async function setUp(env: Env, markets: number): Promise<void> {
  await openMarkets(env, { markets, securities: 0 });
  const db = database(env.DB);
  const createdAt = Date.now();
  for (let at = 0; at < markets; at++) {
    const id = `r${at}`;
    const listed = { category: 'stocks', rail: 'public', executionRoute: 'broker' } as const;
    await createAsset(db, { id, symbol: `R${at}`, name: id, scale: 0, createdAt, ...listed });
    await createMarket(db, {
      route: 'broker',
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
  }
}

/** The same orders for either route: buys that rest. */
function restingBuys(seed: number, count: number): PlaceCommand[] {
  return sampleOrders(seed, count).map((order) => ({ ...order, terms: { ...order.terms, side: 'buy', price: PRICE } }));
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

/** Until the broker has so many open orders. */
async function handedOver(env: Env, symbol: string, count: number): Promise<void> {
  for (;;) {
    let found = 0;
    let page: string | null = null;
    do {
      const read: Awaited<ReturnType<ReturnType<typeof brokerOf>['openOrders']>> = await brokerOf(env).openOrders(
        symbol,
        page,
      );
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
        await handedOver(env, symbol, number('orders'));
        return Response.json({});
      default:
        return new Response(null, { status: 404 });
    }
  },
};
