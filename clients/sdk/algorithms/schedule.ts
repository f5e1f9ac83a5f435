import type { Decimal } from '../numbers/decimal.ts';
import { compare, divide, floorTo, multiply, smaller, subtract } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Terms } from './algorithm.ts';
import { begun, cancelling, ending, hasOrders, placing, told } from './child-orders.ts';

interface ScheduleTerms extends Terms {
  /** Unix milliseconds. */
  readonly startAt: number;
  readonly durationMs: number;
  /** `take`: each slice goes out immediate-or-cancel. `rest`: it stands at the limit until the next one, and is cancelled then. */
  readonly style: 'take' | 'rest';
  /** The most that one order asks for: after a pause, or slices that did not fill, the rest comes with later slices, or not at all. */
  readonly orderSizeMax?: Decimal;
}

interface TwapTerms extends ScheduleTerms {
  /** As many slices of the same length and quantity. */
  readonly slices: number;
}

interface VwapTerms extends ScheduleTerms {
  /** Volume that each slice of time is expected to have, as whole numbers: the quantity is spread like it. */
  readonly volumes: readonly number[];
}

export interface ScheduleState extends AlgorithmState {
  readonly algorithm: 'twap' | 'vwap';
  readonly terms: ScheduleTerms;
  readonly volumes: readonly number[];
  /** Slices that have begun. */
  readonly begun: number;
  /** The slice that has begun has not been asked for yet. */
  readonly isDue: boolean;
}

const SLICES_MAX = 10_000;

/** Spreads the quantity evenly over the time. What a slice does not fill is asked for with the next one. */
export function startTwap(id: string, terms: TwapTerms): ScheduleState {
  const { slices, ...rest } = terms;
  if (!Number.isInteger(slices) || slices < 1 || slices > SLICES_MAX)
    throw new RangeError(`slices is a whole number from 1 to ${SLICES_MAX}`);
  return started('twap', id, rest, Array<number>(slices).fill(1));
}

/** Spreads the quantity over the time as the volume is expected to be spread. */
export function startVwap(id: string, terms: VwapTerms): ScheduleState {
  const { volumes, ...rest } = terms;
  const isWhole = volumes.every((volume) => Number.isInteger(volume) && volume >= 0 && volume <= VOLUME_MAX);
  if (!isWhole || volumes.length < 1 || volumes.length > SLICES_MAX || !volumes.some((volume) => volume > 0))
    throw new RangeError(`volumes are 1 to ${SLICES_MAX} whole numbers up to ${VOLUME_MAX}, not all of them zero`);
  return started('vwap', id, rest, volumes);
}

/** So that their sum stays exact. */
const VOLUME_MAX = 100_000_000_000;

function started(
  algorithm: 'twap' | 'vwap',
  id: string,
  terms: ScheduleTerms,
  volumes: readonly number[],
): ScheduleState {
  if (
    !Number.isSafeInteger(terms.startAt) ||
    !Number.isSafeInteger(terms.durationMs) ||
    terms.durationMs < volumes.length
  )
    throw new RangeError('startAt and durationMs are whole milliseconds, at least one for each slice');
  const { orderSizeMax = terms.quantity, lotSize, sizeMin } = terms;
  if (compare(floorTo(orderSizeMax, lotSize), sizeMin) < 0)
    throw new RangeError('orderSizeMax must be a lot of at least sizeMin');
  return { ...begun(id, terms), algorithm, terms, volumes, begun: 0, isDue: false };
}

export const schedule: Algorithm<ScheduleState> = {
  step(before: ScheduleState, event: AlgorithmEvent): ScheduleState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    const state = told(before, event);
    if (state.stage !== 'running') return state;
    const timed = event.type === 'time' || event.type === 'book' ? at(state, event.at) : state;
    return timed.stage === 'running' ? asked(timed) : timed;
  },
  wakeAt({ stage, terms, volumes, begun: slices }: ScheduleState): number | null {
    return stage === 'running' ? startOf(terms, volumes.length, Math.min(slices, volumes.length)) : null;
  },
};

function startOf({ startAt, durationMs }: ScheduleTerms, slices: number, slice: number): number {
  return startAt + Math.floor((durationMs * slice) / slices);
}

/** The state at a time: slices that begin, and the end. */
function at(state: ScheduleState, now: number): ScheduleState {
  const { terms, volumes } = state;
  if (now >= startOf(terms, volumes.length, volumes.length)) return ending(state, { is: 'time_over' });
  let slices = state.begun;
  while (slices < volumes.length && now >= startOf(terms, volumes.length, slices)) slices += 1;
  return slices === state.begun ? state : { ...cancelling(state), begun: slices, isDue: true };
}

/** Asks for what should have filled by the end of the slice, once the order before it has ended. */
function asked(state: ScheduleState): ScheduleState {
  if (!state.isDue || hasOrders(state)) return state;
  const { terms, filled } = state;
  const behind = subtract(targetOf(state), filled);
  const size = floorTo(smaller(behind, terms.orderSizeMax ?? behind), terms.lotSize);
  const rest = subtract(terms.quantity, filled);
  const settled = { ...state, isDue: false };
  if (compare(rest, terms.sizeMin) < 0) return ending(settled, { is: 'rest_too_small' });
  if (compare(size, terms.sizeMin) < 0) return settled;
  const timeInForce = terms.style === 'take' ? 'IOC' : 'GTC';
  return placing(settled, { size, price: terms.limitPrice, timeInForce });
}

function targetOf({ terms, volumes, begun: slices }: ScheduleState): Decimal {
  if (slices >= volumes.length) return terms.quantity;
  const total = volumes.reduce((whole, volume) => whole + volume, 0);
  const part = volumes.slice(0, slices).reduce((whole, volume) => whole + volume, 0);
  return floorTo(divide(multiply(terms.quantity, String(part)), String(total), SCALE), terms.lotSize);
}

/** Decimals that a target is computed with before it is cut to lots. */
const SCALE = 18;
