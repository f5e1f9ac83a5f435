import { deposit } from '../../application/ledger/transfers.ts';
import { openAccount } from '../../data/accounts/accounts.ts';
import { createOrganization } from '../../data/accounts/organizations.ts';
import { runAudit } from '../../data/audit/run-audit.ts';
import { createAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { readBookConfig } from '../../data/markets/book-config.ts';
import { createMarket } from '../../data/markets/markets.ts';
import { listFillsOf } from '../../data/orders/settled-trades.ts';
import type { BookCommand, BookResult, OrderBookApi } from '../../durable-objects/order-book/api.ts';
import { journalEntryOf } from '../../durable-objects/order-book/journal/journal-text.ts';
import { OrderBook } from '../../durable-objects/order-book/order-book.ts';
import type { ComparedSteps, JournalRow, OpenMarket, ReplayCalls } from '../../scripts/replay/exchange/protocol.ts';
import { rowDifference } from '../../scripts/replay/lobster/row-difference.ts';
import type { ReplayCommand } from '../../scripts/replay/plan.ts';

export { Ledger } from '../../durable-objects/ledger/ledger.ts';

interface ReplayEnv {
  readonly DB: D1Database;
  readonly ORDER_BOOK: DurableObjectNamespace;
  readonly LEDGER: DurableObjectNamespace;
}

interface ReplayBook extends OrderBookApi {
  journalAfter(seq: number): Promise<JournalRow[]>;
}

const SYMBOL = 'STOCK-USD';
const OWNER = 'replay';
/** LOBSTER prices are dollars × 10,000; cash is kept in the same unit, so that every price makes whole amounts. */
const PRICE_SCALE = 4;
const QUANTITY_MAX = 1_000_000_000;
const FILLS_PER_CALL = 5_000;
const JOURNAL_ROWS_PER_CALL = 1_000;
const SETTLE_TRIES_MAX = 12;

/** The order book as deployed; recordings read its journal. */
export class JournaledOrderBook extends OrderBook {
  journalAfter(seq: number): JournalRow[] {
    return this.ctx.storage.sql
      .exec<{ seq: number; entry: string }>(
        'SELECT seq, entry FROM journal WHERE seq > ? ORDER BY seq LIMIT ?',
        seq,
        JOURNAL_ROWS_PER_CALL,
      )
      .toArray()
      .map((row) => ({ seq: row.seq, entry: journalEntryOf(row.entry) }));
  }
}

const bookOf = (env: ReplayEnv): ReplayBook => env.ORDER_BOOK.getByName(SYMBOL) as unknown as ReplayBook;

/** Bids and asks rest in accounts of their own and takers have another: no order meets one of its own account. */
const ACCOUNTS = { bids: 'replay-bids', asks: 'replay-asks', takers: 'replay-takers' } as const;

/** The stock keeps no lots: all of a day's trades are in three accounts, whose lots would grow without end. */
async function open(env: ReplayEnv, { tickSize, cash, shares }: OpenMarket): Promise<Record<string, never>> {
  const db = database(env.DB);
  const createdAt = Date.now();
  await createOrganization(db, { id: OWNER, name: OWNER, createdAt });
  await createAsset(db, {
    id: 'usd',
    symbol: 'USD',
    name: 'US dollar',
    category: 'currency',
    scale: PRICE_SCALE,
    createdAt,
  });
  await createAsset(db, {
    id: 'stock',
    symbol: 'STOCK',
    name: 'The replayed stock',
    category: 'stocks',
    rail: 'public',
    scale: 0,
    executionRoute: 'internal',
    createdAt,
  });
  const market = await createMarket(db, {
    baseAsset: 'stock',
    quoteAsset: 'usd',
    priceScale: PRICE_SCALE,
    tickSize,
    lotSize: 1,
    quantityMin: 1,
    quantityMax: QUANTITY_MAX,
    createdAt,
  });
  if (!market.ok) throw new Error(`the market was refused: ${JSON.stringify(market.error)}`);
  const facts = { cost: 0, lots: [], reference: null, createdAt, action: null };
  for (const account of Object.values(ACCOUNTS)) {
    const user = { id: `user-${account}`, owner: OWNER, phone: null, email: '', name: account, roles: [], createdAt };
    await openAccount(db, user, { id: account, kycStatus: 'completed' });
    for (const holding of [
      { asset: 'usd', amount: cash },
      { asset: 'stock', amount: shares },
    ]) {
      const result = await deposit(env as unknown as Env, { id: crypto.randomUUID(), account, ...holding, ...facts });
      if (!result.ok) throw new Error(`a deposit was refused: ${JSON.stringify(result.error)}`);
    }
  }
  return {};
}

function bookCommand(command: ReplayCommand): BookCommand {
  const { orderId, side } = command;
  const account = command.type === 'take' ? ACCOUNTS.takers : command.side === 'buy' ? ACCOUNTS.bids : ACCOUNTS.asks;
  switch (command.type) {
    case 'cancel':
      return { type: 'cancel', orderId, account };
    case 'reduce':
      return {
        type: 'amend',
        amendmentId: command.amendmentId,
        stopPrice: null,
        checkedOver: null,
        orderId,
        account,
        quantity: command.quantity,
        price: null,
        unfilledOnly: false,
        limitedKey: null,
        factsVersion: 1,
        rulesVersion: 1,
      };
    default:
      return {
        type: 'place',
        orderId,
        account,
        owner: OWNER,
        keyId: null,
        clientOrderId: null,
        terms: {
          side,
          type: 'limit',
          timeInForce: command.type === 'take' ? 'IOC' : 'GTC',
          quantity: command.quantity,
          price: command.price,
          stopPrice: null,
          expiresAt: null,
          selfTradePrevention: 'cancel_newest',
          hidden: false,
          displayQuantity: null,
        },
        attributes: 0,
        requires: 0,
        allowanceAsset: null,
        positionAsset: null,
        daily: null,
        factsVersion: 1,
        rulesVersion: 1,
      };
  }
}

/** Where the book has gone another way than the file, its orders may be gone; anything else that is refused ends the replay. */
const EXPECTED_REFUSALS: readonly string[] = [
  'order_not_found',
  'order_not_cancellable',
  'order_not_modifiable',
  'invalid_amendment',
];

async function submit(book: ReplayBook, commands: readonly ReplayCommand[]): Promise<void> {
  if (commands.length === 0) return;
  for (const result of await book.submit(commands.map(bookCommand))) assertTaken(result);
}

function assertTaken(result: BookResult): void {
  if (result.type === 'unavailable') throw new Error(`the book did not take order ${result.orderId}`);
  if (result.type === 'refused' && !EXPECTED_REFUSALS.includes(result.refusal.reason)) {
    throw new Error(`order ${result.orderId} was refused: ${JSON.stringify(result.refusal)}`);
  }
}

async function compareSteps(
  env: ReplayEnv,
  { from, levels, steps }: ComparedSteps,
): Promise<ReplayCalls['steps']['answer']> {
  const book = bookOf(env);
  const differences: ReplayCalls['steps']['answer']['differences'] = [];
  for (const [index, { commands, row }] of steps.entries()) {
    await submit(book, commands);
    const difference = rowDifference(row, await book.depth(levels), levels);
    if (difference !== null) differences.push({ step: from + index, difference });
  }
  return { differences };
}

async function close(env: ReplayEnv): Promise<ReplayCalls['close']['answer']> {
  const book = bookOf(env);
  let isSettled = false;
  for (let tries = 0; tries < SETTLE_TRIES_MAX && !isSettled; tries++) isSettled = await book.settled();
  if (!isSettled) throw new Error('the book did not settle');
  const { halted } = await book.status();
  const stateHash = (await book.stateHash())?.stateHash ?? '';
  return { audit: await runAudit(database(env.DB)), stateHash, halted };
}

async function journal(env: ReplayEnv, after: number): Promise<ReplayCalls['journal']['answer']> {
  const config = await readBookConfig(env.DB, SYMBOL);
  if (config === null) throw new Error('the market is not open');
  const { symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale, tracksLots } = config.market;
  const market = { symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale, tracksLots };
  return { market, rows: await bookOf(env).journalAfter(after) };
}

const calls: {
  [Name in keyof ReplayCalls]: (env: ReplayEnv, ask: ReplayCalls[Name]['ask']) => Promise<ReplayCalls[Name]['answer']>;
} = {
  open,
  close,
  steps: compareSteps,
  submit: async (env, { commands }) => {
    await submit(bookOf(env), commands);
    return {};
  },
  fills: async (env, { after }) => ({
    fills: await listFillsOf(database(env.DB), SYMBOL, { after, limit: FILLS_PER_CALL }),
  }),
  journal: (env, { after }) => journal(env, after),
};

export default {
  async fetch(request: Request, env: ReplayEnv): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1);
    if (!Object.hasOwn(calls, name)) return new Response(null, { status: 404 });
    const call = calls[name as keyof ReplayCalls] as (env: ReplayEnv, ask: unknown) => Promise<unknown>;
    return Response.json(await call(env, await request.json()));
  },
};
