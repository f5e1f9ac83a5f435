import type {
  BalanceDeltaRow,
  LimitPostingRow,
  OrderStateRow,
  SettlementChunk,
  TradeRow,
  UnjournaledHold,
} from '../../data/ledger/rows.ts';
import { chargeFee } from '../../domain/fees/fee.ts';
import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import { notional } from '../../domain/markets/market.ts';
import type { Side } from '../../domain/orders/order.ts';
import { barsOf } from './bars.ts';
import { type BookMarket, type Holds, holdsOf, type LedgerOrder, type OrderLot } from './ledger-order.ts';
import { LotMoves } from './lot-moves.ts';
import { orderStateRow } from './order-state-row.ts';

/** Trades, and order states, that one chunk carries before the next is begun: keeps every D1 parameter under its 2 MB. */
const CHUNK_TRADES_MAX = 1_000;
const CHUNK_ORDERS_MAX = 2_000;

/**
 * Turns what the engine did in one cycle into ledger rows. Each method changes the order's own figures and adds the rows that say the
 * same of D1, so that order and ledger cannot drift apart. Its Maps live for one cycle and are read in insertion order, so that a
 * replay gives the same rows.
 */
export class Effects {
  readonly #market: BookMarket;
  readonly #time: number;
  readonly #tradeId: (time_ms: number, tradeSequence: number) => string;
  readonly #chunks: SettlementChunk[] = [];
  #trades: TradeRow[] = [];
  #limitPostings: LimitPostingRow[] = [];
  #touched = new Map<string, LedgerOrder>();
  /** Deltas by account: of the quote asset, of the base asset, and of others by account and asset. */
  #cash = new Map<string, BalanceDeltaRow>();
  #shares = new Map<string, BalanceDeltaRow>();
  #others = new Map<string, BalanceDeltaRow>();
  #lots: LotMoves;
  #amendments: string[] = [];
  #released: OrderStateRow[] = [];

  constructor(market: BookMarket, time_ms: number, tradeId: (time_ms: number, tradeSequence: number) => string) {
    this.#market = market;
    this.#time = time_ms;
    this.#tradeId = tradeId;
    this.#lots = new LotMoves(market.tracksLots, time_ms);
  }

