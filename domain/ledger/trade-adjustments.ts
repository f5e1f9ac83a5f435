import { mulDivFloor } from '../money/arithmetic.ts';
import { type DollarRate, inDollarsDown, inDollarsUp } from '../money/dollar-rate.ts';
import type { AdmissionContext } from './admission.ts';
import { AMOUNT_MAX, boundedCost, isBoundary } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { hasRoomForAll } from './incoming-room.ts';
import { unsettledChange } from './keep-unsettled.ts';
import type { LedgerState } from './ledger-state.ts';
import type { AdjustmentOutcome, MissingReturn } from './outcomes.ts';
import { isFromBeforeSplit } from './splits.ts';
import type { TradedLots } from './traded-lots.ts';
import type { TradeAdjustment, TradeTerms } from './transactions.ts';
import type { UnsettledSum } from './unsettled.ts';

/** A trade that was taken back: nothing of it stands. */
const NOTHING: TradeTerms = { price: 0, quantity: 0, notional: 0, buyerFee: 0, sellerFee: 0 };

/** What a trade stands at once it is adjusted. */
export function adjustedTerms({ to }: Pick<TradeAdjustment, 'to'>): TradeTerms {
  return to ?? NOTHING;
}

/** Change of what somebody has available. */
interface Leg {
  readonly account: string;
  readonly asset: string;
  readonly change: number;
}

/**
 * Takes a trade back, or settles it at another price: both sides' cash, shares and fees move by the difference between what it was and what
 * it stands at, and their sum is zero. The seller's lots come back as they were. Whole or not at all, and once a trade.
 */
export function applyTradeAdjustment(
  state: LedgerState,
  adjustment: TradeAdjustment,
  context: AdmissionContext,
): AdjustmentOutcome {
  const { balances, lots, limits, adjustedTrades, tradedLots } = state;
  const { trade, tracksLots, rate } = adjustment;
  if (adjustedTrades.has(trade.id)) return { type: 'already_adjusted' };
  if (isFromBeforeSplit(state, adjustment.baseAsset, trade)) return { type: 'split_since' };
  // The read model says what else was adjusted, and was read by then.
  if (adjustedTrades.isReadTooLongAgo(adjustment.createdAt)) return { type: 'ledger_full' };
  const isBust = adjustment.to === null;
  const moved = isBust && tracksLots ? tradedLots.find(trade.id) : null;
  if (isBust && tracksLots && moved === null) return { type: 'lots_unknown' };
  if (moved !== null && lots.count + moved.given.length > limits.lotsMax + limits.roomForSales)
    return { type: 'ledger_full' };
  const unsettled = unsettledChange(state, trade, adjustedTerms(adjustment), adjustment);
  const legs = legsOf(adjustment, unsettled);
  const missing = [...missingCash(state, adjustment, legs), ...missingShares(state, adjustment, moved)];
  if (missing.length > 0) return { type: 'not_returnable', missing };
  if (!staysExact(state, legs, unsettled)) return { type: 'balance_too_large' };

  if (unsettled !== null) state.unsettled.add(unsettled, unsettled.amount);
  const returnedCost = isBust ? costReturned(state, adjustment, moved) : 0;
  for (const { account, asset, change } of legs) balances.addAvailable(balances.open(account, asset), change);
  const lotIds = isBust
    ? returnShares(state, adjustment, moved, returnedCost)
    : changeCost(state, adjustment, tradedLots.find(trade.id));
  state.limitedKeys.begin(context.time);
  if (adjustment.sellKey !== null) {
    const loss = isBust
      ? Math.max(0, returnedCost - proceedsOf(trade, rate))
      : proceedsOf(adjustedTerms(adjustment), rate) - proceedsOf(trade, rate);
    state.limitedKeys.giveBackLoss(adjustment.sellKey, trade.executedAt, loss);
  }
  adjustedTrades.add(trade.id, context.time);
  return { type: 'done', lotIds, ...(unsettled === null ? {} : { unsettled }) };
}

