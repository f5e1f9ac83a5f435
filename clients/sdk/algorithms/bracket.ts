import type { Decimal } from '../numbers/decimal.ts';
import { compare, floorTo, sign, subtract } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Terms } from './algorithm.ts';
import {
  begun,
  cancelling,
  ending,
  exitable,
  exitedOf,
  filledOf,
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
}

export interface BracketState extends AlgorithmState {
  readonly algorithm: 'bracket';
  readonly terms: BracketTerms;
  readonly exited: Decimal;
  /** Which exit has begun; from then on nothing more is entered. */
  readonly exit: 'take_profit' | 'stop' | null;
}

/** What a bracket that is kept at the client cannot promise. */
export const BRACKET_CANNOT_PROMISE = [
  'to stop while the program is down, or its book is not fresh: the stop is kept at the client, the profit rests on the book',
  'a price at the stop: the market may have passed it, and the stop trades no worse than its limit alone',
  'to stop at once: the order that would take the profit is cancelled first, and its end is waited for',
  'an exit of what is smaller than an order may be',
] as const;

/** Open orders that take the profit; further fills of the entry put them together into one. */
const EXITS_MAX = 5;

/**
 * An entry, and two exits that follow its fills: an order that takes the profit, and a stop at the client. One is over before the other
 * begins, and together they ask for no more than has been entered for certain: so nothing that fills meanwhile turns the position round.
 */
export function startBracket(id: string, terms: BracketTerms): BracketState {
  const { side, limitPrice, takeProfitPrice, stopPrice, stopLimitPrice } = terms;
  const [low, high] = side === 'buy' ? [stopPrice, takeProfitPrice] : [takeProfitPrice, stopPrice];
  const [worse, better] = side === 'buy' ? [stopLimitPrice, stopPrice] : [stopPrice, stopLimitPrice];
  if (sign(low) <= 0 || compare(low, limitPrice) >= 0 || compare(limitPrice, high) >= 0)
    throw new RangeError('limitPrice must lie between stopPrice and takeProfitPrice, on the right sides');
  if (sign(worse) <= 0 || compare(worse, better) > 0)
    throw new RangeError('stopLimitPrice must be stopPrice, or beyond it');
  const state: BracketState = { ...begun(id, terms), algorithm: 'bracket', terms, exited: '0', exit: null };
  return placing(state, { size: terms.quantity, price: limitPrice, timeInForce: 'GTC' });
}

export const bracket: Algorithm<BracketState> = {
  step(before: BracketState, event: AlgorithmEvent): BracketState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    const state = told(withEndOfEntry(before, event), event);
    if (state.stage !== 'running') return state;
    return followed(event.type === 'book' ? stopped(state, event) : state);
  },
  wakeAt: () => null,
};

/** An entry that has traded and is ended by somebody else is no reason to leave what was entered without its exits. */
function withEndOfEntry(state: BracketState, event: AlgorithmEvent): BracketState {
  if (event.type !== 'order' || !event.isOver) return state;
  const order = state.orders[event.clientOrderId];
  if (order === undefined || isExit(order) || (sign(event.filled) <= 0 && sign(order.filled) <= 0)) return state;
  return { ...state, orders: { ...state.orders, [event.clientOrderId]: { ...order, stage: 'cancelling' } } };
}

/** The market has reached the stop, and there is something to close. */
function stopped(state: BracketState, { bids, asks }: Extract<AlgorithmEvent, { type: 'book' }>): BracketState {
  const { side, stopPrice } = state.terms;
  const best = (side === 'buy' ? bids : asks)[0]?.[0];
  const isOpen = compare(filledOf(state), exitedOf(state)) > 0;
  if (state.exit === 'stop' || !isOpen || best === undefined) return state;
  if (compare(best, stopPrice) === (side === 'buy' ? 1 : -1)) return state;
  return { ...cancelling(state), exit: 'stop' };
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
  return placing(state, { size, price: stopLimitPrice, timeInForce: 'GTC', isExit: true });
}

/** Asks for the profit on what has been entered, with one order at a time under way. */
function profitFollowed(state: BracketState): BracketState {
  const { lotSize, sizeMin, takeProfitPrice } = state.terms;
  const exits = ordersThat(isExit, state.orders);
  if (exits.some(({ stage }) => stage !== 'open')) return state;
  const size = floorTo(exitable(state), lotSize);
  if (compare(size, sizeMin) >= 0) {
    if (exits.length >= EXITS_MAX) return cancelling(state, isExit);
    return placing(state, { size, price: takeProfitPrice, timeInForce: 'GTC', isExit: true });
  }
  if (ordersThat(isEntry, state.orders).length > 0) return state;
  if (exits.length === 0) return closed(state);
  // The last fills of the entry are too few for an order of their own.
  return sign(size) > 0 ? cancelling(state, isExit) : state;
}

function closed(state: BracketState): BracketState {
  const left = subtract(filledOf(state), exitedOf(state));
  return ending(state, { is: sign(left) === 0 ? 'closed' : 'rest_too_small' });
}
