import type { Decimal } from '../numbers/decimal.ts';
import { add, compare, multiply, sign, subtract, trim } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Terms } from './algorithm.ts';
import { begun, ending, hasOrders, placing, told, uncommitted } from './child-orders.ts';

interface StopTrailTerms extends Terms {
  /** How far the stop stays behind the best price that was seen: an amount, or per cent of that price. */
  readonly trail: { readonly amount: Decimal } | { readonly percent: Decimal };
}

export interface StopTrailState extends AlgorithmState {
  readonly algorithm: 'stop-trail';
  readonly terms: StopTrailTerms;
  /** The best price that the other side has shown: the highest bid for a sale, the lowest ask for a purchase. Null before the first one. */
  readonly extreme: Decimal | null;
  readonly isTriggered: boolean;
}

/** What a stop that is kept at the client cannot promise; a stop order of the exchange can. */
export const STOP_TRAIL_CANNOT_PROMISE = [
  'to trail or to trigger while the program is down, or its book is not fresh',
  'a price at the stop: the market may have passed it, and trades no worse than the limit alone',
  'to fill: where the market is beyond the limit, the order stands there and waits',
  'to tell a true move from a gap in the book: it goes by the best price shown, the exchange by the last trade',
  'a place in the queue before it triggers',
] as const;

/** Stays at the client and follows the market at a distance. Where the market comes back by that much, the quantity is placed at the limit. */
export function startStopTrail(id: string, terms: StopTrailTerms): StopTrailState {
  const { trail } = terms;
  if ('amount' in trail === 'percent' in trail) throw new RangeError('trail is an amount or per cent');
  if ('amount' in trail && sign(trail.amount) <= 0) throw new RangeError('the amount of trail must be above zero');
  if ('percent' in trail && (sign(trail.percent) <= 0 || compare(trail.percent, '100') >= 0))
    throw new RangeError('per cent of trail must be above 0 and below 100');
  return { ...begun(id, terms), algorithm: 'stop-trail', terms, extreme: null, isTriggered: false };
}

export const stopTrail: Algorithm<StopTrailState> = {
  step(before: StopTrailState, event: AlgorithmEvent): StopTrailState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    const state = told(before, event);
    if (state.stage !== 'running') return state;
    return placed(event.type === 'book' && !state.isTriggered ? trailed(state, event) : state);
  },
  wakeAt: () => null,
};

function trailed(state: StopTrailState, { bids, asks }: Extract<AlgorithmEvent, { type: 'book' }>): StopTrailState {
  const { terms, extreme } = state;
  const price = (terms.side === 'sell' ? bids : asks)[0]?.[0];
  if (price === undefined) return state;
  if (extreme === null || compare(price, extreme) === (terms.side === 'sell' ? 1 : -1))
    return { ...state, extreme: price };
  return isReached(terms, extreme, price) ? { ...state, isTriggered: true } : state;
}

function isReached({ side, trail }: StopTrailTerms, extreme: Decimal, price: Decimal): boolean {
  const back = side === 'sell' ? subtract(extreme, price) : subtract(price, extreme);
  if ('amount' in trail) return compare(back, trail.amount) >= 0;
  return compare(multiply(back, '100'), multiply(extreme, trail.percent)) >= 0;
}

function placed(state: StopTrailState): StopTrailState {
  if (!state.isTriggered || hasOrders(state)) return state;
  const { limitPrice, sizeMin } = state.terms;
  const size = uncommitted(state);
  if (compare(size, sizeMin) < 0) return ending(state, { is: 'rest_too_small' });
  return placing(state, { size, price: limitPrice, timeInForce: 'GTC' });
}

/** The price at which it triggers as things stand; null before it has seen one. */
export function stopOf({ terms: { side, trail }, extreme }: StopTrailState): Decimal | null {
  if (extreme === null) return null;
  const back = 'amount' in trail ? trail.amount : multiply(multiply(extreme, trail.percent), '0.01');
  return trim(side === 'sell' ? subtract(extreme, back) : add(extreme, back));
}