/** In dollars, as a sale counts against a daily loss; without a rate in quote units. */
function proceedsOf({ notional, sellerFee }: TradeTerms, rate?: DollarRate | null): number {
  return inDollarsDown(notional - sellerFee, rate);
}

/** In dollars, as holdings are kept; without a rate in quote units. */
function paidOf({ notional, buyerFee }: TradeTerms, rate?: DollarRate | null): number {
  return inDollarsUp(notional + buyerFee, rate);
}

/** Every balance once: both sides of a trade may be one account's. Cash that has not settled still stands in broker clearing. */
function legsOf(adjustment: TradeAdjustment, unsettled: UnsettledSum | null): Leg[] {
  const { trade, baseAsset, quoteAsset } = adjustment;
  const to = adjustedTerms(adjustment);
  const shares = trade.quantity - to.quantity;
  const fees = to.buyerFee + to.sellerFee - trade.buyerFee - trade.sellerFee;
  const paidTo = unsettled?.kind === 'cash' ? BOUNDARY_ACCOUNT.brokerClearing : trade.seller;
  const legs: Leg[] = [
    { account: trade.buyer, asset: quoteAsset, change: paidOf(trade) - paidOf(to) },
    { account: paidTo, asset: quoteAsset, change: proceedsOf(to) - proceedsOf(trade) },
    { account: BOUNDARY_ACCOUNT.fees, asset: quoteAsset, change: fees },
    { account: trade.buyer, asset: baseAsset, change: -shares },
    { account: trade.seller, asset: baseAsset, change: shares },
  ];
  const sums = new Map<string, Leg>();
  for (const leg of legs) {
    const key = `${leg.account} ${leg.asset}`;
    sums.set(key, { ...leg, change: leg.change + (sums.get(key)?.change ?? 0) });
  }
  return [...sums.values()].filter(({ change }) => change !== 0);
}

/** Who does not have available what must go back; the boundary owes what it must. */
function missingCash({ balances }: LedgerState, adjustment: TradeAdjustment, legs: readonly Leg[]): MissingReturn[] {
  const { trade, tracksLots, baseAsset } = adjustment;
  return legs.flatMap(({ account, asset, change }) => {
    const available = balances.availableOf(account, asset);
    if (isBoundary(account) || available + change >= 0 || (tracksLots && asset === baseAsset)) return [];
    const side = account === trade.buyer ? 'buyer' : 'seller';
    return [{ side, account, asset, required: -change, available } as const];
  });
}

/** What clearing gives has no end of its own: nobody gets more than amounts are exact in, now or once it has settled. */
function staysExact(state: LedgerState, legs: readonly Leg[], unsettled: UnsettledSum | null): boolean {
  const { balances, unsettled: waiting } = state;
  const isExact = ({ account, asset, change }: Leg): boolean => {
    const balance = balances.find(account, asset);
    const total = (balance < 0 ? 0 : balances.available(balance) + balances.held(balance)) + change;
    return isBoundary(account) ? Number.isSafeInteger(total) : total <= AMOUNT_MAX;
  };
  const isWaitingExact =
    unsettled === null ||
    waiting.sumOf(unsettled.account, unsettled.asset, unsettled.kind) + unsettled.amount <= AMOUNT_MAX;
  const areAllExact = [...gainsOf(legs, unsettled)].every(([asset, gain]) => hasRoomForAll(state, asset, gain));
  return isWaitingExact && areAllExact && legs.every(isExact);
}

/** What accounts get of each asset, all together; cash that waits to settle is theirs. */
function gainsOf(legs: readonly Leg[], unsettled: UnsettledSum | null): Map<string, number> {
  const gains = new Map<string, number>();
  const add = (asset: string, change: number) => gains.set(asset, (gains.get(asset) ?? 0) + change);
  for (const { account, asset, change } of legs) if (!isBoundary(account)) add(asset, change);
  if (unsettled?.kind === 'cash') add(unsettled.asset, unsettled.amount);
  return gains;
}

