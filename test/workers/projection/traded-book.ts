import { uuidv7 } from 'uuidv7';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import type { BatchOutcome } from '../../../domain/ledger/outcomes.ts';
import type {
  AmendmentAdmission,
  BalanceMove,
  LotMove,
  OrderAdmission,
  OrderState,
  ReceivedLot,
  SettlementChunk,
} from '../../../domain/ledger/records.ts';
import type { BookBatch } from '../../../domain/ledger/transactions.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { barsOf } from '../../../durable-objects/order-book/settlement/bars.ts';
import type { JournaledLedger } from './journaled-ledger.ts';

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

interface BookOrder {
  readonly terms: OrderAdmission;
  readonly state: Mutable<OrderState>;
  readonly lots: { lotId: string; quantity: number }[];
}

/** A book of ACME in dollars, without an engine: a test says which of its orders meet. */
export class TradedBook {
  readonly symbol: string;
  readonly owner = uuidv7();
  readonly #journal: JournaledLedger;
  readonly #terms: Partial<BookBatch>;
  readonly #orders = new Map<string, BookOrder>();
  #batch = 0;
  #settled = 0;
  #sequence = 0;

  constructor(journal: JournaledLedger, symbol = 'ACME-USD', terms: Partial<BookBatch> = {}) {
    this.#journal = journal;
    this.symbol = symbol;
    this.#terms = { baseAsset: 'acme', quoteAsset: 'usd', tracksLots: true, emitsEvents: true, ...terms };
    journal.commit({ kind: 'own', book: symbol, owner: this.owner, previousOwner: '' });
  }

