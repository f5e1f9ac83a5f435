import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { BAR_INTERVALS, BAR_LENGTH_MS, type BarInterval } from './bar-interval.ts';

/** Intervals of candles: those that bars are kept for, and two that are put together from them. */
export const CANDLE_INTERVALS = [...BAR_INTERVALS, '4h', '1w'] as const;

export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** What candles of an interval are put together from. */
interface CandleMaking {
  readonly of: BarInterval;
  readonly lengthMs: number;
  /** A moment at which one begins. */
  readonly origin: number;
}

/** The first Monday: 1970 began on a Thursday. */
const MONDAY = 4 * DAY_MS;

/** Candles of 4 h begin at midnight UTC and every four hours, those of a week on Monday. */
export function makingOf(interval: CandleInterval): CandleMaking {
  if (interval === '4h') return { of: '1h', lengthMs: 4 * HOUR_MS, origin: 0 };
  if (interval === '1w') return { of: '1d', lengthMs: 7 * DAY_MS, origin: MONDAY };
  return { of: interval, lengthMs: BAR_LENGTH_MS[interval], origin: 0 };
}

/** Bars that one candle is made of at most. */
export function barsInCandle({ of, lengthMs }: CandleMaking): number {
  return lengthMs / BAR_LENGTH_MS[of];
}

/** Start of the candle that a moment lies in. */
export function candleStart({ lengthMs, origin }: CandleMaking, at: number): number {
  return Math.floor((at - origin) / lengthMs) * lengthMs + origin;
}

/** Scaled integers; `bucket` is the start, Unix milliseconds. */
export interface Candle {
  readonly bucket: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly trades: number;
}

/** Candles of bars that are newest first, as are the candles. The last one has what its bars have: more of it may lie before them. */
export function candlesOf(making: CandleMaking, bars: readonly Candle[]): Candle[] {
  const candles: Candle[] = [];
  for (const bar of bars) {
    const bucket = candleStart(making, bar.bucket);
    const later = candles.at(-1);
    if (later?.bucket === bucket) candles[candles.length - 1] = joined(bar, later);
    else candles.push({ ...bar, bucket });
  }
  return candles;
}

function joined(earlier: Candle, later: Candle): Candle {
  return {
    bucket: later.bucket,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    quoteVolume: earlier.quoteVolume + later.quoteVolume,
    trades: earlier.trades + later.trades,
  };
}