/** The very shares that went to the buyer must be there, and in no order. */
function missingShares(
  { lots, balances }: LedgerState,
  { trade, baseAsset }: TradeAdjustment,
  moved: TradedLots | null,
): MissingReturn[] {
  if (moved === null || isBoundary(trade.buyer)) return [];
  const balance = balances.find(trade.buyer, baseAsset);
  const available = moved.received.reduce((sum, { lotId, quantity }) => {
    const lot = lots.ids.find(lotId);
    const isTheirs = lot >= 0 && lots.balance(lot) === balance;
    return sum + (isTheirs ? Math.min(quantity, lots.quantity(lot) - lots.reserved(lot)) : 0);
  }, 0);
  if (available >= trade.quantity) return [];
  return [{ side: 'buyer', account: trade.buyer, asset: baseAsset, required: trade.quantity, available }];
}

/**
 * What the shares had cost the seller: by their lots; without lots what as many cost on average now, since a sale leaves the average as it
 * was, or what they were sold for where nothing is left.
 */
function costReturned(
  { balances }: LedgerState,
  { trade, baseAsset, rate }: TradeAdjustment,
  moved: TradedLots | null,
): number {
  if (moved !== null) return boundedCost(moved.given.reduce((sum, { cost }) => sum + cost, 0));
  const balance = balances.find(trade.seller, baseAsset);
  const total = balance < 0 ? 0 : balances.available(balance) + balances.held(balance);
  if (total <= 0) return proceedsOf(trade, rate);
  const cost = balances.cost(balance);
  return trade.quantity <= total ? mulDivFloor(cost, trade.quantity, total) : proceedsOf(trade, rate);
}

/** @returns the lots that have changed */
function returnShares(
  { balances, lots }: LedgerState,
  { id, trade, baseAsset, rate }: TradeAdjustment,
  moved: TradedLots | null,
  cost: number,
): string[] {
  const [from, to] = [balances.open(trade.buyer, baseAsset), balances.open(trade.seller, baseAsset)];
  const taken = (moved?.received ?? []).map((part) => lots.takeFree(part.lotId, part.quantity, part.cost));
  const gaveUp = moved === null ? paidOf(trade, rate) : taken.reduce((sum, part) => sum + part.cost, 0);
  // What is the broker's has no cost here.
  if (!isBoundary(trade.buyer)) balances.addCost(from, -gaveUp);
  if (!isBoundary(trade.seller)) balances.addCost(to, cost);
  if (moved === null) return [];
  lots.removeSpent(taken.map(({ lot }) => lot));
  const returned = moved.given.map((lot, index) => ({ ...lot, id: `${id}.${index}`, account: trade.seller }));
  for (const { isBought, ...lot } of returned) lots.insert(to, lot, isBought === true ? 'bought' : 'registered');
  return [...moved.received.map(({ lotId }) => lotId), ...returned.map((lot) => lot.id)];
}

/** What the buyer has paid for the shares is another amount, in each lot that is still there. */
function changeCost({ balances, lots }: LedgerState, adjustment: TradeAdjustment, moved: TradedLots | null): string[] {
  const { trade, baseAsset, rate } = adjustment;
  const paid = paidOf(adjustedTerms(adjustment), rate);
  const balance = balances.find(trade.buyer, baseAsset);
  if (balance >= 0 && !isBoundary(trade.buyer)) balances.addCost(balance, paid - paidOf(trade, rate));
  const changed: string[] = [];
  let [quantityLeft, paidLeft] = [trade.quantity, paid];
  for (const { lotId, quantity, cost } of moved?.received ?? []) {
    const share = mulDivFloor(paidLeft, quantity, quantityLeft);
    quantityLeft -= quantity;
    paidLeft -= share;
    const lot = lots.ids.find(lotId);
    if (lot < 0 || lots.balance(lot) !== balance) continue;
    lots.addCost(lot, share - cost);
    changed.push(lotId);
  }
  return changed;
}
