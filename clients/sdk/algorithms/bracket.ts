import type { Decimal } from '../numbers/decimal.ts';
import { compare, floorTo, isMultiple, sign, subtract } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Terms } from './algorithm.ts';
import {
  begun,
  cancelling,
  ending,
  exitable,
  exitedOf,
  filledOf,
  hasLostExit,
  hasOrders,
  isEntry,
  isExit,
  ordersThat,
  placing,
  told,
} from './child-orders.ts';

/** `limitPrice` and `side` are those of the entry. */
interface BracketTerms extends Terms {
  /** Where the position is closed with a profit: the price of an order that rests on the book. */
  readonly takeProfitPrice: Decimal;
  /** Where the market has gone the wrong way: the best price of the entry's side, as others see it. */
  readonly stopPrice: Decimal;
  /** The worst price at which a stop closes the position. */
  readonly stopLimitPrice: Decimal;
  /** Prices are multiples of it (`tick_size` of the market): an exit at another one would be refused once the entry has filled. */
  readonly tickSize: Decimal;
}

export interface BracketState extends AlgorithmState {
  readonly algorithm: 'bracket';
  readonly terms: BracketTerms;
  readonly exited: Decimal;
  /** Which exit has begun; from then on nothing more is entered. */
  readonly exit: 'take_profit' | 'stop' | null;
  /** When the last book showed the market at the stop, or beyond, Unix milliseconds; null where it did not. */
  readonly beyondStopAt: number | null;
  /** Exits that the exchange refused or ended, one after the other, since one traded. */
  readonly lostExits: number;
  /** After an exit was placed or lost no other one is placed for a while: since when, Unix milliseconds, 0 until it is known; null without a pause. */
  readonly pausedAt: number | null;
}

/** What a bracket that is kept at the client cannot promise. */
export const BRACKET_CANNOT_PROMISE = [
  'to stop while the program is down, or its book is not fresh: the stop is kept at the client, the profit rests on the book',
  'a price at the stop: the market may have passed it, and the stop trades no worse than its limit alone',
  'to stop at once: the order that would take the profit is cancelled first, and its end is waited for',
  'an exit of what is smaller than an order may be',
  'an exit that the exchange refuses, or ends, such as in a halt: it is placed again, after a second at first and a minute at last, and meanwhile the position is open',
  'exits for what was entered alone, where a trade of the entry is taken back after it has filled',
] as const;

/** Fills of the entry gather for as long. So the exits draw one placement a second and some 50 cancels a minute at most, of 10 and 300: the rest is there for the stop. */
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MOST = 60_000;
/** The feed says every 20 s that a book is as it was. What one showed longer ago says nothing of the market: the next one does. */
const BELIEVED_MS = 30_000;

/** Open orders that take the profit; further fills of the entry put them together into one. */
const EXITS_MAX = 5;

/**
 * An entry, and two exits that follow its fills: an order that takes the profit, and a stop at the client. One is over before the other
 * begins, and together they ask for no more than has been entered for certain: so nothing that fills meanwhile turns the position round.
 */
export function startBracket(id: string, terms: BracketTerms): BracketState {
  const { side, limitPrice, takeProfitPrice, stopPrice, stopLimitPrice, tickSize } = terms;
  const placedAt = [limitPrice, takeProfitPrice, stopLimitPrice];
  if (sign(tickSize) <= 0 || !placedAt.every((price) => isMultiple(price, tickSize)))
    throw new RangeError('limitPrice, takeProfitPrice and stopLimitPrice must be multiples of tickSize');
  const [low, high] = side === 'buy' ? [stopPrice, takeProfitPrice] : [takeProfitPrice, stopPrice];
  const [worse, better] = side === 'buy' ? [stopLimitPrice, stopPrice] : [stopPrice, stopLimitPrice];
  if (sign(low) <= 0 || compare(low, limitPrice) >= 0 || compare(limitPrice, high) >= 0)
    throw new RangeError('limitPrice must lie between stopPrice and takeProfitPrice, on the right sides');
  if (sign(worse) <= 0 || compare(worse, better) > 0)
    throw new RangeError('stopLimitPrice must be stopPrice, or beyond it');
  const none = { exited: '0', exit: null, beyondStopAt: null, lostExits: 0, pausedAt: null } as const;
  const state: BracketState = { ...begun(id, terms), algorithm: 'bracket', terms, ...none };
  return placing(state, { size: terms.quantity, price: limitPrice, timeInForce: 'GTC' });
}

export const bracket: Algorithm<BracketState> = {
  step(before: BracketState, event: AlgorithmEvent): BracketState {
    return withoutTimes(stepped(before, event));
  },
  wakeAt(state: BracketState): number | null {
    if (state.stage !== 'running') return null;
    if (isAtStop(state)) return 0;
    if (state.pausedAt === null) return null;
    return state.pausedAt === 0 ? 0 : state.pausedAt + pauseOf(state);
  },
};

function stepped(before: BracketState, event: AlgorithmEvent): BracketState {
  if (event.type === 'stop') return ending(before, { is: 'stopped' });
  const state = paused(before, told(withEndOfEntry(before, event), event), event);
  if (state.stage !== 'running') return state;
  const looked = event.type === 'book' ? seen(state, event) : state;
  if (!isAtStop(looked)) return followed(looked);
  // Whether what the last book showed still holds depends on the time, which an order does not tell.
  if (event.type !== 'book' && event.type !== 'time') return looked;
  return followed(isBelieved(looked, event.at) ? stopped(looked) : { ...looked, beyondStopAt: null });
}

