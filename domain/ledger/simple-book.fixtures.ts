import type { VersionedRate } from '../money/dollar-rate.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { orderOfExecution } from './broker-clearing.ts';
import { idAt, lotMove, move, order as orderOf, orderState, START } from './ledger.fixtures.ts';
import type { BatchOutcome, OwnOutcome, ReservedLot, UnjournaledHold } from './outcomes.ts';
import type {
  BalanceMove,
  DailyLimits,
  Exposure,
  LotMove,
  OrderAdmission,
  ReceivedLot,
  SettlementChunk,
  Trade,
} from './records.ts';
import type { BookBatch } from './transactions.ts';

/** What buyer and seller each pay for a share, beside its price. */
const FEE = 1;

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;

export const ALLOWANCE = 'allowance';
export const POSITION = 'position';

interface OpenLot extends Omit<ReservedLot, 'quantity'> {
  quantity: number;
}

interface OpenOrder {
  readonly id: string;
  readonly account: string;
  readonly side: 'buy' | 'sell';
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
  /** The API key that placed it, if it is under a daily limit. */
  readonly limitedKey: string | null;
  /** That it was admitted by, if it is under a limit in money. */
  readonly rate: VersionedRate | null;
  price: number;
  quantity: number;
  remaining: number;
  filled: number;
  filledNotional: number;
  fee: number;
  reserve: number;
  allowance: number;
  position: number;
  readonly lots: OpenLot[];
}

interface Amendment {
  readonly id: string;
  readonly order: OpenOrder;
  readonly quantity: number;
  readonly price: number;
  readonly extra: Holds;
  readonly exposure: Exposure;
  readonly limitedKey: string | null;
}

interface Holds {
  readonly reserve: number;
  readonly allowance: number;
  readonly position: number;
}

export interface OrderTerms {
  readonly id: string;
  readonly account: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price: number;
  readonly isLimited: boolean;
  readonly hasPosition: boolean;
  readonly daily: DailyLimits | null;
  /** As it is stated for what the book quotes in. */
  readonly rate: VersionedRate | null;
}

type MutableMove = { -readonly [Field in keyof BalanceMove]: BalanceMove[Field] };

/** A book that matches nothing by itself: whoever plays it says which orders meet. It writes what a real book would to the ledger. */
export class SimpleBook {
  readonly open: OpenOrder[] = [];
  readonly #symbol: string;
  readonly #baseAsset: string;
  readonly #quoteAsset: string;
  readonly #tracksLots: boolean;
  readonly #number: number;
  #orders: OrderAdmission[] = [];
  #amendments: { readonly amendment: Amendment; readonly factsVersion: number; readonly rulesVersion: number }[] = [];
  #chunks: SettlementChunk[] = [];
  #trades: Trade[] = [];
  #touched = new Map<string, OpenOrder>();
  #released: UnjournaledHold[] = [];
  #moves = new Map<string, MutableMove>();
  #received: ReceivedLot[] = [];
  #lotMoves: LotMove[] = [];
  #ended: string[] = [];
  /** By version: an order's own names it, since its id may be asked for again with other terms. */
  readonly #rates = new Map<number, VersionedRate>();
  #tradeSequence = 0;
  #owners = 0;
  #batch = 0;
  #settled = 0;

  constructor(number: number, symbol: string, baseAsset: string, quoteAsset: string, tracksLots: boolean) {
    this.#number = number;
    this.#symbol = symbol;
    this.#baseAsset = baseAsset;
    this.#quoteAsset = quoteAsset;
    this.#tracksLots = tracksLots;
  }

  get symbol(): string {
    return this.#symbol;
  }

  get baseAsset(): string {
    return this.#baseAsset;
  }

  get quoteAsset(): string {
    return this.#quoteAsset;
  }

  get owner(): string {
    return this.#owners === 0 ? '' : `${this.#symbol} ${this.#owners}`;
  }

  /** What the order holds, for `place`. */
  admissionOf(terms: OrderTerms): OrderAdmission {
    const { id, account, side, quantity, price, isLimited, hasPosition, daily, rate } = terms;
    const allowanceAsset = isLimited && side === 'buy' ? ALLOWANCE : null;
    const positionAsset = hasPosition ? POSITION : null;
    const needs = holdsOf({ side, price, remaining: quantity, allowanceAsset, positionAsset, rate });
    const reserveAsset = side === 'buy' ? this.#quoteAsset : this.#baseAsset;
    const exposure = exposureOf({ side, price, remaining: quantity, filledNotional: 0 });
    const isInMoney = daily !== null || allowanceAsset !== null;
    const order = orderOf({
      id,
      account,
      side,
      quantity,
      price,
      reserveAsset,
      allowanceAsset,
      positionAsset,
      daily: daily === null ? null : { ...daily, ...exposure },
      ...needs,
      ...(isInMoney && rate !== null ? { rateVersion: rate.version } : {}),
    });
    if (rate !== null) this.#rates.set(rate.version, rate);
    return order;
  }

