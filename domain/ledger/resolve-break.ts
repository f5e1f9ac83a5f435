import { isCalendarDate } from '../calendar/calendar-date.ts';
import { inDollarsUp } from '../money/dollar-rate.ts';
import type { AdmissionContext } from './admission.ts';
import { AMOUNT_MAX, isBoundary } from './balances.ts';
import { CLEARING_OF } from './broker-clearing.ts';
import { hasRoomForAll } from './incoming-room.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { BookedExecution, BreakOutcome } from './outcomes.ts';
import { rateOf } from './rates.ts';
import type { BreakBooking, BreakResolution } from './transactions.ts';
import { UNSETTLED_MAX, UNSETTLED_ROOM_FOR_SALES, type UnsettledSum } from './unsettled.ts';

/**
 * Closes a break, once. Booked, the execution that it tells of counts after all: cash and shares move between an account and the clearing
 * account of the market's route, free of fees, and settle on the day of its trade (docs/design/broker.md#closing-a-break). Whole or not at all.
 *
 * @throws LedgerViolation for a booking that no market states
 */
export function applyBreakResolution(
  state: LedgerState,
  resolution: BreakResolution,
  { time }: Pick<AdmissionContext, 'time'>,
): BreakOutcome {
  const { resolvedBreaks, bookedExecutions } = state;
  const { book, breakId, booking } = resolution;
  const name = nameIn(book, breakId);
  if (resolvedBreaks.has(name)) return { type: 'already_resolved' };
  // The read model says what else was resolved, and was read by then.
  if (resolvedBreaks.isReadTooLongAgo(resolution.createdAt) || bookedExecutions.isReadTooLongAgo(resolution.createdAt))
    return { type: 'ledger_full' };
  if (booking === null) {
    resolvedBreaks.add(name, time);
    return { type: 'done', booked: null };
  }
  const execution = nameIn(book, booking.executionId);
  if (bookedExecutions.has(execution)) return { type: 'already_booked' };
  checkBooking(booking);
  const refusal = refusalOf(state, booking);
  if (refusal !== null) return refusal;
  const booked = bookExecution(state, resolution, booking);
  resolvedBreaks.add(name, time);
  bookedExecutions.add(execution, time);
  return { type: 'done', booked };
}

/** The broker's ids of reports and executions are unique within a book. */
function nameIn(book: string, id: string): string {
  return `${book} ${id}`;
}

function checkBooking({ account, quantity, notional, settlesOn, route }: BreakBooking): void {
  const isExact = Number.isSafeInteger(quantity) && quantity > 0 && Number.isSafeInteger(notional) && notional >= 0;
  const isDay = settlesOn == null || (isCalendarDate(settlesOn) && route === 'broker');
  if (!isExact || !isDay || isBoundary(account))
    throw new LedgerViolation('an execution is booked that no market states');
}

/** What keeps it from being booked as it is; null for nothing. */
function refusalOf(state: LedgerState, booking: BreakBooking): Exclude<BreakOutcome, { type: 'done' }> | null {
  const { balances, limits, lots, unsettled } = state;
  const { account, side, baseAsset, quoteAsset, quantity, notional, tracksLots, route } = booking;
  const isBuy = side === 'buy';
  const [given, required] = isBuy ? [quoteAsset, notional] : [baseAsset, quantity];
  const [gotten, gain] = isBuy ? [baseAsset, quantity] : [quoteAsset, notional];
  const available = balances.availableOf(account, given);
  if (available < required) return { type: 'insufficient_balance', asset: given, required, available };
  const isOpened = balances.find(account, gotten) < 0;
  const isFull = isOpened && (balances.count >= limits.balancesMax || state.hasNoRoomFor(account, gotten));
  const isLotsFull = isBuy && tracksLots && lots.count >= limits.lotsMax + limits.roomForSales;
  const waiting = waitingOf(booking);
  const isWaitingFull =
    waiting !== null &&
    unsettled.find(waiting) === null &&
    unsettled.count >= UNSETTLED_MAX + (isBuy ? 0 : UNSETTLED_ROOM_FOR_SALES);
  if (isFull || isLotsFull || isWaitingFull) return { type: 'ledger_full' };
  const clearing = CLEARING_OF[route];
  const clearingSums = [
    balances.availableOf(clearing, gotten) - gain,
    balances.availableOf(clearing, given) + required,
  ];
  // Cash that waits will be theirs, too.
  const owned = balances.availableOf(account, gotten) + heldOf(state, account, gotten);
  const isTooMuch = owned + unsettled.sumOf(account, gotten, 'cash') + gain > AMOUNT_MAX;
  const isInRange = clearingSums.every(Number.isSafeInteger) && hasRoomForAll(state, gotten, gain);
  return isTooMuch || !isInRange ? { type: 'balance_too_large' } : null;
}