/** Where nothing runs any more, what the market does and how long a pause lasts decides nothing: the state no longer says when either was. */
function withoutTimes(state: BracketState): BracketState {
  if (state.stage === 'running' || (state.beyondStopAt === null && state.pausedAt === null)) return state;
  return { ...state, beyondStopAt: null, pausedAt: null };
}

/** The pause after an exit was placed or lost, which begins at the first event that says what time it is. */
function paused(before: BracketState, state: BracketState, event: AlgorithmEvent): BracketState {
  if (hasLostExit(before, event)) return { ...state, lostExits: state.lostExits + 1, pausedAt: 0 };
  if (event.type === 'order' && sign(event.filled) > 0 && isExitOf(before, event.clientOrderId))
    return state.lostExits === 0 ? state : { ...state, lostExits: 0, pausedAt: null };
  if (state.pausedAt === null || (event.type !== 'book' && event.type !== 'time')) return state;
  if (state.pausedAt === 0) return { ...state, pausedAt: event.at };
  // A clock that was put back makes no pause longer.
  const passed = event.at - state.pausedAt;
  return passed >= 0 && passed < pauseOf(state) ? state : { ...state, pausedAt: null };
}

function isExitOf({ orders }: BracketState, clientOrderId: string): boolean {
  return orders[clientOrderId]?.isExit === true;
}

function pauseOf({ lostExits }: BracketState): number {
  return Math.min(PAUSE_MS_FIRST * 2 ** Math.min(Math.max(lostExits - 1, 0), 10), PAUSE_MS_MOST);
}

/** An entry that has traded and is ended by somebody else is no reason to leave what was entered without its exits. */
function withEndOfEntry(state: BracketState, event: AlgorithmEvent): BracketState {
  if (event.type !== 'order' || !event.isOver) return state;
  const order = state.orders[event.clientOrderId];
  if (order === undefined || isExit(order) || (sign(event.filled) <= 0 && sign(order.filled) <= 0)) return state;
  return { ...state, orders: { ...state.orders, [event.clientOrderId]: { ...order, stage: 'cancelling' } } };
}

/** Whether the market is at the stop, as the book shows it; without a price on that side it is as it was, and once a stop has begun nobody asks. */
function seen(state: BracketState, { bids, asks, at }: Extract<AlgorithmEvent, { type: 'book' }>): BracketState {
  const { side, stopPrice } = state.terms;
  if (state.exit === 'stop') return state;
  const best = (side === 'buy' ? bids : asks)[0]?.[0];
  if (best === undefined) return state;
  const beyondStopAt = compare(best, stopPrice) !== (side === 'buy' ? 1 : -1) ? at : null;
  return beyondStopAt === state.beyondStopAt ? state : { ...state, beyondStopAt };
}

/** Whether the market has reached the stop, as far as is known, and there is something to close. */
function isAtStop(state: BracketState): boolean {
  return state.exit !== 'stop' && state.beyondStopAt !== null && compare(filledOf(state), exitedOf(state)) > 0;
}

function isBelieved({ beyondStopAt }: BracketState, now: number): boolean {
  const passed = now - (beyondStopAt ?? 0);
  return passed >= 0 && passed <= BELIEVED_MS;
}

/** A stop waits for no pause that the other exit has made. */
function stopped(state: BracketState): BracketState {
  return { ...cancelling(state), exit: 'stop', beyondStopAt: null, lostExits: 0, pausedAt: null };
}

function followed(state: BracketState): BracketState {
  if (state.exit === 'stop') return stopFollowed(state);
  if (state.exit === null && sign(exitedOf(state)) > 0)
    return followed({ ...cancelling(state, isEntry), exit: 'take_profit' });
  return profitFollowed(state);
}

/** Closes what is left, once every earlier order has ended. */
function stopFollowed(state: BracketState): BracketState {
  if (hasOrders(state)) return state;
  const { lotSize, sizeMin, stopLimitPrice } = state.terms;
  const size = floorTo(exitable(state), lotSize);
  if (compare(size, sizeMin) < 0) return closed(state);
  if (state.pausedAt !== null) return state;
  return placing(state, { size, price: stopLimitPrice, timeInForce: 'GTC', isExit: true });
}

/** Asks for the profit on what has been entered, with one order at a time under way. */
function profitFollowed(state: BracketState): BracketState {
  const { lotSize, sizeMin, takeProfitPrice } = state.terms;
  const exits = ordersThat(isExit, state.orders);
  if (exits.some(({ stage }) => stage !== 'open')) return state;
  const size = floorTo(exitable(state), lotSize);
  if (compare(size, sizeMin) >= 0) {
    if (state.pausedAt !== null) return state;
    if (exits.length >= EXITS_MAX) return cancelling(state, isExit);
    return { ...placing(state, { size, price: takeProfitPrice, timeInForce: 'GTC', isExit: true }), pausedAt: 0 };
  }
  if (ordersThat(isEntry, state.orders).length > 0) return state;
  if (exits.length === 0) return closed(state);
  // The last fills of the entry are too few for an order of their own.
  return sign(size) > 0 && state.pausedAt === null ? cancelling(state, isExit) : state;
}

function closed(state: BracketState): BracketState {
  const left = subtract(filledOf(state), exitedOf(state));
  return ending(state, { is: sign(left) === 0 ? 'closed' : 'rest_too_small' });
}