  /** A book sends an id once in a batch. */
  place(order: OrderAdmission): void {
    if (!this.#orders.some(({ id }) => id === order.id)) this.#orders.push(order);
  }

  /**
   * Other terms for an open order; asks for what they need beyond what it holds.
   *
   * @param limitedKey the API key that asks, if it is under a daily limit
   */
  amend(
    id: string,
    order: OpenOrder,
    { more, price, limitedKey }: { more: number; price: number; limitedKey: string | null },
    factsVersion: number,
    rulesVersion: number,
  ): void {
    const next = holdsOf({ ...order, price, remaining: order.remaining + more });
    const extra = {
      reserve: Math.max(0, next.reserve - order.reserve),
      allowance: Math.max(0, next.allowance - order.allowance),
      position: Math.max(0, next.position - order.position),
    };
    const exposure = exposureOf({ ...order, price, remaining: order.remaining + more });
    const amendment = { id, order, quantity: order.quantity + more, price, extra, exposure, limitedKey };
    this.#amendments.push({ amendment, factsVersion, rulesVersion });
  }

  /** Pairs of orders that may meet. */
  crossings(): [buy: OpenOrder, sell: OpenOrder][] {
    const [buys, sells] = [
      this.open.filter(({ side }) => side === 'buy'),
      this.open.filter(({ side }) => side === 'sell'),
    ];
    return buys.flatMap((buy) =>
      sells
        .filter((sell) => sell.account !== buy.account && sell.price <= buy.price)
        .map((sell): [OpenOrder, OpenOrder] => [buy, sell]),
    );
  }

  fill(buy: OpenOrder, sell: OpenOrder, quantityMax: number, atBuyersPrice: boolean): void {
    const quantity = Math.min(quantityMax, buy.remaining, sell.remaining);
    const price = atBuyersPrice ? buy.price : sell.price;
    const notional = quantity * price;
    const fee = quantity * FEE;
    this.#tradeSequence += 1;
    const id = idAt(START + this.#number, this.#tradeSequence);
    for (const order of [buy, sell]) {
      order.filled += quantity;
      order.filledNotional += notional;
      order.fee += fee;
      order.remaining -= quantity;
    }
    const drawn = Math.floor(dollars(notional, buy.rate));
    this.#rehold(buy, { reserve: notional + fee, allowance: drawn, position: quantity });
    this.#rehold(sell, { reserve: quantity, allowance: 0, position: 0 });
    const bought = this.#move(buy.account, this.#baseAsset);
    bought.available += quantity;
    bought.bought += notional + fee;
    this.#move(sell.account, this.#baseAsset).sold += quantity;
    this.#add(sell.account, this.#quoteAsset, notional - fee);
    this.#add('boundary:fees', this.#quoteAsset, 2 * fee);
    if (sell.positionAsset !== null) {
      this.#add(sell.account, sell.positionAsset, quantity);
      this.#add('boundary:limits', sell.positionAsset, -quantity);
    }
    this.#handOver(sell, buy, quantity, id);
    this.#trades.push({
      id,
      sequence: this.#tradeSequence,
      price,
      quantity,
      notional,
      takerSide: 'buy',
      buyOrder: buy.id,
      sellOrder: sell.id,
      buyer: buy.account,
      seller: sell.account,
      buyerFee: fee,
      sellerFee: fee,
      executedAt: START,
      ...(buy.allowanceAsset !== null && buy.rate !== null ? { allowance: drawn } : {}),
    });
  }

