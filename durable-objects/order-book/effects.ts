import type {
  BalanceDeltaRow,
  BarRow,
  LimitPostingRow,
  LotRow,
  OrderStateRow,
  ReservationDeltaRow,
  SettlementChunk,
  TradeRow,
  UnjournaledHold,
} from '../../data/ledger/rows.ts';
import { addToFeeNumerator, feeCharged } from '../../domain/fees/fee.ts';
import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import { notional } from '../../domain/markets/market.ts';
import { mulDivFloor } from '../../domain/money/arithmetic.ts';
import type { Side } from '../../domain/orders/order.ts';
import { type BookMarket, type Holds, holdsOf, type LedgerOrder, type OrderLot } from './ledger-order.ts';

/** Trades, and order states, that one chunk carries before the next is begun: keeps every D1 parameter under its 2 MB. */
const CHUNK_TRADES_MAX = 1_000;
const CHUNK_ORDERS_MAX = 2_000;

const BAR_INTERVALS_MS: readonly (readonly [name: string, length_ms: number])[] = [
  ['1m', 60_000],
  ['5m', 300_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
];

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
  #lots = new Map<string, LotRow>();
  #reservations: ReservationDeltaRow[] = [];
  #amendments: string[] = [];
  #released: OrderStateRow[] = [];

  constructor(market: BookMarket, time_ms: number, tradeId: (time_ms: number, tradeSequence: number) => string) {
    this.#market = market;
    this.#time = time_ms;
    this.#tradeId = tradeId;
  }

  /** One execution at the maker's price: cash, asset, fees, limits, lots and both orders. */
  fill(maker: LedgerOrder, taker: LedgerOrder, takerSide: Side, price: number, quantity: number, tradeSequence: number): void {
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
    if (market.tracksLots) this.#handOverLots(seller, buyer, quantity, value + buyerFee, id);
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
    this.#giveBackLots(order.lots, order.lots.reduce((sum, lot) => sum + lot.quantity, 0));
    this.#rehold(order, null);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** Self-trade prevention took `quantity` off without a trade. */
  decrement(order: LedgerOrder, quantity: number): void {
    order.remaining -= quantity;
    this.#giveBackLots(order.lots, order.side === 'sell' ? quantity : 0);
    this.#rehold(order, null);
    this.touch(order);
    this.#cutWhenFull();
  }

  /**
   * The amendment was applied: its extra hold becomes the order's, and what the new terms no longer need goes back.
   * @throws Error when extra and old hold together do not cover the new terms, which the preparation has made sure of
   */
  amend(order: LedgerOrder, amendmentId: string, extra: Holds, lots: readonly OrderLot[], quantity: number, price: number): void {
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
      this.#giveBackLots(order.lots, reserved - order.remaining);
    }
    this.#rehold(order, null);
    this.#amendments.push(amendmentId);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** The amendment came to nothing: only its extra hold goes back. */
  dropAmendment(
    hold: Pick<UnjournaledHold, 'id' | 'account' | 'reserveAsset' | 'reserve' | 'allowanceAsset' | 'allowance' | 'positionAsset' | 'position'>,
    lots: readonly { reservationId: string; lotId: string; quantity: number }[],
  ): void {
    this.#freeHold(hold);
    for (const lot of lots) this.#reservations.push([lot.reservationId, lot.lotId, 0, lot.quantity]);
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
    for (const lot of lots) this.#reservations.push([lot.reservationId, lot.lotId, 0, lot.quantity]);
    this.#released.push([
      hold.id, 0, 'rejected', 0, 0, 0, 0, 0, 0, 0, hold.quantity, hold.price, 'UNAVAILABLE', this.#time, null, null,
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
    order.feeNumerator = addToFeeNumerator(order.feeNumerator, value, feeBps);
    const fee = feeCharged(order.feeNumerator) - order.fee;
    order.fee += fee;
    return fee;
  }

  /** Brings the order's holds to what its remaining terms need; what was not spent of the difference becomes available. */
  #rehold(order: LedgerOrder, spent: { spent: number; allowance: number; position: number; transaction: string } | null): void {
    const next = holdsOf(this.#market, order);
    const asset = order.side === 'buy' ? this.#market.quoteAsset : this.#market.baseAsset;
    const freed = order.reserve - next.reserve;
    const improvement = freed - (spent?.spent ?? 0);
    if (improvement < 0) throw new Error(`order ${order.orderId} needs ${-improvement} more than it holds`);
    this.#move(order.account, asset, improvement, -freed);
    this.#reholdLimit(order, order.allowanceAsset, order.allowance - next.allowance, spent?.allowance ?? 0, spent?.transaction);
    this.#reholdLimit(order, order.positionAsset, order.position - next.position, spent?.position ?? 0, spent?.transaction);
    order.reserve = next.reserve;
    order.allowance = next.allowance;
    order.position = next.position;
  }

  #reholdLimit(order: LedgerOrder, asset: string | null, freed: number, spent: number, transaction: string | undefined): void {
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

  /**
   * Oldest lots go first. The buyer's lot begins today but keeps the restriction and its kind: holding periods tack to the shares
   * (17 CFR 230.144(d)), and DESIGN 15 has the buyer inherit the restriction's end.
   */
  #handOverLots(seller: LedgerOrder, buyer: LedgerOrder, quantity: number, cost: number, tradeId: string): void {
    let wanted = quantity;
    let costLeft = cost;
    while (wanted > 0) {
      const lot = seller.lots[0];
      if (lot === undefined) throw new Error(`order ${seller.orderId} has sold more than its lots`);
      const taken = Math.min(lot.quantity, wanted);
      const share = taken === wanted ? costLeft : mulDivFloor(cost, taken, quantity);
      this.#reservations.push([lot.reservationId, lot.lotId, taken, 0]);
      this.#receiveLot(buyer, lot, taken, share, tradeId);
      lot.quantity -= taken;
      if (lot.quantity === 0) seller.lots.shift();
      wanted -= taken;
      costLeft -= share;
    }
  }

  #receiveLot(buyer: LedgerOrder, from: OrderLot, quantity: number, cost: number, tradeId: string): void {
    const restrictionEndsAt = from.restrictionEndsAt !== null && from.restrictionEndsAt > this.#time ? from.restrictionEndsAt : null;
    const key = `${buyer.orderId} ${restrictionEndsAt} ${from.offeringType}`;
    const lot = this.#lots.get(key);
    if (lot === undefined) {
      const id = `${tradeId}.${this.#lots.size}`;
      this.#lots.set(key, [id, buyer.account, quantity, cost, this.#time, restrictionEndsAt, from.offeringType]);
    } else {
      lot[2] += quantity;
      lot[3] += cost;
    }
  }

  /** The newest reserved lots go back first, so that the oldest stay in the order. */
  #giveBackLots(lots: OrderLot[], quantity: number): void {
    let left = this.#market.tracksLots ? quantity : 0;
    while (left > 0) {
      const lot = lots.at(-1);
      if (lot === undefined) return;
      const given = Math.min(lot.quantity, left);
      this.#reservations.push([lot.reservationId, lot.lotId, 0, given]);
      lot.quantity -= given;
      if (lot.quantity === 0) lots.pop();
      left -= given;
    }
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
    if (this.#trades.length >= CHUNK_TRADES_MAX || this.#touched.size + this.#released.length >= CHUNK_ORDERS_MAX) this.#cut();
  }

  #cut(): void {
    const orders = [...this.#touched.values()].map(orderState);
    const chunk: SettlementChunk = {
      trades: this.#trades,
      limitPostings: this.#limitPostings,
      orders: orders.concat(this.#released),
      balances: [...this.#cash.values(), ...this.#shares.values(), ...this.#others.values()],
      lots: [...this.#lots.values()],
      reservations: this.#reservations,
      amendments: this.#amendments,
      bars: bars(this.#trades, this.#time),
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
    this.#lots = new Map();
    this.#reservations = [];
    this.#amendments = [];
  }
}

function deltaIn(rows: Map<string, BalanceDeltaRow>, key: string, account: string, asset: string, boundary: 0 | 1): BalanceDeltaRow {
  let delta = rows.get(key);
  if (delta === undefined) {
    delta = [account, asset, boundary, 0, 0, 0, 0];
    rows.set(key, delta);
  }
  return delta;
}

function orderState(order: LedgerOrder): OrderStateRow {
  const open = order.status === 'open' || order.status === 'pending_trigger' || order.status === 'partially_filled';
  return [
    order.orderId,
    open ? 1 : 0,
    order.status,
    order.filled,
    order.filledNotional,
    order.fee,
    order.reserve,
    order.allowance,
    order.position,
    order.restricted ? 1 : 0,
    order.quantity,
    order.price,
    order.code,
    order.updatedAt,
    order.status === 'filled' ? order.updatedAt : null,
    order.status === 'cancelled' || order.status === 'expired' ? order.updatedAt : null,
  ];
}

function bars(trades: readonly TradeRow[], time: number): BarRow[] {
  const first = trades[0];
  if (first === undefined) return [];
  let high = first[2];
  let low = first[2];
  let close = first[2];
  let volume = 0;
  let quoteVolume = 0;
  for (const [, , price, quantity, value] of trades) {
    if (price > high) high = price;
    if (price < low) low = price;
    close = price;
    volume += quantity;
    quoteVolume += value;
  }
  return BAR_INTERVALS_MS.map(([name, length]) => [
    name,
    time - (time % length),
    first[2],
    high,
    low,
    close,
    volume,
    quoteVolume,
    trades.length,
  ]);
}
