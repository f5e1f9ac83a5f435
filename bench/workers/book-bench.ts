import { runAudit } from '../../data/audit/run-audit.ts';
import { database } from '../../data/database.ts';
import { ledgerOf } from '../../durable-objects/ledger/api.ts';
import { orderBookOf, type PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { submitAsText } from '../../durable-objects/order-book/rpc/call-text.ts';
import { openAccounts, openMarkets } from './open-markets.ts';
import { ACCOUNTS, sampleOrders } from './order-flow-sample.ts';

export { Ledger } from '../../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../../durable-objects/order-book/order-book.ts';

interface BenchEnv {
  readonly DB: D1Database;
  readonly ORDER_BOOK: DurableObjectNamespace;
  readonly LEDGER: DurableObjectNamespace;
}

const CALL_COMMANDS = 500;
const CALLS_UNDER_WAY = 8;
const PROJECTED_TRIES_MAX = 60;
const SYMBOLS = ['B0-USD', 'B1-USD', 'B2-USD', 'B3-USD', 'L0-USD'];

interface Flow {
  readonly seed: number;
  readonly orders: number;
  readonly books: number;
  /** First letter of the symbols: `B` keeps no lots, `L` does. */
  readonly kind: string;
  /** Whether the flow ends when D1 has it, and not when the ledger does. */
  readonly untilProjected: boolean;
}

/** Orders into each of the books at once, in calls of 500, eight calls under way per book; everything settled at the end. */
async function throughBook(env: BenchEnv, { seed, orders, books, kind, untilProjected }: Flow): Promise<object> {
  const work = Array.from({ length: books }, async (_, index) => {
    const symbol = `${kind}${index}-USD`;
    const commands = sampleOrders(seed * 16 + index, orders);
    let next = 0;
    let filled = 0;
    const feed = async (): Promise<void> => {
      while (next < commands.length) {
        const from = next;
        next += CALL_COMMANDS;
        const results = await submitAsText(orderBookOf(env, symbol), commands.slice(from, from + CALL_COMMANDS));
        for (const result of results) {
          if (result.type !== 'done') throw new Error(`bench order refused: ${JSON.stringify(result)}`);
          if (result.report.filled > 0) filled += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_UNDER_WAY }, feed));
    if (!(await orderBookOf(env, symbol).settled())) throw new Error('the book did not settle');
    return filled;
  });
  const filled = (await Promise.all(work)).reduce((sum, each) => sum + each, 0);
  if (untilProjected) await untilInD1(env);
  return { takersFilled: filled };
}

async function untilInD1(env: BenchEnv): Promise<void> {
  for (let tries = 0; tries < PROJECTED_TRIES_MAX; tries++) if (await ledgerOf(env).projected()) return;
  throw new Error('the ledger was not projected');
}

/** Empties the books, as the ledger and D1 have room for a bounded number of open orders. */
async function clearBooks(env: BenchEnv): Promise<void> {
  const all = { type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'user' } as const;
  for (const symbol of SYMBOLS) {
    await orderBookOf(env, symbol).submit([all]);
    if (!(await orderBookOf(env, symbol).settled())) throw new Error(`${symbol} did not settle`);
  }
  await untilInD1(env);
}

/** Orders of one account one after the other, each answered before the next is sent. */
async function serially(env: BenchEnv, seed: number, orders: number): Promise<object> {
  for (const command of sampleOrders(seed, orders)) {
    const [result] = await submitAsText(orderBookOf(env, 'B0-USD'), [command]);
    if (result?.type !== 'done') throw new Error(`bench order refused: ${JSON.stringify(result)}`);
  }
  return {};
}

/** The floor of a serial order: two calls of objects that do nothing, one after the other. */
async function twoCalls(env: BenchEnv, times: number): Promise<object> {
  for (let i = 0; i < times; i++) {
    await orderBookOf(env, 'B0-USD').ticker();
    await ledgerOf(env).fence('none');
  }
  return {};
}

const INSERT_ORDER = `INSERT INTO orders (id, account, owner, book, asset_id, open, status, side, type, time_in_force, quantity,
  price, reserve_asset, reserve, created_at, updated_at)
  VALUES (?1, ?2, 'bench', ?3, ?4, 0, 'cancelled', ?5, 'limit', 'GTC', CAST(?6 AS INTEGER), CAST(?7 AS INTEGER), ?8, 0, 0, 0)`;

/** The floor: the same orders merely inserted into D1 row by row, one statement each, in batches of 500; nothing held, matched or settled. */
async function floor(env: BenchEnv, seed: number, orders: number): Promise<object> {
  const commands = sampleOrders(seed * 16, orders);
  const insert = env.DB.prepare(INSERT_ORDER);
  const bind = ({ orderId, account, terms }: PlaceCommand): D1PreparedStatement => {
    const reserveAsset = terms.side === 'buy' ? 'usd' : 'b0';
    return insert.bind(orderId, account, 'B0-USD', 'b0', terms.side, terms.quantity, terms.price ?? 0, reserveAsset);
  };
  for (let from = 0; from < commands.length; from += CALL_COMMANDS) {
    await env.DB.batch(commands.slice(from, from + CALL_COMMANDS).map(bind));
  }
  return {};
}

const ORDERS_PER_STATEMENT = 50_000;

/** Cancelled orders of earlier days (?1 how many, ?2 how many went before), with ids that precede every sample's. */
const STORE_ORDERS = `INSERT INTO orders (id, account, owner, book, asset_id, open, status, side, type, time_in_force, quantity,
  price, filled, filled_notional, reserve_asset, reserve, created_at, updated_at, cancelled_at)
  WITH RECURSIVE n(i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < CAST(?2 AS INTEGER) + CAST(?1 AS INTEGER))
  SELECT printf('00000000-%04x-7%03x-8%03x-%012x', i >> 16, i & 4095, (i >> 12) & 4095, i), printf('bench-%04d', i % ${ACCOUNTS}),
    'bench', 'B0-USD', 'b0', 0, 'cancelled', iif(i & 1, 'buy', 'sell'), 'limit', 'GTC', 10, 10000, 0, 0,
    iif(i & 1, 'usd', 'b0'), 0, 0, 0, 0 FROM n`;

async function storeOrders(env: BenchEnv, orders: number): Promise<void> {
  for (let from = 0; from < orders; from += ORDERS_PER_STATEMENT) {
    await env.DB.prepare(STORE_ORDERS)
      .bind(Math.min(ORDERS_PER_STATEMENT, orders - from), from)
      .run();
  }
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    switch (url.pathname) {
      case '/setup':
        await openMarkets(env, { markets: number('markets'), securities: number('securities') });
        return Response.json({});
      case '/accounts':
        await openAccounts(env, number('from'), number('count'));
        return Response.json({});
      case '/book':
        return Response.json(
          await throughBook(env, {
            seed: number('seed'),
            orders: number('orders'),
            books: number('books'),
            kind: url.searchParams.get('kind') ?? 'B',
            untilProjected: number('projected') === 1,
          }),
        );
      case '/serial':
        return Response.json(await serially(env, number('seed'), number('orders')));
      case '/two-calls':
        return Response.json(await twoCalls(env, number('times')));
      case '/floor':
        return Response.json(await floor(env, number('seed'), number('orders')));
      case '/store':
        await storeOrders(env, number('orders'));
        return Response.json({});
      case '/clear':
        await clearBooks(env);
        return Response.json({});
      case '/audit':
        await untilInD1(env);
        return Response.json((await runAudit(database(env.DB))).filter((row) => !row.holds));
      default:
        return new Response(null, { status: 404 });
    }
  },
};