  /** An execution at a broker, at the order's limit: it settles on this day, or at once. */
  execute(order: OpenOrder, quantityMax: number, settlesOn: number | null): void {
    const quantity = Math.min(quantityMax, order.remaining);
    const notional = quantity * order.price;
    const fee = quantity * FEE;
    this.#tradeSequence += 1;
    const id = idAt(START + this.#number, this.#tradeSequence);
    order.filled += quantity;
    order.filledNotional += notional;
    order.fee += fee;
    order.remaining -= quantity;
    const isBuy = order.side === 'buy';
    const drawn = Math.floor(dollars(notional, order.rate));
    if (isBuy) {
      this.#rehold(order, { reserve: notional + fee, allowance: drawn, position: quantity });
      const bought = this.#move(order.account, this.#baseAsset);
      bought.available += quantity;
      bought.bought += notional + fee;
      if (this.#tracksLots) {
        const lot = { id: `${id}.0`, account: order.account, quantity, cost: notional + fee, acquiredAt: START };
        this.#received.push({ ...lot, restrictionEndsAt: null, offeringType: null });
      }
    } else {
      this.#rehold(order, { reserve: quantity, allowance: 0, position: 0 });
      this.#move(order.account, this.#baseAsset).sold += quantity;
      if (order.positionAsset !== null) {
        this.#add(order.account, order.positionAsset, quantity);
        this.#add('boundary:limits', order.positionAsset, -quantity);
      }
      this.#sendOut(order, quantity);
    }
    const paid = isBuy || settlesOn !== null ? 0 : notional - fee;
    if (paid > 0) this.#add(order.account, this.#quoteAsset, paid);
    this.#add(CLEARING, this.#quoteAsset, isBuy ? notional : -paid - fee);
    this.#add(CLEARING, this.#baseAsset, isBuy ? -quantity : quantity);
    this.#add('boundary:fees', this.#quoteAsset, fee);
    const theirs = orderOfExecution(id);
    this.#trades.push({
      id,
      sequence: this.#tradeSequence,
      price: order.price,
      quantity,
      notional,
      takerSide: order.side,
      buyOrder: isBuy ? order.id : theirs,
      sellOrder: isBuy ? theirs : order.id,
      buyer: isBuy ? order.account : CLEARING,
      seller: isBuy ? CLEARING : order.account,
      buyerFee: isBuy ? fee : 0,
      sellerFee: isBuy ? 0 : fee,
      executedAt: START,
      ...(isBuy && order.allowanceAsset !== null && order.rate !== null ? { allowance: drawn } : {}),
      settlesOn,
    });
  }

  cancel(order: OpenOrder): void {
    this.reduce(order, order.remaining);
  }

  /** Takes a part off without a trade. */
  reduce(order: OpenOrder, quantity: number): void {
    order.remaining -= Math.min(quantity, order.remaining);
    this.#giveBack(order);
    this.#rehold(order, { reserve: 0, allowance: 0, position: 0 });
  }

  /** What has happened so far settles by itself. */
  cut(): void {
    const orders = Array.from(this.#touched.values(), (order) => {
      const { id, filled, filledNotional, fee, reserve, allowance, position, quantity, price, remaining } = order;
      const status = remaining > 0 ? 'open' : filled === quantity ? 'filled' : 'cancelled';
      const terms = { filled, filledNotional, fee, reserve, allowance, position, quantity, price };
      return orderState({ id, status, ...terms });
    });
    const released = this.#released
      .filter(({ kind }) => kind === 'order')
      .map(({ id, quantity, price }) => orderState({ id, status: 'rejected', code: 'UNAVAILABLE', quantity, price }));
    const chunk: SettlementChunk = {
      trades: this.#trades,
      orders: [...orders, ...released],
      balances: [...this.#moves.values()],
      lots: this.#received,
      lotMoves: this.#lotMoves,
      amendments: this.#ended,
      bars: [],
    };
    if (chunk.orders.length + chunk.balances.length + chunk.amendments.length > 0) this.#chunks.push(chunk);
    this.#trades = [];
    this.#touched = new Map();
    this.#released = [];
    this.#moves = new Map();
    this.#received = [];
    this.#lotMoves = [];
    this.#ended = [];
  }

  /** All that has happened, and all who wait, as the next batch. */
  batch(): BookBatch {
    this.cut();
    const batch: BookBatch = {
      kind: 'batch',
      book: this.#symbol,
      owner: this.owner,
      batch: this.#batch + 1,
      settledFrom: this.#settled,
      settledTo: this.#settled + this.#chunks.length,
      baseAsset: this.#baseAsset,
      quoteAsset: this.#quoteAsset,
      tracksLots: this.#tracksLots,
      emitsEvents: false,
      chunks: this.#chunks,
      orders: this.#orders,
      amendments: this.#amendments.map(({ amendment: { id, order, extra, exposure, limitedKey }, ...versions }) => ({
        id,
        orderId: order.id,
        account: order.account,
        reserveAsset: order.side === 'buy' ? this.#quoteAsset : this.#baseAsset,
        allowanceAsset: order.allowanceAsset,
        positionAsset: order.positionAsset,
        ...extra,
        exposure,
        limitedKey,
        ...versions,
        createdAt: START,
      })),
    };
    this.#chunks = [];
    return batch;
  }

  /** The batch has landed: who was admitted joins the book. */
  landed(batch: BookBatch, outcome: BatchOutcome): void {
    if (outcome.type !== 'landed') throw new Error(`a batch of ${this.#symbol} was fenced`);
    this.#settle(batch);
    const refused = new Set(outcome.refused.map(({ id }) => id));
    const lotsOf = (id: string): OpenLot[] =>
      outcome.lots.filter(({ reservationId }) => reservationId === id).map((lot) => ({ ...lot }));
    for (const order of batch.orders)
      if (order.code === null && !refused.has(order.id)) this.#enter(order, lotsOf(order.id));
    for (const { amendment } of this.#amendments)
      if (!refused.has(amendment.id)) this.#amended(amendment, lotsOf(amendment.id));
    this.#orders = [];
    this.#amendments = [];
  }

  /** This instance is gone, and with it what the batch on its way had admitted: the next one takes over. */
  nextOwner(): void {
    this.#owners += 1;
    this.#orders = [];
    this.#amendments = [];
  }

  /** The new owner releases what was admitted and never journaled. */
  taken(outcome: OwnOutcome, lost: BookBatch | null): void {
    if (outcome.type !== 'taken') throw new Error(`${this.#symbol} could not be taken over`);
    if (lost === null) return;
    this.#settle(lost);
    for (const hold of outcome.admitted) {
      const { account, reserveAsset, allowanceAsset, positionAsset } = hold;
      this.#add(account, reserveAsset, hold.reserve);
      if (allowanceAsset !== null) this.#add(account, allowanceAsset, hold.allowance);
      if (positionAsset !== null) this.#add(account, positionAsset, hold.position);
      for (const { lotId, quantity } of hold.lots) this.#lotMoves.push(lotMove(hold.id, lotId, { released: quantity }));
      if (hold.kind === 'amendment') this.#ended.push(hold.id);
      else this.#released.push(hold);
    }
  }

  #settle({ batch, settledTo }: BookBatch): void {
    this.#batch = batch;
    this.#settled = settledTo;
  }

  #enter(admission: OrderAdmission, lots: OpenLot[]): void {
    const { id, account, side, quantity, price, allowanceAsset, positionAsset, reserve, allowance, position } =
      admission;
    const order: OpenOrder = {
      id,
      account,
      side,
      allowanceAsset,
      positionAsset,
      limitedKey: admission.daily === null ? null : admission.keyId,
      rate: this.#rates.get(admission.rateVersion ?? 0) ?? null,
      price: price as number,
      quantity,
      remaining: quantity,
      filled: 0,
      filledNotional: 0,
      fee: 0,
      reserve,
      allowance,
      position,
      lots,
    };
    this.open.push(order);
    if (this.#isShort(order, reserve, lots)) this.cancel(order);
  }

  #amended({ id, order, quantity, price, extra }: Amendment, lots: OpenLot[]): void {
    const remaining = order.remaining + quantity - order.quantity;
    const next = holdsOf({ ...order, price, remaining });
    this.#ended.push(id);
    const isCovered =
      next.reserve <= order.reserve + extra.reserve &&
      next.allowance <= order.allowance + extra.allowance &&
      next.position <= order.position + extra.position;
    if (order.remaining === 0 || remaining <= 0 || !isCovered || this.#isShort(order, extra.reserve, lots)) {
      this.#add(order.account, order.side === 'buy' ? this.#quoteAsset : this.#baseAsset, extra.reserve);
      if (order.allowanceAsset !== null) this.#add(order.account, order.allowanceAsset, extra.allowance);
      if (order.positionAsset !== null) this.#add(order.account, order.positionAsset, extra.position);
      for (const { lotId, quantity: share } of lots) this.#lotMoves.push(lotMove(id, lotId, { released: share }));
      return;
    }
    order.quantity = quantity;
    order.price = price;
    order.remaining = remaining;
    order.reserve += extra.reserve;
    order.allowance += extra.allowance;
    order.position += extra.position;
    order.lots.push(...lots);
    this.#giveBack(order);
    this.#rehold(order, { reserve: 0, allowance: 0, position: 0 });
  }

  /** Lots are bounded in a batch: a sell that got fewer than it holds cannot stay. */
  #isShort({ side }: OpenOrder, reserve: number, lots: readonly OpenLot[]): boolean {
    return this.#tracksLots && side === 'sell' && lots.reduce((sum, { quantity }) => sum + quantity, 0) < reserve;
  }

  #rehold(order: OpenOrder, spent: Holds): void {
    const next = holdsOf(order);
    this.#add(
      order.account,
      order.side === 'buy' ? this.#quoteAsset : this.#baseAsset,
      order.reserve - next.reserve - spent.reserve,
    );
    for (const [asset, freed, drawn] of [
      [order.allowanceAsset, order.allowance - next.allowance, spent.allowance],
      [order.positionAsset, order.position - next.position, spent.position],
    ] as const) {
      if (asset === null || order.side === 'sell') continue;
      this.#add(order.account, asset, freed - drawn);
      if (drawn > 0) this.#add('boundary:limits', asset, drawn);
    }
    Object.assign(order, next);
    this.#touched.set(order.id, order);
    if (order.remaining === 0 && this.open.includes(order)) this.open.splice(this.open.indexOf(order), 1);
  }

  /** Oldest lots go first; the newest that are reserved beyond what remains go back first. */
  #handOver(sell: OpenOrder, buy: OpenOrder, quantity: number, tradeId: string): void {
    if (!this.#tracksLots) return;
    let wanted = quantity;
    for (let n = 0; wanted > 0; n++) {
      const lot = sell.lots[0] as OpenLot;
      const consumed = Math.min(wanted, lot.quantity);
      this.#lotMoves.push(lotMove(lot.reservationId, lot.lotId, { consumed }));
      const { restrictionEndsAt, offeringType } = lot;
      const received = { id: `${tradeId}.${n}`, account: buy.account, quantity: consumed, cost: consumed * buy.price };
      this.#received.push({ ...received, acquiredAt: START, restrictionEndsAt, offeringType });
      wanted -= consumed;
      lot.quantity -= consumed;
      if (lot.quantity === 0) sell.lots.shift();
    }
  }

  #sendOut(sell: OpenOrder, quantity: number): void {
    let wanted = this.#tracksLots ? quantity : 0;
    while (wanted > 0) {
      const lot = sell.lots[0] as OpenLot;
      const consumed = Math.min(wanted, lot.quantity);
      this.#lotMoves.push(lotMove(lot.reservationId, lot.lotId, { consumed }));
      wanted -= consumed;
      lot.quantity -= consumed;
      if (lot.quantity === 0) sell.lots.shift();
    }
  }

  #giveBack(order: OpenOrder): void {
    let left = order.lots.reduce((sum, { quantity }) => sum + quantity, 0) - order.remaining;
    while (left > 0) {
      const lot = order.lots.at(-1) as OpenLot;
      const released = Math.min(left, lot.quantity);
      this.#lotMoves.push(lotMove(lot.reservationId, lot.lotId, { released }));
      left -= released;
      lot.quantity -= released;
      if (lot.quantity === 0) order.lots.pop();
    }
  }

  #add(account: string, asset: string, available: number): void {
    this.#move(account, asset).available += available;
  }

  #move(account: string, asset: string): MutableMove {
    const key = `${account} ${asset}`;
    let found = this.#moves.get(key);
    if (found === undefined) {
      found = { ...move(account, asset, 0) };
      this.#moves.set(key, found);
    }
    return found;
  }
}

/** At its limit, less the fee of a sell. */
function exposureOf({
  side,
  price,
  remaining,
  filledNotional,
}: Pick<OpenOrder, 'side' | 'price' | 'remaining' | 'filledNotional'>): Exposure {
  const notional = filledNotional + remaining * price;
  if (side === 'buy') return { notional, quantity: 0, proceeds: 0 };
  return { notional, quantity: remaining, proceeds: remaining * (price - FEE) };
}

function holdsOf({
  side,
  price,
  remaining,
  allowanceAsset,
  positionAsset,
  rate,
}: Pick<OpenOrder, 'side' | 'price' | 'remaining' | 'allowanceAsset' | 'positionAsset' | 'rate'>): Holds {
  if (side === 'sell') return { reserve: remaining, allowance: 0, position: 0 };
  return {
    reserve: remaining * (price + FEE),
    allowance: allowanceAsset === null ? 0 : Math.ceil(dollars(remaining * price, rate)),
    position: positionAsset === null ? 0 : remaining,
  };
}

/** Of amounts so small that nothing is lost. */
function dollars(amount: number, rate: VersionedRate | null): number {
  return rate === null ? amount : (amount * rate.numerator) / rate.denominator;
}
