import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { batchText } from '../../../domain/ledger/batch-text.ts';
import type { JournalSource } from '../../../domain/ledger/journal-source.ts';
import type {
  BalanceMove,
  OrderAdmission,
  OrderState,
  SettlementChunk,
  Trade,
} from '../../../domain/ledger/records.ts';
import type { BookBatch, Transfer } from '../../../domain/ledger/transactions.ts';
import { type CommitAnswer, type LedgerApi, ledgerOf } from '../../../durable-objects/ledger/api.ts';

const TRIES_MAX = 200;
const CASH = 'usd';

/** A fresh stub. */
export function ledgerNamed(shard: string): LedgerApi {
  return ledgerOf(env, shard);
}

/** Asks as callers do: the same again on a fresh stub when the object is lost. */
export async function ask<Answer>(shard: string, question: (ledger: LedgerApi) => Promise<Answer>): Promise<Answer> {
  let last: unknown;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return await question(ledgerNamed(shard));
    } catch (error) {
      last = error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  throw new Error('the ledger did not come back', { cause: last });
}

/** A ledger's whole journal: from R2, and what is not sealed from the ledger. */
export function sourceOf(shard: string): JournalSource {
  return {
    partAfter: (seq) => ask(shard, (ledger) => ledger.journalPartAfter(seq)),
    segmentText: async (key) => (await env.LEDGER_JOURNAL.get(key))?.text() ?? null,
  };
}

/** Ends the running instance; what is on disk stays. */
export async function restart(shard: string): Promise<void> {
  const stub = env.LEDGER.getByName(shard);
  await runInDurableObject(stub, async (_, { storage }) => storage.sync());
  await runInDurableObject(stub, (_, state) => state.abort('killed by a test')).catch(() => undefined);
}

/** Runs SQL in the storage of a ledger. */
export function inStorage<Result>(shard: string, run: (storage: DurableObjectStorage) => Result): Promise<Result> {
  return runInDurableObject(env.LEDGER.getByName(shard), (_, { storage }) => run(storage));
}

export function deposit(account: string, amount: number, terms: Partial<Transfer> = {}): Transfer {
  return {
    kind: 'transfer',
    id: uuidv7(),
    type: 'deposit',
    account,
    asset: CASH,
    amount,
    cost: 0,
    tracksLots: false,
    lots: [],
    reference: null,
    createdAt: Date.now(),
    event: null,
    ...terms,
  };
}

/** A buy that holds `reserve` of cash. */
export function order(account: string, reserve: number, terms: Partial<OrderAdmission> = {}): OrderAdmission {
  return {
    id: uuidv7(),
    account,
    owner: 'org-test',
    keyId: null,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: reserve,
    price: 1,
    stopPrice: null,
    expiresAt: null,
    clientOrderId: null,
    status: 'open',
    reserveAsset: CASH,
    reserve,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: Date.now(),
    code: null,
    daily: null,
    ...terms,
  };
}

const NO_EFFECTS: SettlementChunk = {
  trades: [],
  orders: [],
  balances: [],
  lots: [],
  lotMoves: [],
  amendments: [],
  bars: [],
};

function stateOf({ id, quantity, price }: OrderAdmission, terms: Partial<OrderState>): OrderState {
  const now = Date.now();
  return {
    id,
    status: 'cancelled',
    filled: 0,
    filledNotional: 0,
    fee: 0,
    reserve: 0,
    allowance: 0,
    position: 0,
    restricted: false,
    quantity,
    price,
    code: null,
    updatedAt: now,
    executedAt: null,
    cancelledAt: null,
    ...terms,
  };
}

function moveOf(account: string, asset: string, available: number, terms: Partial<BalanceMove> = {}): BalanceMove {
  return { account, asset, available, bought: 0, sold: 0, ...terms };
}

/** The effects of a cancelled buy. `off` makes them create money, which no ledger may take. */
export function cancelled(buy: OrderAdmission, off = 0): SettlementChunk {
  return {
    ...NO_EFFECTS,
    orders: [stateOf(buy, { cancelledAt: Date.now() })],
    balances: [moveOf(buy.account, CASH, buy.reserve + off)],
  };
}

/** The effects of a buy and a sell of the same quantity that fill each other whole, at price 1. */
export function filled(buy: OrderAdmission, sell: OrderAdmission, sequence: number): SettlementChunk {
  const { quantity } = buy;
  const executedAt = Date.now();
  const trade: Trade = {
    id: uuidv7(),
    sequence,
    price: 1,
    quantity,
    notional: quantity,
    takerSide: 'sell',
    buyOrder: buy.id,
    sellOrder: sell.id,
    buyer: buy.account,
    seller: sell.account,
    buyerFee: 0,
    sellerFee: 0,
    executedAt,
  };
  const bar = { open: 1, high: 1, low: 1, close: 1, volume: quantity, quoteVolume: quantity, trades: 1 };
  const final = { status: 'filled', filled: quantity, filledNotional: quantity, executedAt } as const;
  return {
    ...NO_EFFECTS,
    trades: [trade],
    orders: [stateOf(buy, final), stateOf(sell, final)],
    balances: [
      moveOf(buy.account, sell.reserveAsset, quantity, { bought: quantity }),
      moveOf(buy.account, CASH, 0),
      moveOf(sell.account, CASH, quantity),
      moveOf(sell.account, sell.reserveAsset, 0, { sold: quantity }),
    ],
    bars: [{ interval: '1d', bucket: 0, ...bar }],
  };
}

/** A book as the ledger sees it: it takes ownership and sends its batches by number. */
export class TestBook {
  readonly shard: string;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly owner = crypto.randomUUID();
  #batch = 0;
  #settled = 0;

  constructor(shard: string, symbol: string) {
    this.shard = shard;
    this.symbol = symbol;
    this.baseAsset = symbol.split('-')[0]?.toLowerCase() ?? '';
  }

  async takeOver(): Promise<this> {
    const { owner: previousOwner } = await ask(this.shard, (ledger) => ledger.fence(this.symbol));
    const outcome = await ask(this.shard, (ledger) =>
      ledger.takeOwnership({ kind: 'own', book: this.symbol, owner: this.owner, previousOwner }),
    );
    if (outcome.type !== 'taken') throw new Error(`fixture: ${this.symbol} was not taken over`);
    this.#batch = outcome.batch;
    this.#settled = outcome.settled;
    return this;
  }

  /** The text of the next batch. */
  compose(orders: readonly OrderAdmission[], chunks: readonly SettlementChunk[] = []): string {
    const batch: BookBatch = {
      kind: 'batch',
      book: this.symbol,
      owner: this.owner,
      batch: this.#batch + 1,
      settledFrom: this.#settled,
      settledTo: this.#settled + chunks.length,
      baseAsset: this.baseAsset,
      quoteAsset: CASH,
      tracksLots: false,
      emitsEvents: false,
      chunks,
      orders,
      amendments: [],
    };
    this.#batch += 1;
    this.#settled += chunks.length;
    return batchText(batch);
  }

  /** Sends a batch until its outcome is known. */
  send(text: string): Promise<CommitAnswer> {
    return ask(this.shard, (ledger) => ledger.commitText(text)).then((answer) => JSON.parse(answer) as CommitAnswer);
  }
}
