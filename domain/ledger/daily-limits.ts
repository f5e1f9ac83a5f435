import { mulDivFloorAtMost } from '../money/arithmetic.ts';
import { type DollarRate, inDollarsDown, inDollarsUp } from '../money/dollar-rate.ts';
import { isFinal } from '../order-state/order-state.ts';
import { boundedCost } from './balances.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import { hasReached, type KeyUse, type LimitedOrder, proceedsOf, worstLoss } from './limited-keys.ts';
import type { AdmissionRefusal } from './outcomes.ts';
import { rateOf } from './rates.ts';
import type {
  AmendmentAdmission,
  DailyLimits,
  Exposure,
  OrderAdmission,
  OrderState,
  SettlementChunk,
} from './records.ts';
import type { BookBatch } from './transactions.ts';

/** Why a daily limit of the API key refuses, and what is left of it. */
export interface LimitRefusal {
  readonly refusal: AdmissionRefusal;
  readonly available: number;
  /** What was asked of it. */
  readonly required: number;
}

/** Why the daily limits of its API key refuse an order, or null. Call it for orders that are under one. */
export function orderLimitRefusal(
  state: LedgerState,
  batch: BookBatch,
  { id, account, keyId, reserve, daily }: OrderAdmission,
): LimitRefusal | null {
  if (daily === null) return null;
  if (keyId === null) throw new LedgerViolation(`order ${id} is under daily limits of no key`);
  checkExposure(id, daily);
  const { limitedKeys, limits, balances } = state;
  if (limitedKeys.ids.find(keyId) < 0) {
    const { limitedKeysMax, limitedKeysPerAccountMax, limitedKeysForGuaranteed, limitedKeysGuaranteedPerAccount } =
      limits;
    if (limitedKeys.count >= limitedKeysMax) return { refusal: 'ledger_full', available: 0, required: 0 };
    const holder = balances.accounts.find(account);
    const own = holder < 0 ? 0 : limitedKeys.countOf(holder);
    const isFew = own < limitedKeysGuaranteedPerAccount || limitedKeysGuaranteedPerAccount === 0;
    const hasRoom = isFew || limitedKeys.count < limitedKeysMax - limitedKeysForGuaranteed;
    const quota = hasRoom ? limitedKeysPerAccountMax : limitedKeysGuaranteedPerAccount;
    if (own >= quota) return { refusal: 'account_keys', available: quota, required: 0 };
  }
  const isAtRisk = daily.quantity > 0 && daily.lossMax !== null;
  const cost = isAtRisk ? costOfFree(state, batch, account, reserve) : 0;
  const { notional, proceeds } = exposureInDollars(daily, rateOf(state, batch));
  return limitRefusal(daily, limitedKeys.useOf(keyId), notional, worstLoss(cost, proceeds));
}

/** What an order counts, rounded up, and brings at the least, rounded down, in dollars. */
export function exposureInDollars({ notional, quantity, proceeds }: Exposure, rate: DollarRate | null): Exposure {
  return { notional: inDollarsUp(notional, rate), quantity, proceeds: inDollarsDown(proceeds, rate) };
}

/**
 * Why daily limits refuse what would count so much more notional, and could lose so much more, or null. A key that has lost as much as it
 * may takes nothing more that day.
 */
export function limitRefusal(
  { notionalMax, lossMax }: DailyLimits,
  use: KeyUse,
  notional: number,
  loss: number,
): LimitRefusal | null {
  if (notionalMax !== null && notional > 0 && use.notional + notional > notionalMax)
    return { refusal: 'daily_notional', available: Math.max(0, notionalMax - use.notional), required: notional };
  if (lossMax === null) return null;
  const available = hasReached(use.loss, lossMax) ? 0 : Math.max(0, lossMax - use.loss - use.lossHeld);
  return loss > available || hasReached(use.loss, lossMax)
    ? { refusal: 'daily_loss', available, required: loss }
    : null;
}

/** Counts an admitted order against its key. Call it before its lots are reserved. */
export function countOrder(state: LedgerState, batch: BookBatch, reservation: number, order: OrderAdmission): void {
  const { account, keyId, reserve, daily } = order;
  if (daily === null || keyId === null) return;
  const { notionalMax, lossMax } = daily;
  const rate = rateOf(state, batch);
  const { notional, quantity, proceeds } = exposureInDollars(daily, rate);
  const holder = state.balances.accounts.intern(account);
  const key = state.limitedKeys.open(keyId, holder, notionalMax, lossMax);
  const cost = quantity === 0 || lossMax === null ? 0 : costOfFree(state, batch, account, reserve);
  const lossHeld = lossMax === null ? 0 : worstLoss(cost, proceeds);
  state.limitedKeys.add(reservation, { key, notional, lossHeld, cost, quantity, proceeds, rate });
}

