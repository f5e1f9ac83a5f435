import { MINUTE_MS } from '../calendar/durations.ts';
import { mulDivFloor } from '../money/arithmetic.ts';
import type { Market } from './market.ts';

const BPS = 10_000;

/** The band moves by at most this part of its width a minute. */
const MOVES_A_WIDTH = 5;

/** After so many minutes without a cycle the band has had time to come anywhere. */
const MINUTES_COUNTED_MAX = 1_000;

type RulesOfReference = Pick<Market, 'bandBps' | 'referencePrice'>;

/** Where the price band of a book lies, and where it goes: scaled prices, as a cycle has left them. */
export interface BandStand {
  /** What it lies around; null for the reference price of the market's rules. */
  readonly reference: number | null;
  /** The price that the reference follows; null where it stays. */
  readonly target: number | null;
  /** Unix ms of the cycle. */
  readonly at: number;
  /** The statement of the reference price that it goes by; null before there was any. */
  readonly statement: number | null;
}

/**
 * What a band lies around some minutes after a cycle, where nothing has traded since: nearer to its target by a fifth of its width a minute.
 *
 * @param isHaltOver whether a halt has ended since, after which it lies around its target
 */
export function referenceAfter(
  minutes: number,
  { reference, target }: Pick<BandStand, 'reference' | 'target'>,
  { bandBps, referencePrice }: RulesOfReference,
  isHaltOver: boolean,
): number | null {
  if (target === null) return reference;
  const from = reference ?? referencePrice;
  if (isHaltOver || from === null || bandBps === 0 || minutes > MINUTES_COUNTED_MAX) return target;
  if (minutes <= 0) return reference;
  const width = mulDivFloor(from, bandBps, BPS);
  const step = Math.max(1, mulDivFloor(width, minutes, MOVES_A_WIDTH));
  return Math.min(Math.max(target, from - step), from + step);
}

/**
 * What the book of a market that has told this lays its band around at a time; null for the reference price of the rules. A price that an operator has
 * stated since counts at once.
 *
 * @param haltedUntil Unix ms at which the last halt of the book's own ends, or has ended
 */
export function referenceAt(
  now_ms: number,
  stand: BandStand,
  rules: RulesOfReference & Pick<Market, 'referenceStatement'>,
  haltedUntil: number | null,
): number | null {
  const isStatedSince = (rules.referenceStatement ?? 0) > (stand.statement ?? 0);
  if (rules.referencePrice !== null && isStatedSince) return null;
  const isHaltOver = haltedUntil !== null && stand.at < haltedUntil && haltedUntil <= now_ms;
  return referenceAfter(minuteOf(now_ms) - minuteOf(stand.at), stand, rules, isHaltOver);
}

/** Minutes since the Unix epoch. */
export function minuteOf(time_ms: number): number {
  return Math.floor(time_ms / MINUTE_MS);
}
