import type { Decimal } from '../numbers/decimal.ts';
import { compare, floorTo, smaller, sum } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Level, Terms } from './algorithm.ts';
import { begun, ending, hasOrders, placing, told, uncommitted } from './child-orders.ts';

interface HiddenTerms extends Terms {
  /** Shortest time between two tries. */
  readonly intervalMs: number;
}

export interface HiddenState extends AlgorithmState {
  readonly algorithm: 'hidden';
  readonly terms: HiddenTerms;
  /** The book that the last try was made on: only a later one is a reason for another. */
  readonly triedOn: number;
  /** Unix milliseconds. */
  readonly triedAt: number;
  /** Tries since the last fill: each doubles the time to the next one. */
  readonly misses: number;
}

/** What an order that stays at the client cannot promise; an order that rests on the book can. */
export const HIDDEN_CANNOT_PROMISE = [
  'a place in the queue: whoever rests on the book trades first',
  'a trade when the market touches the limit: it may be gone before the order arrives',
  'a trade while the program or its connection is down',
  'to earn the fee of a maker: it always takes',
  'to stay unseen once it trades: the trade is public',
] as const;

/** Stays at the client. When the other side of the book reaches the limit it takes what is there, immediate-or-cancel. */
export function startHidden(id: string, terms: HiddenTerms): HiddenState {
  if (!Number.isInteger(terms.intervalMs) || terms.intervalMs < INTERVAL_MS_MIN)
    throw new RangeError(`intervalMs is a whole number from ${INTERVAL_MS_MIN}`);
  return { ...begun(id, terms), algorithm: 'hidden', terms, triedOn: -1, triedAt: 0, misses: 0 };
}

/** The exchange takes ten placements a second. */
const INTERVAL_MS_MIN = 100;
/** At most 64 times the interval lies between two tries. */
const MISSES_MAX = 6;

export const hidden: Algorithm<HiddenState> = {
  step(before: HiddenState, event: AlgorithmEvent): HiddenState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    const state = counted(before, told(before, event));
    if (state.stage !== 'running' || hasOrders(state)) return state;
    if (compare(uncommitted(state), state.terms.sizeMin) < 0) return ending(state, { is: 'rest_too_small' });
    return event.type === 'book' ? tried(state, event) : state;
  },
  wakeAt: () => null,
};

/** A try that has ended: whether it filled anything. */
function counted(before: HiddenState, state: HiddenState): HiddenState {
  if (state === before || !hasOrders(before) || hasOrders(state)) return state;
  const misses = state.filled === before.filled ? Math.min(state.misses + 1, MISSES_MAX) : 0;
  return { ...state, misses };
}

function tried(state: HiddenState, book: Extract<AlgorithmEvent, { type: 'book' }>): HiddenState {
  const { limitPrice, lotSize, sizeMin, intervalMs } = state.terms;
  if (book.sequence <= state.triedOn || book.at - state.triedAt < intervalMs * 2 ** state.misses) return state;
  const size = floorTo(smaller(reached(state.terms, book), uncommitted(state)), lotSize);
  if (compare(size, sizeMin) < 0) return state;
  const asked = { ...state, triedOn: book.sequence, triedAt: book.at };
  return placing(asked, { size, price: limitPrice, timeInForce: 'IOC' });
}

/** What the other side shows at the limit or better. */
function reached(
  { side, limitPrice }: Terms,
  { bids, asks }: { bids: readonly Level[]; asks: readonly Level[] },
): Decimal {
  const levels = side === 'buy' ? asks : bids;
  const worse = side === 'buy' ? 1 : -1;
  return sum(levels.filter(([price]) => compare(price, limitPrice) !== worse).map(([, size]) => size));
}