/**
 * Why the daily limits of an order's key refuse an amendment, whoever asks for it, or null. A key under daily limits amends no order
 * that does not count against it.
 */
export function amendmentLimitRefusal(
  state: LedgerState,
  batch: BookBatch,
  amendment: AmendmentAdmission,
): LimitRefusal | null {
  const { limitedKeys } = state;
  const order = orderOfAmendment(state, amendment);
  const key = order?.key ?? -1;
  const isOthers = amendment.limitedKey !== null && limitedKeys.ids.find(amendment.limitedKey) !== key;
  if (amendment.limitedKey !== null && (key < 0 || isOthers))
    return { refusal: 'outside_limit', available: 0, required: 0 };
  if (order === null) return null;
  checkExposure(amendment.id, amendment.exposure);
  const amended = amendedOrder(state, batch, amendment, order);
  const limits = { notionalMax: limitedKeys.notionalMax(key), lossMax: limitedKeys.lossMax(key) };
  const [extra, worse] = [amended.notional - order.notional, amended.lossHeld - order.lossHeld];
  return limitRefusal(limits, limitedKeys.use(key), extra, worse);
}

/** Counts what an admitted amendment adds to its order. Call it before its lots are reserved. */
export function countAmendment(
  state: LedgerState,
  batch: BookBatch,
  reservation: number,
  amendment: AmendmentAdmission,
): void {
  const order = orderOfAmendment(state, amendment);
  if (order === null) return;
  const number = state.reservations.ids.find(amendment.orderId);
  state.limitedKeys.amend(number, reservation, amendedOrder(state, batch, amendment, order));
}

/** What the sales of an order came to in a chunk. */
interface Sale {
  /** Units of the quote asset. */
  proceeds: number;
  /** What the shares that were sold had cost, in dollars. */
  cost: number;
  /** The same of shares that went back. */
  freedCost: number;
  /** Its last trade; '' without one. */
  tradeId: string;
}

/** By the number of its order's reservation. */
export type LimitedSales = ReadonlyMap<number, Sale>;

const NO_SALES: LimitedSales = new Map();
const NO_SALE: Readonly<Sale> = { proceeds: 0, cost: 0, freedCost: 0, tradeId: '' };

/**
 * What orders under daily limits sell in a chunk, and what that had cost: by the lots that leave (first-in-first-out, as they were
 * reserved), or on average where the asset tracks none. Call it before anything of the chunk is settled.
 */
export function limitedSalesOf(state: LedgerState, batch: BookBatch, chunk: SettlementChunk): LimitedSales {
  const { limitedKeys, reservations, lots } = state;
  if (limitedKeys.count === 0) return NO_SALES;
  const sales = new Map<number, Sale>();
  const saleOf = (reservationId: string): Sale | null => {
    const number = reservations.ids.find(reservationId);
    const order = number < 0 ? -1 : limitedKeys.orderOf(number);
    if (order < 0) return null;
    const sale = sales.get(order) ?? { ...NO_SALE };
    sales.set(order, sale);
    return sale;
  };
  for (const { id, sellOrder, seller, quantity, notional, sellerFee } of chunk.trades) {
    const sale = saleOf(sellOrder);
    if (sale === null) continue;
    sale.proceeds += notional - sellerFee;
    sale.tradeId = id;
    if (!batch.tracksLots) sale.cost += averageCost(state, batch, seller, quantity);
  }
  for (const { reservationId, lotId, consumed, released } of chunk.lotMoves) {
    const sale = saleOf(reservationId);
    if (sale === null) continue;
    sale.cost += lots.costOf(lotId, consumed);
    sale.freedCost += lots.costOf(lotId, released);
  }
  return sales;
}

/** Lots that leave an order, or go back from it or from an amendment that came to nothing, take their cost with them. */
export function takeCosts({ limitedKeys }: LedgerState, sales: LimitedSales): void {
  for (const [order, { cost, freedCost }] of sales) limitedKeys.takeCost(order, cost + freedCost);
}

/**
 * What an order under daily limits has come to by this state of it: what it has lost is consumed, and a final one counts by what it filled.
 * Call it before a final order leaves.
 *
 * @returns where it has taken its key to its daily loss, null where it has not
 */