function heldOf({ balances }: LedgerState, account: string, asset: string): number {
  const balance = balances.find(account, asset);
  return balance < 0 ? 0 : balances.held(balance);
}

/** What of it settles later: cash of a sale stays in clearing, shares of a purchase in their account. */
function waitingOf({ account, side, baseAsset, quoteAsset, quantity, notional, settlesOn }: BreakBooking) {
  if (settlesOn == null) return null;
  const waiting: UnsettledSum =
    side === 'buy'
      ? { account, asset: baseAsset, kind: 'shares', settlesOn, amount: quantity }
      : { account, asset: quoteAsset, kind: 'cash', settlesOn, amount: notional };
  return waiting;
}

function bookExecution(state: LedgerState, { id, book }: BreakResolution, booking: BreakBooking): BookedExecution {
  const { balances, unsettled } = state;
  const { account, side, baseAsset, quoteAsset, quantity, notional, route } = booking;
  const clearing = CLEARING_OF[route];
  const [cash, shares] = [balances.open(account, quoteAsset), balances.open(account, baseAsset)];
  const [theirCash, theirShares] = [balances.open(clearing, quoteAsset), balances.open(clearing, baseAsset)];
  const waiting = waitingOf(booking);
  const rate = rateOf(state, booking);
  const paid = side === 'buy' ? -notional : waiting === null ? notional : 0;
  const sign = side === 'buy' ? 1 : -1;
  const { cost, lotIds } =
    side === 'buy'
      ? takeIn(state, `${id}.0`, booking, { balance: shares, cost: inDollarsUp(notional, rate) })
      : sendOut(state, booking, shares);
  balances.addAvailable(shares, sign * quantity);
  balances.addAvailable(theirShares, -sign * quantity);
  balances.addAvailable(cash, paid);
  balances.addAvailable(theirCash, -paid);
  if (waiting !== null) {
    unsettled.books.add(book);
    unsettled.add(waiting, waiting.amount);
  }
  return { lotIds, sellerCost: side === 'sell' ? cost : null, rateVersion: rate?.version ?? null };
}

interface Shares {
  readonly cost: number;
  readonly lotIds: readonly string[];
}

/** The buyer's lot is of the day of the trade, and unrestricted. */
function takeIn(
  { balances, lots }: LedgerState,
  lotId: string,
  { account, quantity, tracksLots, executedAt }: BreakBooking,
  { balance, cost }: { readonly balance: number; readonly cost: number },
): Shares {
  balances.addCost(balance, cost);
  if (!tracksLots) return { cost, lotIds: [] };
  const unbound = { restrictionEndsAt: null, offeringType: null };
  lots.insert(balance, { id: lotId, account, quantity, cost, acquiredAt: executedAt, ...unbound }, 'bought');
  return { cost, lotIds: [lotId] };
}

/** The oldest shares that are in no order leave. */
function sendOut({ balances, lots, ruleSet }: LedgerState, booking: BreakBooking, balance: number): Shares {
  const { quantity, tracksLots } = booking;
  const average = balances.costOf(balance, quantity, ruleSet);
  const cost = tracksLots ? lots.costOfFree(balance, quantity) : average;
  balances.addCost(balance, -average);
  if (!tracksLots) return { cost, lotIds: [] };
  const taken = lots.withdraw(balance, quantity).map(({ lot }) => lot);
  const lotIds = taken.map((lot) => lots.ids.text(lot));
  lots.removeSpent(taken);
  return { cost, lotIds };
}
