import type { Decimal } from '../numbers/decimal.ts';
import { add, ceilTo, compare, divide, floorTo, isMultiple, sign, subtract } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, ChildOrder, Level, Terms } from './algorithm.ts';
import { begun, cancelling, ending, placing, told, uncommitted } from './child-orders.ts';

interface PeggedTerms extends Terms {
  /** `best`: the best price that others show on its side. `mid`: halfway between both sides, rounded away from the other one. */
  readonly peg: 'best' | 'mid';
  /** Prices are multiples of it (`tick_size` of the market). */
  readonly tickSize: Decimal;
  /** Follows a price that is at least so far from its own. */
  readonly moveMin: Decimal;
  /** Shortest time between two moves. */
  readonly pauseMs: number;
}

export interface PeggedState extends AlgorithmState {
  readonly algorithm: 'pegged';
  readonly terms: PeggedTerms;
  /** Where it is to stand next; null where it stands right, or nothing has been seen to follow. */
  readonly wanted: Decimal | null;
  /** Of the last move, Unix milliseconds. */
  readonly movedAt: number;
}

/** A move is a cancellation, of which a minute has 300, and a placement, of which a second has 10. */
const PAUSE_MS_MIN = 1_000;
/** A price that was aimed at longer ago is not gone after: the next book says where to. */
const AIM_MS_MAX = 2_000;

/**
 * One order that follows a price within the limit. It moves by a cancellation and a placement, one after the other's answer, and so never
 * asks for more than the quantity; an amended price would lose its place in the queue as well. Where nobody else shows a price to follow it
 * stays where it is. It is for orders that the public book shows: of another one (docs/design/matching.md) nothing tells a level of its own from others.
 */
export function startPegged(id: string, terms: PeggedTerms): PeggedState {
  const { tickSize, moveMin, pauseMs, limitPrice } = terms;
  if (sign(tickSize) <= 0 || !isMultiple(limitPrice, tickSize))
    throw new RangeError('limitPrice must be a multiple of tickSize, which is above zero');
  if (compare(moveMin, tickSize) < 0) throw new RangeError('moveMin must not be below tickSize');
  if (!Number.isSafeInteger(pauseMs) || pauseMs < PAUSE_MS_MIN)
    throw new RangeError(`pauseMs is a whole number from ${PAUSE_MS_MIN}`);
  return { ...begun(id, terms), algorithm: 'pegged', terms, wanted: null, movedAt: 0 };
}

export const pegged: Algorithm<PeggedState> = {
  step(before: PeggedState, event: AlgorithmEvent): PeggedState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    const state = told(before, event);
    if (state.stage !== 'running') return state;
    const aimed = event.type === 'book' ? aimedBy(state, event) : state;
    if (event.type === 'book') return placed(moved(aimed, event.at));
    if (event.type !== 'time') return withEnd(aimed);
    return placed(moved(forgotten(aimed, event.at), event.at));
  },
  wakeAt(state) {
    if (state.stage === 'running' && state.wanted !== null && orderOf(state) === undefined) return state.movedAt;
    return mayMove(state) ? state.movedAt + state.terms.pauseMs : null;
  },
};

/** Without the price that it aimed at, where it has waited too long for the end of its order to go there unseen. */
function forgotten(state: PeggedState, now: number): PeggedState {
  if (orderOf(state) !== undefined || state.wanted === null) return state;
  const passed = now - state.movedAt;
  return passed >= 0 && passed <= AIM_MS_MAX ? state : { ...state, wanted: null };
}

function orderOf({ orders }: PeggedState): ChildOrder | undefined {
  return Object.values(orders)[0];
}

/** The book says nothing of an order whose placement or end is not known yet: it may be among its levels or not. */
function aimedBy(state: PeggedState, book: Extract<AlgorithmEvent, { type: 'book' }>): PeggedState {
  const order = orderOf(state);
  if (order !== undefined && order.stage !== 'open') return state;
  const target = targetOf(state.terms, book, order);
  if (target === null) return order === undefined && state.wanted !== null ? { ...state, wanted: null } : state;
  const isRight = order !== undefined && compare(distance(target, order.price), state.terms.moveMin) < 0;
  const wanted = isRight ? null : target;
  return wanted === state.wanted ? state : { ...state, wanted };
}

/** The price to follow, within the limit; null where there is none. */
function targetOf(
  { side, peg, limitPrice, tickSize }: PeggedTerms,
  { bids, asks }: { bids: readonly Level[]; asks: readonly Level[] },
  order: ChildOrder | undefined,
): Decimal | null {
  const [near, far] = side === 'buy' ? [bids, asks] : [asks, bids];
  const best = bestOfOthers(near, order);
  const other = far[0]?.[0];
  if (best === undefined || (peg === 'mid' && other === undefined)) return null;
  const followed = peg === 'mid' && other !== undefined ? divide(add(best, other), '2', SCALE) : best;
  const target = side === 'buy' ? floorTo(followed, tickSize) : ceilTo(followed, tickSize);
  const isWithin = compare(target, limitPrice) !== (side === 'buy' ? 1 : -1);
  return isWithin ? target : limitPrice;
}

/** Half a tick, exactly. */
const SCALE = 18;

/**
 * An order that followed itself would never come back: a level that is just as much as is left of it is its own. One with less at its price does not show
 * it, or not as it is known here (a fill that is not told yet): whose it is cannot be said, and nothing moves for it.
 */
function bestOfOthers(levels: readonly Level[], order: ChildOrder | undefined): Decimal | undefined {
  const isOwn = ([price, size]: Level) =>
    order !== undefined && compare(order.price, price) === 0 && compare(size, subtract(order.size, order.filled)) === 0;
  return levels.find((level) => !isOwn(level))?.[0];
}

function distance(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) > 0 ? subtract(a, b) : subtract(b, a);
}

/** Whether it stands elsewhere than it should. What is too small to be placed again stays where it is. */
function mayMove(state: PeggedState): boolean {
  const order = orderOf(state);
  if (state.stage !== 'running' || state.wanted === null || order?.stage !== 'open') return false;
  return compare(subtract(order.size, order.filled), state.terms.sizeMin) >= 0;
}

function moved(state: PeggedState, now: number): PeggedState {
  if (orderOf(state) === undefined) return state.wanted === null ? state : { ...state, movedAt: now };
  const passed = now - state.movedAt;
  // A clock that was put back makes no pause longer.
  if (!mayMove(state) || (passed >= 0 && passed < state.terms.pauseMs)) return state;
  return { ...cancelling(state), movedAt: now };
}

/** What is left is too small to be placed again. */
function withEnd(state: PeggedState): PeggedState {
  if (orderOf(state) !== undefined || compare(uncommitted(state), state.terms.sizeMin) >= 0) return state;
  return ending(state, { is: 'rest_too_small' });
}

function placed(before: PeggedState): PeggedState {
  const state = withEnd(before);
  if (state.stage !== 'running' || orderOf(state) !== undefined || state.wanted === null) return state;
  return placing({ ...state, wanted: null }, { size: uncommitted(state), price: state.wanted, timeInForce: 'GTC' });
}