export function settleLimited(
  { limitedKeys, balances, reservations }: LedgerState,
  reservation: number,
  { status, filledNotional }: OrderState,
  { tradeId, cost, proceeds }: Readonly<Sale> = NO_SALE,
): Breach | null {
  const counted = limitedKeys.at(reservation);
  if (counted === null) return null;
  const account = balances.accounts.text(reservations.account(reservation));
  const keyId = limitedKeys.ids.text(counted.key);
  const isBreach = tradeId !== '' && limitedKeys.lose(reservation, cost - inDollarsDown(proceeds, counted.rate));
  if (isFinal(status)) limitedKeys.end(reservation, filledNotional);
  return isBreach ? { tradeId, keyId, account } : null;
}

/** An order that goes on holds what it may still lose. Call it once the chunk is in. */
export function holdLossOf(state: LedgerState, batch: BookBatch, { id, reserve }: OrderState): void {
  const { limitedKeys, balances, reservations } = state;
  const reservation = reservations.ids.find(id);
  const counted = reservation < 0 ? null : limitedKeys.at(reservation);
  if (counted === null || counted.quantity === 0 || limitedKeys.lossMax(counted.key) === null) return;
  const account = balances.accounts.text(reservations.account(reservation));
  const cost = batch.tracksLots ? counted.cost : averageCost(state, batch, account, reserve);
  limitedKeys.settle(reservation, cost, worstLoss(cost, proceedsOf(counted, reserve)));
}

/** The daily losses of a key have reached its limit with this trade. */
export interface Breach {
  readonly tradeId: string;
  readonly keyId: string;
  readonly account: string;
}

/** A key at its daily loss: its open orders are to be cancelled in every book, until each has confirmed. */
export function cancelOrdersOf(state: LedgerState, { tradeId, keyId, account }: Breach): void {
  const books = state.openBooks(account);
  if (books.length > 0) state.cancellations.set(tradeId, { id: tradeId, account, keyIds: [keyId], books });
}

/** The order that an amendment is of, if a daily limit binds it. */
function orderOfAmendment(
  { reservations, limitedKeys }: LedgerState,
  { orderId }: AmendmentAdmission,
): LimitedOrder | null {
  const number = reservations.ids.find(orderId);
  return number < 0 ? null : limitedKeys.at(number);
}

/** An amendment never lowers what its order counts or holds: it may yet come to nothing. It goes by the rate of its order. */
function amendedOrder(
  state: LedgerState,
  batch: BookBatch,
  { orderId, account, reserve, exposure: asked }: AmendmentAdmission,
  order: LimitedOrder,
): Omit<LimitedOrder, 'key'> {
  const { reservations } = state;
  const { rate } = order;
  const exposure = exposureInDollars(asked, rate);
  const counted = Math.max(order.notional, exposure.notional);
  if (exposure.quantity === 0) return { ...order, notional: counted };
  // Cost and proceeds are of the same shares: of all that are reserved until the amendment is applied, also where it gives some up.
  const reserved = reservations.reserve(reservations.ids.find(orderId)) + reserve;
  const quantity = Math.max(exposure.quantity, reserved);
  const atNewPrice = mulDivFloorAtMost(exposure.proceeds, quantity, exposure.quantity);
  const proceeds = Math.min(proceedsOf(order, quantity), atNewPrice);
  const isLossLimited = state.limitedKeys.lossMax(order.key) !== null;
  const cost = !isLossLimited
    ? 0
    : batch.tracksLots
      ? boundedCost(order.cost + costOfFree(state, batch, account, reserve))
      : averageCost(state, batch, account, quantity);
  const worst = isLossLimited ? worstLoss(cost, proceeds) : 0;
  return { notional: counted, lossHeld: Math.max(order.lossHeld, worst), cost, quantity, proceeds, rate };
}

/** What the shares cost that a sell of this quantity would reserve. */
function costOfFree(state: LedgerState, batch: BookBatch, account: string, quantity: number): number {
  const balance = state.balances.find(account, batch.baseAsset);
  if (balance < 0) return 0;
  return batch.tracksLots
    ? state.lots.costOfFree(balance, quantity)
    : state.balances.costOf(balance, quantity, state.ruleSet);
}

function averageCost(
  { balances, ruleSet }: LedgerState,
  { baseAsset }: BookBatch,
  account: string,
  quantity: number,
): number {
  const balance = balances.find(account, baseAsset);
  return balance < 0 ? 0 : balances.costOf(balance, quantity, ruleSet);
}

function checkExposure(id: string, amounts: Exposure): void {
  for (const amount of Object.values(amounts)) {
    if (amount !== null && (!Number.isSafeInteger(amount) || amount < 0 || amount === Number.MAX_SAFE_INTEGER))
      throw new LedgerViolation(`${id} would count ${amount}`);
  }
}
