import type { LedgerApi } from '../../durable-objects/ledger/api.ts';
import type { OrderBookApi } from '../../durable-objects/order-book/api.ts';
import { BookState } from '../../durable-objects/order-book/cycle/book-state.ts';
import { Journal } from '../../durable-objects/order-book/journal/journal.ts';
import { OrderBook } from '../../durable-objects/order-book/order-book.ts';
import type { LedgerWork, RecoveryWork } from '../recovery-work.ts';
import { openMarkets } from './open-markets.ts';
import { ACCOUNTS, accountId, sampleOrders } from './order-flow-sample.ts';

export { LosableLedger } from './losable-ledger.ts';

interface RecoveryEnv {
  readonly DB: D1Database;
  readonly ORDER_BOOK: DurableObjectNamespace;
  readonly LEDGER: DurableObjectNamespace;
}

const SYMBOL = 'B0-USD';
const CALL_COMMANDS = 500;

interface LosableBook extends OrderBookApi {
  work(): Promise<RecoveryWork>;
  readRaw(): Promise<number>;
  loadSnapshot(): Promise<number>;
  replay(): Promise<number>;
  lose(): Promise<void>;
}

/** The order book as deployed; the bench loses it, and takes the parts of its recovery one at a time. */
export class LosableOrderBook extends OrderBook {
  async work(): Promise<RecoveryWork> {
    const { liveOrders } = await this.status();
    const { sql } = this.ctx.storage;
    const row = sql
      .exec<{ journaled: number; replay: number }>(
        `SELECT sum(commands) AS journaled,
           sum(commands) FILTER (WHERE seq > (SELECT json_extract(value, '$.seq') FROM meta WHERE key = 'snapshot')) AS replay
         FROM journal`,
      )
      .one();
    return {
      journaledCommands: row.journaled,
      commandsToReplay: row.replay,
      liveOrders,
      bytes: this.readRaw(),
    };
  }

  /** The floor: every row that recovery needs, read and not looked at. Answers their bytes. */
  readRaw(): number {
    const { sql } = this.ctx.storage;
    let bytes = 0;
    for (const { data } of sql.exec<{ data: string }>('SELECT data FROM snapshot ORDER BY part')) bytes += data.length;
    const entries = sql.exec<{ entry: string }>(
      `SELECT entry FROM journal
       WHERE seq > (SELECT json_extract(value, '$.seq') FROM meta WHERE key = 'snapshot') ORDER BY seq`,
    );
    for (const { entry } of entries) bytes += entry.length;
    return bytes;
  }

  /** Answers the live orders of the snapshot. */
  loadSnapshot(): number {
    return this.#restore().state.engine.size;
  }

  /** Snapshot and replay, each entry's effects compared as in a recovery. Answers the live orders. */
  replay(): number {
    const { state, rows } = this.#restore();
    for (const row of rows) {
      if (row.type === 'broken') throw new Error(row.reason);
      state.goBy(row.version);
      const { chunks } = state.run(row.entry);
      if (!row.gave(chunks)) throw new Error('the replay differs');
    }
    return state.engine.size;
  }

  lose(): never {
    this.ctx.abort('lost by the bench');
    throw new Error('lost by the bench');
  }

  #restore(): { state: BookState; rows: ReturnType<Journal['restore']>['rows'] } {
    const journal = new Journal(this.ctx.storage);
    const { config } = journal;
    if (config === null) throw new Error('the book never started');
    const { version, snapshot, rows } = journal.restore();
    return { state: new BookState(config.market, snapshot, version), rows };
  }
}

interface LosableLedgerApi extends LedgerApi {
  fill(balances: number, rows: number): Promise<LedgerWork>;
  readRaw(): Promise<number>;
  replayed(): Promise<number>;
  lose(): Promise<void>;
}

/** Of a shard that nobody trades in. */
const ledgerOf = (env: RecoveryEnv): LosableLedgerApi =>
  env.LEDGER.getByName('ledger:9') as unknown as LosableLedgerApi;

const bookOf = (env: RecoveryEnv): LosableBook => env.ORDER_BOOK.getByName(SYMBOL) as unknown as LosableBook;

/**
 * Orders in calls of 500. After every second call one account in turn loses its open orders, so that the book stays about as deep
 * however long it trades.
 */
async function trade(env: RecoveryEnv, seed: number, orders: number): Promise<RecoveryWork> {
  const book = bookOf(env);
  const commands = sampleOrders(seed, orders);
  for (let from = 0; from < commands.length; from += CALL_COMMANDS * 2) {
    const calls = [from, from + CALL_COMMANDS].map((at) => book.submit(commands.slice(at, at + CALL_COMMANDS)));
    const refused = (await Promise.all(calls)).flat().find((result) => result.type !== 'done');
    if (refused !== undefined) throw new Error(`bench order refused: ${JSON.stringify(refused)}`);
    const account = accountId((from / (CALL_COMMANDS * 2)) % ACCOUNTS);
    await book.submit([{ type: 'mass_cancel', account, keyId: null, side: null, reason: 'user' }]);
  }
  if (!(await book.settled())) throw new Error('the book did not settle');
  return book.work();
}

export default {
  async fetch(request: Request, env: RecoveryEnv): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    switch (url.pathname) {
      case '/setup':
        await openMarkets(env, { markets: 1, securities: 0 });
        return Response.json({});
      case '/trade':
        return Response.json(await trade(env, number('seed'), number('orders')));
      case '/read-raw':
        return Response.json(await bookOf(env).readRaw());
      case '/load-snapshot':
        return Response.json(await bookOf(env).loadSnapshot());
      case '/replay':
        return Response.json(await bookOf(env).replay());
      case '/lose':
        await bookOf(env)
          .lose()
          .catch(() => undefined);
        return Response.json({});
      case '/order': {
        const [result] = await bookOf(env).submit(sampleOrders(number('seed'), 1));
        return Response.json(result);
      }
      case '/ledger/fill':
        return Response.json(await ledgerOf(env).fill(number('balances'), number('rows')));
      case '/ledger/read-raw':
        return Response.json(await ledgerOf(env).readRaw());
      case '/ledger/replay':
        return Response.json(await ledgerOf(env).replayed());
      case '/ledger/lose':
        await ledgerOf(env)
          .lose()
          .catch(() => undefined);
        return Response.json({});
      case '/ledger/fence':
        return Response.json(await ledgerOf(env).fence('B0-USD'));
      default:
        return new Response(null, { status: 404 });
    }
  },
};
