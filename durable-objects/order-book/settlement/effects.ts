import { settlementDate } from '../../../domain/calendar/settlement-date.ts';
import { chargeFee } from '../../../domain/fees/fee.ts';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import { CLEARING_OF, orderOfExecution } from '../../../domain/ledger/broker-clearing.ts';
import type { UnjournaledHold } from '../../../domain/ledger/outcomes.ts';
import type {
  BalanceMove,
  BrokerBreak,
  Holds,
  OrderState,
  SettlementChunk,
  StopPriceChange,
  Trade,
} from '../../../domain/ledger/records.ts';
import { RELEASED } from '../../../domain/ledger/settlement.ts';
import type { LotTerms } from '../../../domain/listing/listed-lot.ts';
import type { BandStand } from '../../../domain/markets/band-reference.ts';
import { type BookMarket, isAtBroker, type Market, notional } from '../../../domain/markets/market.ts';
import { inDollarsDown } from '../../../domain/money/dollar-rate.ts';
import { holdsOf } from '../../../domain/order-entry/holds.ts';
import { incomingOf } from '../../../domain/order-entry/incoming.ts';
import { type OrderTrigger, transition } from '../../../domain/order-state/order-state.ts';
import { leftOf } from '../../../domain/orders/remaining-of.ts';
import type { LedgerOrder, OrderLot } from '../admission/ledger-order.ts';
import type { EngineEvent } from '../engine/engine.ts';
import type { EngineVersion } from '../journal/engine-version.ts';
import { barsOf } from './bars.ts';
import { LotMoves } from './lot-moves.ts';
import { orderState } from './order-state.ts';

type Executed = Extract<EngineEvent, { type: 'executed' }>;
type Filled = Pick<Extract<EngineEvent, { type: 'filled' }>, 'takerSide' | 'price' | 'quantity' | 'tradeSequence'>;

/** Where a chunk ends, and what its trades say. */
type ChunkTerms = Pick<
  EngineVersion,
  'chunkTradesMax' | 'chunkOrdersMax' | 'tradesSayProgress' | 'saysIncoming' | 'banksClose'
>;

type GrowingMove = { -readonly [Field in keyof BalanceMove]: BalanceMove[Field] };

/** Terms of an order, and by what it holds. */
export interface HeldOrderTerms extends Pick<LedgerOrder, 'quantity' | 'limit' | 'remaining'> {
  readonly price: number;
}

/** How an order ends without being filled in full. */
export type OrderEnd = Extract<OrderTrigger, 'cancel' | 'expire' | 'reject'>;

const NOTHING_SPENT: Holds = { reserve: 0, allowance: 0, position: 0 };

/**
 * Turns what the engine did in one cycle into ledger records. Each method changes the order's own figures and adds the records that say
 * the same of the ledger, so that the two cannot drift apart. Its Maps live for one cycle and are read in insertion order, so that a
 * replay gives the same records.
 */
export class Effects {
  readonly #market: BookMarket;
  /** Of a routed market: the other side of its executions. */
  readonly #clearing: string | null;
  readonly #terms: ChunkTerms;
  readonly #time: number;
  readonly #tradeId: (time_ms: number, tradeSequence: number) => string;
  readonly #chunks: SettlementChunk[] = [];
  #trades: Trade[] = [];
  #touched = new Map<string, LedgerOrder>();
  /** Moves by account: of the quote asset, of the base asset, and of others by account and asset. */
  #cash = new Map<string, GrowingMove>();
  #shares = new Map<string, GrowingMove>();
  #others = new Map<string, GrowingMove>();
  #lots: LotMoves;
  #amendments: string[] = [];
  #stopPrices: StopPriceChange[] = [];
  #haltedUntil: number | undefined;
  #bandReference: number | undefined;
  #band: BandStand | undefined;
  #breaks: BrokerBreak[] = [];
  #released: OrderState[] = [];