  /** A limit order that holds one dollar unit a share more than it costs, for fees; not sent yet. */
  order(
    account: string,
    side: Side,
    quantity: number,
    price: number,
    terms: Partial<OrderAdmission> = {},
  ): OrderAdmission {
    return {
      id: uuidv7(),
      account,
      owner: 'org-test',
      keyId: null,
      side,
      type: 'limit',
      timeInForce: 'GTC',
      quantity,
      price,
      stopPrice: null,
      expiresAt: null,
      clientOrderId: null,
      status: 'open',
      reserveAsset: side === 'buy' ? 'usd' : (this.#terms.baseAsset as string),
      reserve: reserveOf(side, quantity, price),
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      factsVersion: 1,
      rulesVersion: 1,
      createdAt: this.#journal.time,
      code: null,
      daily: null,
      ...terms,
    };
  }

  send(
    orders: readonly OrderAdmission[],
    chunks: readonly SettlementChunk[] = [],
    amendments: readonly AmendmentAdmission[] = [],
  ): BatchOutcome {
    const [outcome] = this.#journal.commit(this.batch(orders, chunks, amendments));
    this.landed(orders, outcome);
    return outcome;
  }

  batch(
    orders: readonly OrderAdmission[],
    chunks: readonly SettlementChunk[] = [],
    amendments: readonly AmendmentAdmission[] = [],
  ): BookBatch {
    const settledFrom = this.#settled;
    this.#settled += chunks.length;
    this.#batch += 1;
    return {
      kind: 'batch',
      book: this.symbol,
      owner: this.owner,
      batch: this.#batch,
      settledFrom,
      settledTo: this.#settled,
      baseAsset: 'acme',
      quoteAsset: 'usd',
      tracksLots: true,
      emitsEvents: true,
      ...this.#terms,
      chunks,
      orders,
      amendments,
    };
  }

  /** Takes in what was admitted. */
  landed(orders: readonly OrderAdmission[], outcome: BatchOutcome): void {
    if (outcome.type !== 'landed') throw new Error('the book lost its fence');
    const refused = new Set(outcome.refused.map(({ id }) => id));
    for (const terms of orders) {
      if (refused.has(terms.id) || terms.code !== null) continue;
      const lots = outcome.lots
        .filter(({ reservationId }) => reservationId === terms.id)
        .map(({ lotId, quantity }) => ({ lotId, quantity }));
      this.#orders.set(terms.id, { terms, lots, state: stateOf(terms) });
    }
  }

  /** What a fill between two admitted orders comes to. `fee` is each side's. */
  fill(buyId: string, sellId: string, quantity: number, price: number, fee = 0): SettlementChunk {
    const time = this.#journal.time;
    const buy = this.#order(buyId);
    const sell = this.#order(sellId);
    const id = uuidv7();
    const notional = quantity * price;
    this.#sequence += 1;
    const trade = {
      id,
      sequence: this.#sequence,
      price,
      quantity,
      notional,
      takerSide: 'buy',
      buyOrder: buyId,
      sellOrder: sellId,
      buyer: buy.terms.account,
      seller: sell.terms.account,
      buyerFee: fee,
      sellerFee: fee,
      executedAt: time,
    } as const;
    const freed = advance(buy, quantity, notional, fee, time);
    advance(sell, quantity, notional, fee, time);
    const base = this.#terms.baseAsset as string;
    const balances = [
      move(trade.buyer, 'usd', freed.reserve - notional - fee),
      { ...move(trade.buyer, base, quantity), bought: notional + fee },
      move(trade.seller, 'usd', notional - fee),
      { ...move(trade.seller, base, 0), sold: quantity },
      ...limitMoves(buy, freed.allowance - notional, notional, freed.position - quantity, quantity),
      ...(sell.terms.positionAsset === null
        ? []
        : [
            move(trade.seller, sell.terms.positionAsset, quantity),
            move(BOUNDARY_ACCOUNT.limits, sell.terms.positionAsset, -quantity),
          ]),
      ...(fee === 0 ? [] : [move(BOUNDARY_ACCOUNT.fees, 'usd', 2 * fee)]),
    ];
    const { lotMoves, lots } = this.#handOver(sell, trade.buyer, quantity, notional + fee, id, time);
    return {
      trades: [trade],
      orders: [{ ...buy.state }, { ...sell.state }],
      balances: summed(balances),
      lots,
      lotMoves,
      amendments: [],
      bars: barsOf([trade], time),
    };
  }

  /** What the end of an order without more fills comes to. */
  end(orderId: string, status: 'cancelled' | 'rejected' = 'cancelled', code = 'user'): SettlementChunk {
    const { terms, state, lots } = this.#order(orderId);
    const freed = [
      move(terms.account, terms.reserveAsset, state.reserve),
      ...(terms.allowanceAsset === null ? [] : [move(terms.account, terms.allowanceAsset, state.allowance)]),
      ...(terms.positionAsset === null ? [] : [move(terms.account, terms.positionAsset, state.position)]),
    ];
    const time = this.#journal.time;
    Object.assign(state, { status, code, reserve: 0, allowance: 0, position: 0, updatedAt: time });
    if (status === 'cancelled') state.cancelledAt = time;
    const lotMoves = lots
      .splice(0)
      .map(({ lotId, quantity }) => ({ reservationId: orderId, lotId, consumed: 0, released: quantity }));
    return { ...NOTHING, orders: [{ ...state }], balances: summed(freed), lotMoves };
  }

  /** What it comes to that an amendment, which holds the difference, was applied to a buy. */
  amend(orderId: string, amendmentId: string, quantity: number): SettlementChunk {
    const { terms, state } = this.#order(orderId);
    state.quantity = quantity;
    state.reserve = reserveOf('buy', quantity - state.filled, terms.price as number);
    return { ...NOTHING, orders: [{ ...state }], balances: [move(terms.account, 'usd', 0)], amendments: [amendmentId] };
  }

  /** Open orders of a side. */
  open(side: Side): readonly { readonly id: string; readonly left: number; readonly price: number }[] {
    return [...this.#orders.values()]
      .filter(({ terms, state }) => terms.side === side && state.reserve > 0)
      .map(({ terms, state }) => ({
        id: terms.id,
        left: state.quantity - state.filled,
        price: terms.price as number,
      }));
  }

  #order(id: string): BookOrder {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`order ${id} was not admitted`);
    return order;
  }

  #handOver(
    sell: BookOrder,
    buyer: string,
    quantity: number,
    cost: number,
    tradeId: string,
    time: number,
  ): { lotMoves: LotMove[]; lots: ReceivedLot[] } {
    const lotMoves: LotMove[] = [];
    if (this.#terms.tracksLots !== true) return { lotMoves, lots: [] };
    for (let left = quantity; left > 0; ) {
      const lot = sell.lots[0];
      if (lot === undefined) throw new Error('sold more than its lots');
      const consumed = Math.min(left, lot.quantity);
      lotMoves.push({ reservationId: sell.terms.id, lotId: lot.lotId, consumed, released: 0 });
      lot.quantity -= consumed;
      left -= consumed;
      if (lot.quantity === 0) sell.lots.shift();
    }
    const lot = {
      id: `${tradeId}.0`,
      account: buyer,
      quantity,
      cost,
      acquiredAt: time,
      restrictionEndsAt: null,
      offeringType: null,
    };
    return { lotMoves, lots: [lot] };
  }
}

const NOTHING: SettlementChunk = {
  trades: [],
  orders: [],
  balances: [],
  lots: [],
  lotMoves: [],
  amendments: [],
  bars: [],
};

function reserveOf(side: Side, quantity: number, price: number): number {
  return side === 'buy' ? quantity * (price + 1) : quantity;
}

function stateOf(terms: OrderAdmission): Mutable<OrderState> {
  const { id, status, reserve, allowance, position, quantity, price, createdAt } = terms;
  return {
    id,
    status,
    filled: 0,
    filledNotional: 0,
    fee: 0,
    reserve,
    allowance,
    position,
    restricted: false,
    quantity,
    price,
    code: null,
    updatedAt: createdAt,
    executedAt: null,
    cancelledAt: null,
  };
}

/** The order has filled more; what it holds no longer. */
function advance(
  { terms, state }: BookOrder,
  quantity: number,
  notional: number,
  fee: number,
  time: number,
): { reserve: number; allowance: number; position: number } {
  const before = { reserve: state.reserve, allowance: state.allowance, position: state.position };
  state.filled += quantity;
  state.filledNotional += notional;
  state.fee += fee;
  const left = state.quantity - state.filled;
  state.reserve = reserveOf(terms.side, left, terms.price as number);
  state.allowance = terms.side === 'buy' && terms.allowanceAsset !== null ? left * (terms.price as number) : 0;
  state.position = terms.side === 'buy' && terms.positionAsset !== null ? left : 0;
  state.status = left === 0 ? 'filled' : 'partially_filled';
  state.updatedAt = time;
  if (left === 0) state.executedAt = time;
  return {
    reserve: before.reserve - state.reserve,
    allowance: before.allowance - state.allowance,
    position: before.position - state.position,
  };
}

function limitMoves(
  { terms }: BookOrder,
  allowanceFreed: number,
  notional: number,
  positionFreed: number,
  quantity: number,
): BalanceMove[] {
  const { account, allowanceAsset, positionAsset } = terms;
  return [
    ...(allowanceAsset === null
      ? []
      : [move(account, allowanceAsset, allowanceFreed), move(BOUNDARY_ACCOUNT.limits, allowanceAsset, notional)]),
    ...(positionAsset === null
      ? []
      : [move(account, positionAsset, positionFreed), move(BOUNDARY_ACCOUNT.limits, positionAsset, quantity)]),
  ];
}

function move(account: string, asset: string, available: number): BalanceMove {
  return { account, asset, available, bought: 0, sold: 0 };
}

/** Every balance once. */
function summed(moves: readonly BalanceMove[]): BalanceMove[] {
  const byBalance = new Map<string, Mutable<BalanceMove>>();
  for (const each of moves) {
    const key = `${each.account} ${each.asset}`;
    const known = byBalance.get(key);
    if (known === undefined) byBalance.set(key, { ...each });
    else {
      known.available += each.available;
      known.bought += each.bought;
      known.sold += each.sold;
    }
  }
  return [...byBalance.values()];
}
