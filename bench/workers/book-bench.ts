import { openAccount } from '../../data/accounts.ts';
import { createAsset } from '../../data/assets.ts';
import { runAudit } from '../../data/audit/run-audit.ts';
import { database } from '../../data/database.ts';
import { createMarket } from '../../data/markets.ts';
import { createOrganization } from '../../data/organizations.ts';
import { deposit } from '../../data/transfers.ts';
import type { OrderBookApi, PlaceCommand } from '../../durable-objects/order-book/api.ts';
import { ACCOUNTS, accountId, sampleOrders } from './order-flow-sample.ts';

export { OrderBook } from '../../durable-objects/order-book/order-book.ts';

interface BenchEnv {
  readonly DB: D1Database;
  readonly ORDER_BOOK: DurableObjectNamespace;
}

const CASH = 10_000_000_000_00;
const SHARES = 1_000_000_000;
const CALL_COMMANDS = 500;

const bookOf = (env: BenchEnv, symbol: string): OrderBookApi =>
  env.ORDER_BOOK.getByName(symbol) as unknown as OrderBookApi;

/** Accounts with cash, and markets `B0-USD` … with holdings in each; `lots` decides whether they are securities. */
async function setup(env: BenchEnv, markets: number, lots: boolean): Promise<void> {
  const db = database(env.DB);
  const createdAt = Date.now();
  await createOrganization(db, { id: 'bench', name: 'bench', createdAt });
  await createAsset(db, { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 2, createdAt });
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => accountId(index));
  for (const account of accounts) {
    const user = {
      id: `user-${account}`,
      owner: 'bench',
      phone: null,
      email: 'bench@example.com',
      name: account,
      roles: [],
      createdAt,
    };
    await openAccount(db, user, { id: account, kycStatus: 'completed' });
  }
  const give = async (account: string, asset: string, amount: number, tracksLots: boolean): Promise<void> => {
    const terms = { account, asset, amount, cost: 0, reference: null, createdAt, action: null };
    const lot = { quantity: amount, cost: 0, acquiredAt: createdAt, restrictionEndsAt: null, offeringType: null };
    const result = await deposit(db, { id: crypto.randomUUID(), ...terms, lots: tracksLots ? [lot] : [] });
    if (!result.ok) throw new Error(`bench setup: ${result.error.reason}`);
  };
  for (const account of accounts) await give(account, 'usd', CASH, false);
  for (let i = 0; i < markets; i++) {
    const id = `b${i}`;
    const terms = lots
      ? ({ category: 'privates', rail: 'private', tracksLots: true } as const)
      : ({ category: 'crypto', rail: 'digital' } as const);
    await createAsset(db, {
      id,
      symbol: id.toUpperCase(),
      name: id,
      scale: 0,
      executionRoute: 'internal',
      createdAt,
      ...terms,
    });
    await createMarket(db, {
      baseAsset: id,
      quoteAsset: 'usd',
      priceScale: 2,
      tickSize: 1,
      lotSize: 1,
      quantityMin: 1,
      quantityMax: 1_000_000,
      makerFeeBps: 2,
      takerFeeBps: 5,
      createdAt,
    });
    for (const account of accounts) await give(account, id, SHARES, lots);
  }
}

/** Orders into each of the books at once, in calls of 500, two calls under way per book; everything settled at the end. */
async function throughBook(env: BenchEnv, seed: number, orders: number, books: number): Promise<object> {
  const work = Array.from({ length: books }, async (_, index) => {
    const symbol = `B${index}-USD`;
    const commands = sampleOrders(seed * 16 + index, orders);
    let next = 0;
    let filled = 0;
    const feed = async (): Promise<void> => {
      while (next < commands.length) {
        const from = next;
        next += CALL_COMMANDS;
        const results = await bookOf(env, symbol).submit(commands.slice(from, from + CALL_COMMANDS));
        for (const result of results) {
          if (result.type !== 'done') throw new Error(`bench order refused: ${JSON.stringify(result)}`);
          if (result.report.filled > 0) filled += 1;
        }
      }
    };
    await Promise.all([feed(), feed(), feed()]);
    if (!(await bookOf(env, symbol).settled())) throw new Error('the book did not settle');
    return filled;
  });
  const filled = (await Promise.all(work)).reduce((sum, each) => sum + each, 0);
  return { takersFilled: filled };
}

const INSERT_ORDER = `INSERT INTO orders (id, account, owner, book, asset_id, admit_batch, open, status, side, type, time_in_force, quantity,
  price, reserve_asset, reserve, facts_version, rules_version, created_at, updated_at)
  VALUES (?1, ?2, 'bench', ?3, ?4, 0, 1, 'open', ?5, 'limit', 'GTC', CAST(?6 AS INTEGER), CAST(?7 AS INTEGER), ?8, CAST(?9 AS INTEGER), 1, 1, 0, 0)`;

/** The floor: the same orders inserted and held row by row, one statement each, in batches of 500; nothing matched or settled. */
async function floor(env: BenchEnv, seed: number, orders: number): Promise<object> {
  const commands = sampleOrders(seed * 16, orders);
  const insert = env.DB.prepare(INSERT_ORDER);
  const bind = ({ orderId, account, terms }: PlaceCommand): D1PreparedStatement => {
    const buy = terms.side === 'buy';
    const reserve = buy ? terms.quantity * (terms.price ?? 0) : terms.quantity;
    return insert.bind(
      orderId,
      account,
      'B0-USD',
      'b0',
      terms.side,
      terms.quantity,
      terms.price ?? 0,
      buy ? 'usd' : 'b0',
      reserve,
    );
  };
  for (let from = 0; from < commands.length; from += CALL_COMMANDS) {
    await env.DB.batch(commands.slice(from, from + CALL_COMMANDS).map(bind));
  }
  return {};
}

export default {
  async fetch(request: Request, env: BenchEnv): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    switch (url.pathname) {
      case '/setup':
        await setup(env, number('markets'), number('lots') === 1);
        return Response.json({});
      case '/book':
        return Response.json(await throughBook(env, number('seed'), number('orders'), number('books')));
      case '/floor':
        return Response.json(await floor(env, number('seed'), number('orders')));
      case '/audit':
        return Response.json((await runAudit(database(env.DB))).filter((row) => !row.holds));
      case '/first-answer':
        return Response.json(await bookOf(env, 'B0-USD').depth(1));
      default:
        return new Response(null, { status: 404 });
    }
  },
};