  constructor(
    market: BookMarket & Partial<Pick<Market, 'route'>>,
    terms: ChunkTerms,
    time_ms: number,
    tradeId: (time_ms: number, tradeSequence: number) => string,
  ) {
    this.#market = market;
    this.#clearing = isAtBroker(market) ? CLEARING_OF[market.route] : null;
    this.#terms = terms;
    this.#time = time_ms;
    this.#tradeId = tradeId;
    this.#lots = new LotMoves(market.tracksLots, time_ms);
  }

  /**
   * One execution at the maker's price: cash, asset, fees, limits, lots and both orders.
   *
   * @param lot what binds the buyer's lot; left out, what bound the seller's
   */
  fill(
    maker: LedgerOrder,
    taker: LedgerOrder,
    { takerSide, price, quantity, tradeSequence }: Filled,
    lot?: LotTerms,
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
      order.status = transition(order.status, order.remaining === 0 ? 'fill_in_full' : 'fill_in_part');
    }
    const drawn = inDollarsDown(value, buyer.rate);
    this.#rehold(buyer, { reserve: value + buyerFee, allowance: drawn, position: quantity });
    this.#rehold(seller, { reserve: quantity, allowance: 0, position: 0 });
    this.#buy(buyer.account, quantity, value + buyerFee);
    this.#sell(seller.account, quantity);
    this.#add(seller.account, market.quoteAsset, value - sellerFee);
    if (buyerFee + sellerFee > 0) this.#add(BOUNDARY_ACCOUNT.fees, market.quoteAsset, buyerFee + sellerFee);
    if (seller.positionAsset !== null) this.#giveRoom(seller.account, seller.positionAsset, quantity);
    this.#lots.handOver(seller, buyer, quantity, value + buyerFee, id, lot);
    this.#trades.push({
      id,
      sequence: tradeSequence,
      price,
      quantity,
      notional: value,
      takerSide,
      buyOrder: buyer.orderId,
      sellOrder: seller.orderId,
      buyer: buyer.account,
      seller: seller.account,
      buyerFee,
      sellerFee,
      executedAt: this.#time,
      ...(this.#terms.tradesSayProgress ? progressOf(buyer, seller) : {}),
      allowance: buyer.rate == null ? undefined : drawn,
    });
    this.touch(maker);
    this.touch(taker);
    this.#cutWhenFull();
  }

  /** One execution at a broker: as a fill, against the account through which the broker's cash and shares come and go. */
  execute(
    order: LedgerOrder,
    {
      executionId,
      price,
      quantity,
      tradeSequence,
    }: Pick<Executed, 'executionId' | 'price' | 'quantity' | 'tradeSequence'>,
  ): void {
    const { baseAsset, quoteAsset } = this.#market;
    const clearing = this.#clearing;
    if (clearing === null) throw new Error(`${this.#market.symbol} hands nothing over`);
    const id = this.#tradeId(this.#time, tradeSequence);
    const value = notional(this.#market, price, quantity);
    const fee = this.#charge(order, value, order.takerFeeBps);
    const isBuy = order.side === 'buy';
    const settlesOn =
      this.#market.settlement === 'next_trading_day' ? settlementDate(this.#time, this.#terms.banksClose) : null;
    // Cash of a sale that settles later stays where the broker owes it.
    const paid = isBuy || settlesOn !== null ? 0 : value - fee;
    order.filled += quantity;
    order.filledNotional += value;
    order.remaining -= quantity;
    order.status = transition(order.status, order.remaining === 0 ? 'fill_in_full' : 'fill_in_part');
    const drawn = inDollarsDown(value, order.rate);
    if (isBuy) {
      this.#rehold(order, { reserve: value + fee, allowance: drawn, position: quantity });
      this.#buy(order.account, quantity, value + fee);
      this.#lots.takeIn(order, quantity, value + fee, id);
    } else {
      this.#rehold(order, { reserve: quantity, allowance: 0, position: 0 });
      this.#sell(order.account, quantity);
      this.#add(order.account, quoteAsset, paid);
      if (order.positionAsset !== null) this.#giveRoom(order.account, order.positionAsset, quantity);
      this.#lots.sendOut(order, quantity);
    }
    this.#add(clearing, quoteAsset, isBuy ? value : 0 - paid - fee);
    this.#add(clearing, baseAsset, isBuy ? -quantity : quantity);
    if (fee > 0) this.#add(BOUNDARY_ACCOUNT.fees, quoteAsset, fee);
    const progress = { filled: order.filled, remaining: leftOf(order) };
    const [ours, theirs] = [order.orderId, orderOfExecution(executionId)];
    this.#trades.push({
      id,
      sequence: tradeSequence,
      price,
      quantity,
      notional: value,
      takerSide: order.side,
      buyOrder: isBuy ? ours : theirs,
      sellOrder: isBuy ? theirs : ours,
      buyer: isBuy ? order.account : clearing,
      seller: isBuy ? clearing : order.account,
      buyerFee: isBuy ? fee : 0,
      sellerFee: isBuy ? 0 : fee,
      executedAt: this.#time,
      // To the broker an execution is an order of its own, filled whole.
      ...(isBuy
        ? progressOf(progress, { filled: quantity, remaining: 0 })
        : progressOf({ filled: quantity, remaining: 0 }, progress)),
      allowance: order.rate == null ? undefined : drawn,
      ...(settlesOn === null ? {} : { settlesOn }),
    });
    this.touch(order);
    this.#cutWhenFull();
  }

  /** What a broker said that does not fit: nothing moves for it. */
  addBreak(what: BrokerBreak): void {
    this.#breaks.push(what);
  }

  /** The order ended without (more) fills: whatever it still holds goes back. */
  end(order: LedgerOrder, trigger: OrderEnd, code: string): void {
    order.remaining = 0;
    order.status = transition(order.status, trigger);
    order.code = code;
    this.#lots.giveBack(
      order.lots,
      order.lots.reduce((sum, lot) => sum + lot.quantity, 0),
    );
    this.#rehold(order, NOTHING_SPENT);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** Self-trade prevention took `quantity` off without a trade. */
  decrement(order: LedgerOrder, quantity: number): void {
    order.remaining -= quantity;
    this.#lots.giveBack(order.lots, order.side === 'sell' ? quantity : 0);
    this.#rehold(order, NOTHING_SPENT);
    this.touch(order);
    this.#cutWhenFull();
  }

  /**
   * The amendment was applied: its extra hold becomes the order's, and what the new terms no longer need goes back.
   * @throws Error when extra and old hold together do not cover the new terms, which the preparation has made sure of
   */
  amend(order: LedgerOrder, amendmentId: string, extra: Holds, lots: readonly OrderLot[], terms: HeldOrderTerms): void {
    order.reserve += extra.reserve;
    order.allowance += extra.allowance;
    order.position += extra.position;
    order.lots.push(...lots.map((lot) => ({ ...lot })));
    const reserved = order.remaining + extra.reserve;
    this.#setTerms(order, terms, reserved);
    this.#amendments.push(amendmentId);
    this.touch(order);
    this.#cutWhenFull();
  }

  /** The order has these terms, which it holds enough for: what they do not need goes back. Where nothing is left it has filled whole. */
  takeTerms(order: LedgerOrder, terms: HeldOrderTerms): void {
    this.#setTerms(order, terms, order.remaining);
    if (order.remaining === 0) order.status = transition(order.status, 'fill_in_full');
    this.touch(order);
    this.#cutWhenFull();
  }

  #setTerms(order: LedgerOrder, { quantity, price, limit, remaining }: HeldOrderTerms, reserved: number): void {
    order.remaining = remaining;
    order.quantity = quantity;
    order.limit = limit;
    // An order without a limit keeps none: `price` is its collar.
    if (order.price !== null) order.price = price;
    if (order.side === 'sell') this.#lots.giveBack(order.lots, reserved - remaining);
    this.#rehold(order, NOTHING_SPENT);
  }

  /** A stop waits for another price. Its order is touched by the amendment, which comes next: a chunk that ends with that has both. */
  changeStopPrice(orderId: string, stopPrice: number): void {
    this.#stopPrices.push({ id: orderId, stopPrice });
  }

  /** The book halts by itself, until this time. */
  halt(until: number): void {
    this.#haltedUntil = until;
  }

  /** The price band lies around this price from here on; null for the reference price of the market's rules. */
  refer(reference: number | null): void {
    this.#bandReference = reference ?? NO_REFERENCE;
  }

  /** Where the price band lies, and where it goes. */
  lay(band: BandStand): void {
    this.#band = band;
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
    this.#released.push({
      id: hold.id,
      status: 'rejected',
      filled: 0,
      filledNotional: 0,
      fee: 0,
      reserve: 0,
      allowance: 0,
      position: 0,
      restricted: false,
      quantity: hold.quantity,
      price: hold.price,
      code: RELEASED,
      updatedAt: this.#time,
      executedAt: null,
      cancelledAt: null,
    });
    this.#cutWhenFull();
  }

  /** The ledger has the order as it is, and is told of it once more. */
  tell(order: LedgerOrder): void {
    this.#touched.set(order.orderId, order);
    this.#cutWhenFull();
  }

  /** The ledger no longer has what the order is. */
  touch(order: LedgerOrder): void {
    order.updatedAt = this.#time;
    this.#touched.set(order.orderId, order);
  }

  /** Everything since the cycle began, whole in itself chunk by chunk. */
  finish(): SettlementChunk[] {
    this.#cut();
    return this.#chunks;
  }

  #stateOf(order: LedgerOrder): OrderState {
    const isTold = this.#clearing !== null && this.#terms.saysIncoming;
    return orderState(order, isTold ? incomingOf(this.#market, order) : undefined);
  }

  #charge(order: LedgerOrder, value: number, feeBps: number): number {
    if (feeBps === 0) return 0;
    const { fee, numerator } = chargeFee(order.feeNumerator, value, feeBps);
    order.feeNumerator = numerator;
    order.fee += fee;
    return fee;
  }

  /** Brings the order's holds to what its remaining terms need; what was not spent of the difference becomes available. */
  #rehold(order: LedgerOrder, spent: Holds): void {
    const next = holdsOf(this.#market, order);
    const asset = order.side === 'buy' ? this.#market.quoteAsset : this.#market.baseAsset;
    this.#free(order, asset, order.reserve - next.reserve, spent.reserve);
    if (order.side === 'buy') {
      this.#freeLimit(order, order.allowanceAsset, order.allowance - next.allowance, spent.allowance);
      this.#freeLimit(order, order.positionAsset, order.position - next.position, spent.position);
    }
    order.reserve = next.reserve;
    order.allowance = next.allowance;
    order.position = next.position;
  }

  /** Of what an order held, `freed` is held no more, and `spent` of that is gone. */
  #free({ orderId, account }: LedgerOrder, asset: string, freed: number, spent: number): void {
    if (freed < spent) throw new Error(`order ${orderId} needs ${spent - freed} more of ${asset} than it holds`);
    if (freed > 0) this.#add(account, asset, freed - spent);
  }

  /** What a fill draws on an allowance or a position limit goes back to where limits come from. */
  #freeLimit(order: LedgerOrder, asset: string | null, freed: number, spent: number): void {
    if (asset === null) return;
    this.#free(order, asset, freed, spent);
    if (spent > 0) this.#add(BOUNDARY_ACCOUNT.limits, asset, spent);
  }

  /** A sell gives back room under a position limit. */
  #giveRoom(account: string, asset: string, quantity: number): void {
    this.#add(account, asset, quantity);
    this.#add(BOUNDARY_ACCOUNT.limits, asset, -quantity);
  }

  #freeHold(hold: Parameters<Effects['dropAmendment']>[0]): void {
    const freed = (asset: string | null, amount: number): void => {
      if (asset !== null && amount > 0) this.#add(hold.account, asset, amount);
    };
    freed(hold.reserveAsset, hold.reserve);
    freed(hold.allowanceAsset, hold.allowance);
    freed(hold.positionAsset, hold.position);
  }

  #buy(account: string, quantity: number, cost: number): void {
    const move = this.#move(account, this.#market.baseAsset);
    move.available += quantity;
    move.bought += cost;
  }

  #sell(account: string, quantity: number): void {
    this.#move(account, this.#market.baseAsset).sold += quantity;
  }

  /** Names the balance even when nothing is added to what is available: what is held of it changes. */
  #add(account: string, asset: string, available: number): void {
    this.#move(account, asset).available += available;
  }

  #move(account: string, asset: string): GrowingMove {
    const { quoteAsset, baseAsset } = this.#market;
    if (asset === quoteAsset) return moveIn(this.#cash, account, account, asset);
    if (asset === baseAsset) return moveIn(this.#shares, account, account, asset);
    return moveIn(this.#others, `${account} ${asset}`, account, asset);
  }

  /** Only between operations: a chunk never ends inside a fill. */
  #cutWhenFull(): void {
    const { chunkTradesMax, chunkOrdersMax } = this.#terms;
    if (this.#trades.length >= chunkTradesMax || this.#touched.size + this.#released.length >= chunkOrdersMax)
      this.#cut();
  }

  #cut(): void {
    const chunk: SettlementChunk = {
      trades: this.#trades,
      orders: [...Array.from(this.#touched.values(), (order) => this.#stateOf(order)), ...this.#released],
      balances: [...this.#cash.values(), ...this.#shares.values(), ...this.#others.values()],
      lots: this.#lots.received,
      lotMoves: this.#lots.moved,
      amendments: this.#amendments,
      bars: barsOf(this.#trades, this.#time),
      stopPrices: this.#stopPrices.length === 0 ? undefined : this.#stopPrices,
      haltedUntil: this.#haltedUntil,
      breaks: this.#breaks.length === 0 ? undefined : this.#breaks,
      bandReference: this.#bandReference,
      band: this.#band,
    };
    const isEmpty = chunk.orders.length + chunk.balances.length + chunk.amendments.length === 0;
    const others = chunk.stopPrices ?? chunk.haltedUntil ?? chunk.breaks ?? chunk.bandReference ?? chunk.band;
    if (isEmpty && others === undefined) return;
    this.#chunks.push(chunk);
    this.#trades = [];
    this.#touched = new Map();
    this.#released = [];
    this.#cash = new Map();
    this.#shares = new Map();
    this.#others = new Map();
    this.#lots = new LotMoves(this.#market.tracksLots, this.#time);
    this.#amendments = [];
    this.#stopPrices = [];
    this.#haltedUntil = undefined;
    this.#bandReference = undefined;
    this.#band = undefined;
    this.#breaks = [];
  }
}

/** No price is 0. */
const NO_REFERENCE = 0;

type Progress = Pick<LedgerOrder, 'filled' | 'remaining'>;

function progressOf(
  buyer: Progress,
  seller: Progress,
): Pick<Trade, 'buyFilled' | 'buyRemaining' | 'sellFilled' | 'sellRemaining'> {
  return {
    buyFilled: buyer.filled,
    buyRemaining: buyer.remaining,
    sellFilled: seller.filled,
    sellRemaining: seller.remaining,
  };
}

function moveIn(moves: Map<string, GrowingMove>, key: string, account: string, asset: string): GrowingMove {
  let move = moves.get(key);
  if (move === undefined) {
    move = { account, asset, available: 0, bought: 0, sold: 0 };
    moves.set(key, move);
  }
  return move;
}