  /** One execution at the maker's price: cash, asset, fees, limits, lots and both orders. */
  fill(
    maker: LedgerOrder,
    taker: LedgerOrder,
    takerSide: Side,
    price: number,
    quantity: number,
    tradeSequence: number,
  ): void {
    const market = this.#market;
    const id = this.#tradeId(this.#time, tradeSequence);
    const value = notional(market, price, quantity);
    const makerFee = this.#charge(maker, value, maker.makerFeeBps);
    const takerFee = this.#charge(taker, value, taker.takerFeeBps);
    const [buyer, seller] = takerSide === 'buy' ? [taker, maker] : [maker, taker];
    const [buyerFee, sellerFee] = takerSide === 'buy' ? [takerFee, makerFee] : [makerFee, takerFee];

    for (const order of [buyer, seller]) {
      order.filled += quantity;
      order.filledNotional += value;
      order.remaining -= quantity;
      order.status = order.remaining === 0 ? 'filled' : 'partially_filled';
    }
    this.#rehold(buyer, { spent: value + buyerFee, allowance: value, position: quantity, transaction: id });
    this.#rehold(seller, { spent: quantity, allowance: 0, position: 0, transaction: id });
    this.#move(buyer.account, market.baseAsset, quantity, 0, value + buyerFee);
    this.#move(seller.account, market.quoteAsset, value - sellerFee, 0);
    this.#sold(seller.account, quantity);
    if (buyerFee + sellerFee > 0) this.#moveBoundary(BOUNDARY_ACCOUNT.fees, market.quoteAsset, buyerFee + sellerFee);
    if (seller.positionAsset !== null) this.#limit(id, seller.account, seller.positionAsset, quantity);
    this.#lots.handOver(seller, buyer, quantity, value + buyerFee, id);
    this.#trades.push([
      id,
      tradeSequence,
      price,
      quantity,
      value,
      takerSide,
      buyer.orderId,
      seller.orderId,
      buyer.account,
      seller.account,
      buyerFee,
      sellerFee,
      this.#time,
    ]);
    this.touch(maker);
    this.touch(taker);
    this.#cutWhenFull();
  }

  /** The order ended without (more) fills: whatever it still holds goes back. */
  end(order: LedgerOrder, status: 'cancelled' | 'expired' | 'rejected', code: string): void {
    order.remaining = 0;
    order.status = status;
    order.code = code;
    this.#lots.giveBack(
      order.lots,
      order.lots.reduce((sum, lot) => sum + lot.quantity, 0),
    );
    this.#rehold(order, null);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** Self-trade prevention took `quantity` off without a trade. */
  decrement(order: LedgerOrder, quantity: number): void {
    order.remaining -= quantity;
    this.#lots.giveBack(order.lots, order.side === 'sell' ? quantity : 0);
    this.#rehold(order, null);
    this.touch(order);
    this.#cutWhenFull();
  }

  /**
   * The amendment was applied: its extra hold becomes the order's, and what the new terms no longer need goes back.
   * @throws Error when extra and old hold together do not cover the new terms, which the preparation has made sure of
   */
  amend(
    order: LedgerOrder,
    amendmentId: string,
    extra: Holds,
    lots: readonly OrderLot[],
    quantity: number,
    price: number,
  ): void {
    const before = order.remaining;
    order.remaining += quantity - order.quantity;
    order.quantity = quantity;
    order.limit = price;
    order.price = price;
    order.reserve += extra.reserve;
    order.allowance += extra.allowance;
    order.position += extra.position;
    order.lots.push(...lots.map((lot) => ({ ...lot })));
    if (order.side === 'sell') {
      const reserved = before + extra.reserve;
      this.#lots.giveBack(order.lots, reserved - order.remaining);
    }
    this.#rehold(order, null);
    this.#amendments.push(amendmentId);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** The amendment came to nothing: only its extra hold goes back. */
  dropAmendment(
    hold: Pick<
      UnjournaledHold,
      'id' | 'account' | 'reserveAsset' | 'reserve' | 'allowanceAsset' | 'allowance' | 'positionAsset' | 'position'
    >,
    lots: readonly { reservationId: string; lotId: string; quantity: number }[],
  ): void {
    this.#freeHold(hold);
    this.#lots.release(lots);
    this.#amendments.push(hold.id);
  }

  /** Recovery: an admission that never reached the journal is undone. */
  release(hold: UnjournaledHold): void {
    const lots = hold.lots.map((lot) => ({ ...lot, reservationId: hold.id }));
    if (hold.kind === 'amendment') {
      this.dropAmendment(hold, lots);
      return;
    }
    this.#freeHold(hold);
    this.#lots.release(lots);
    this.#released.push([
      hold.id,
      0,
      'rejected',
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      hold.quantity,
      hold.price,
      'UNAVAILABLE',
      this.#time,
      null,
      null,
    ]);
    this.#cutWhenFull();
  }

  /** The order's row in D1 no longer says what the order is. */
  touch(order: LedgerOrder): void {
    order.updatedAt = this.#time;
    this.#touched.set(order.orderId, order);
  }

  /** Everything since the cycle began, whole in itself chunk by chunk. */
  finish(): SettlementChunk[] {
    this.#cut();
    return this.#chunks;
  }

  #charge(order: LedgerOrder, value: number, feeBps: number): number {
    if (feeBps === 0) return 0;
    const { fee, numerator } = chargeFee(order.feeNumerator, value, feeBps);
    order.feeNumerator = numerator;
    order.fee += fee;
    return fee;
  }

  /** Brings the order's holds to what its remaining terms need; what was not spent of the difference becomes available. */
  #rehold(
    order: LedgerOrder,
    spent: { spent: number; allowance: number; position: number; transaction: string } | null,
  ): void {
    const next = holdsOf(this.#market, order);
    const asset = order.side === 'buy' ? this.#market.quoteAsset : this.#market.baseAsset;
    const freed = order.reserve - next.reserve;
    const improvement = freed - (spent?.spent ?? 0);
    if (improvement < 0) throw new Error(`order ${order.orderId} needs ${-improvement} more than it holds`);
    this.#move(order.account, asset, improvement, -freed);
    this.#reholdLimit(
      order,
      order.allowanceAsset,
      order.allowance - next.allowance,
      spent?.allowance ?? 0,
      spent?.transaction,
    );
    this.#reholdLimit(
      order,
      order.positionAsset,
      order.position - next.position,
      spent?.position ?? 0,
      spent?.transaction,
    );
    order.reserve = next.reserve;
    order.allowance = next.allowance;
    order.position = next.position;
  }

  #reholdLimit(
    order: LedgerOrder,
    asset: string | null,
    freed: number,
    spent: number,
    transaction: string | undefined,
  ): void {
    if (asset === null || order.side === 'sell') return;
    if (freed < spent) throw new Error(`order ${order.orderId} needs ${spent - freed} more of ${asset} than it holds`);
    this.#move(order.account, asset, freed - spent, -freed);
    if (spent > 0 && transaction !== undefined) {
      this.#moveBoundary(BOUNDARY_ACCOUNT.limits, asset, spent);
      this.#postLimit(transaction, order.account, asset, -spent);
    }
  }

  /** A sell gives back room under a position limit. */
  #limit(transaction: string, account: string, asset: string, quantity: number): void {
    this.#move(account, asset, quantity, 0);
    this.#moveBoundary(BOUNDARY_ACCOUNT.limits, asset, -quantity);
    this.#postLimit(transaction, account, asset, quantity);
  }

  #postLimit(transaction: string, account: string, asset: string, amount: number): void {
    const line = 10 + this.#limitPostings.length * 2;
    this.#limitPostings.push([transaction, line, account, asset, amount]);
    this.#limitPostings.push([transaction, line + 1, BOUNDARY_ACCOUNT.limits, asset, -amount]);
  }

  #freeHold(hold: Parameters<Effects['dropAmendment']>[0]): void {
    this.#move(hold.account, hold.reserveAsset, hold.reserve, -hold.reserve);
    if (hold.allowanceAsset !== null) this.#move(hold.account, hold.allowanceAsset, hold.allowance, -hold.allowance);
    if (hold.positionAsset !== null) this.#move(hold.account, hold.positionAsset, hold.position, -hold.position);
  }

  #move(account: string, asset: string, available: number, held: number, bought = 0): void {
    if (available === 0 && held === 0) return;
    const delta = this.#delta(account, asset, 0);
    delta[3] += available;
    delta[4] += held;
    delta[5] += bought;
  }

  #sold(account: string, quantity: number): void {
    this.#delta(account, this.#market.baseAsset, 0)[6] += quantity;
  }

  #moveBoundary(account: string, asset: string, available: number): void {
    this.#delta(account, asset, 1)[3] += available;
  }

  #delta(account: string, asset: string, boundary: 0 | 1): BalanceDeltaRow {
    const { quoteAsset, baseAsset } = this.#market;
    if (asset === quoteAsset) return deltaIn(this.#cash, account, account, asset, boundary);
    if (asset === baseAsset) return deltaIn(this.#shares, account, account, asset, boundary);
    return deltaIn(this.#others, `${account} ${asset}`, account, asset, boundary);
  }

  /** Only between operations: a chunk never ends inside a fill. */
  #cutWhenFull(): void {
    if (this.#trades.length >= CHUNK_TRADES_MAX || this.#touched.size + this.#released.length >= CHUNK_ORDERS_MAX)
      this.#cut();
  }

  #cut(): void {
    const orders = [...this.#touched.values()].map(orderStateRow);
    const chunk: SettlementChunk = {
      trades: this.#trades,
      limitPostings: this.#limitPostings,
      orders: orders.concat(this.#released),
      balances: [...this.#cash.values(), ...this.#shares.values(), ...this.#others.values()],
      lots: this.#lots.received,
      reservations: this.#lots.reservations,
      amendments: this.#amendments,
      bars: barsOf(this.#trades, this.#time),
    };
    if (chunk.orders.length + chunk.balances.length + chunk.amendments.length === 0) return;
    this.#chunks.push(chunk);
    this.#trades = [];
    this.#limitPostings = [];
    this.#touched = new Map();
    this.#released = [];
    this.#cash = new Map();
    this.#shares = new Map();
    this.#others = new Map();
    this.#lots = new LotMoves(this.#market.tracksLots, this.#time);
    this.#amendments = [];
  }
}

function deltaIn(
  rows: Map<string, BalanceDeltaRow>,
  key: string,
  account: string,
  asset: string,
  boundary: 0 | 1,
): BalanceDeltaRow {
  let delta = rows.get(key);
  if (delta === undefined) {
    delta = [account, asset, boundary, 0, 0, 0, 0];
    rows.set(key, delta);
  }
  return delta;
}
