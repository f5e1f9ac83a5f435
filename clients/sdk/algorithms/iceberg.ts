import type { Decimal } from '../numbers/decimal.ts';
import { ceilTo, compare, divide, floorTo, multiply, smaller, subtract } from '../numbers/decimal.ts';
import type { Algorithm, AlgorithmEvent, AlgorithmState, Terms } from './algorithm.ts';
import { begun, ending, hasOrders, placing, told, uncommitted } from './child-orders.ts';
import { randomBelow } from './random-below.ts';

interface IcebergTerms extends Terms {
  /** What the book shows at a time. */
  readonly sliceSize: Decimal;
  /** How far a slice may be from `sliceSize`, either way, in per cent: 0 to 50. Slices of one size are easy to recognise. */
  readonly jitterPercent: number;
}

export interface IcebergState extends AlgorithmState {
  readonly algorithm: 'iceberg';
  readonly terms: IcebergTerms;
}

/** Shows one slice at a time at the limit; when it has filled whole the next one follows, behind whoever stands there by then. */
export function startIceberg(id: string, terms: IcebergTerms): IcebergState {
  const { sliceSize, sizeMin, jitterPercent } = terms;
  if (compare(sliceSize, sizeMin) < 0) throw new RangeError('sliceSize must not be below sizeMin');
  if (!Number.isInteger(jitterPercent) || jitterPercent < 0 || jitterPercent > JITTER_PERCENT_MAX)
    throw new RangeError(`jitterPercent is a whole number from 0 to ${JITTER_PERCENT_MAX}`);
  return refilled({ ...begun(id, terms), algorithm: 'iceberg', terms });
}

const JITTER_PERCENT_MAX = 50;

export const iceberg: Algorithm<IcebergState> = {
  step(before: IcebergState, event: AlgorithmEvent): IcebergState {
    if (event.type === 'stop') return ending(before, { is: 'stopped' });
    return refilled(told(before, event));
  },
  wakeAt: () => null,
};

function refilled(state: IcebergState): IcebergState {
  if (state.stage !== 'running' || hasOrders(state)) return state;
  const size = sliceOf(state);
  return placing(state, { size, price: state.terms.limitPrice, timeInForce: 'GTC' });
}

/** The next slice; its jitter follows from the run's id and its number, so that it is the same one after a restart. */
function sliceOf(state: IcebergState): Decimal {
  const { sliceSize, jitterPercent, lotSize, sizeMin } = state.terms;
  const percent = 100 - jitterPercent + randomBelow(`${state.id}/${state.placed}`, 2 * jitterPercent + 1);
  const wanted = floorTo(divide(multiply(sliceSize, String(percent)), '100', SCALE), lotSize);
  const left = uncommitted(state);
  const size = smaller(compare(wanted, sizeMin) < 0 ? ceilTo(sizeMin, lotSize) : wanted, left);
  // What would be left is too small for an order of its own.
  return compare(subtract(left, size), sizeMin) < 0 ? left : size;
}

/** Decimals that a slice is computed with before it is cut to lots. */
const SCALE = 18;
