import type { SourceBar, SourceBarSpan } from '../broker/market-data-source.ts';
import { MINUTE_MS } from '../calendar/durations.ts';
import { BAR_LENGTH_MS } from '../charts/bar-interval.ts';
import { CHART_BARS_MAX } from '../charts/chart-window.ts';
import { ROUND_LOT, tickAt } from './displayed-books.ts';
import { extremeSecond } from './extreme-price.ts';
import { noise } from './noise.ts';
import { fairPrice, type PriceProcess } from './price-process.ts';
import { decimalOf } from './sandbox-order.ts';

/** A trade is printed on every full second. */
const PRINT_MS = 1_000;
/** Round lots that change hands in a minute, at most. */
const MINUTE_LOTS_MAX = 40;
const ENDED_BARS_MAX = 20_000;

/** What was printed in a span, scaled by SANDBOX_SCALE. */
interface Prints {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The price of the last print: the fair one of its second, on the tick. */
export function lastPrice(process: PriceProcess, at_ms: number): number {
  const fair = fairPrice(process, Math.floor(at_ms / PRINT_MS) * PRINT_MS);
  const tick = tickAt(process, fair);
  return Math.max(tick, Math.round(fair / tick) * tick);
}

/** What was printed from a full minute on up to a moment, included. Volume is counted by the minute, a whole one where it has begun. */
export function printsOf(process: PriceProcess, from_ms: number, to_ms: number): Prints {
  const [first_s, last_s] = [from_ms / PRINT_MS, Math.floor(to_ms / PRINT_MS)];
  const priceOf = (second: number) => lastPrice(process, second * PRINT_MS);
  let lots = 0;
  for (let minute_ms = from_ms; minute_ms <= to_ms; minute_ms += MINUTE_MS) {
    lots += noise(process.seed, minute_ms) % (MINUTE_LOTS_MAX + 1);
  }
  return {
    open: priceOf(first_s),
    high: priceOf(extremeSecond(process.seed, first_s, last_s, 1)),
    low: priceOf(extremeSecond(process.seed, first_s, last_s, -1)),
    close: priceOf(last_s),
    volume: lots * ROUND_LOT,
  };
}

/** Bars that have ended, by interval and start: they never change. */
export type EndedBars = Map<string, SourceBar>;

/**
 * Bars of a span up to now, the latest where there are too many. Days are those of UTC.
 *
 * @param ended of this process, worked out before; what has ended is added, up to ENDED_BARS_MAX
 */
export function barsOf(
  process: PriceProcess,
  { interval, from_ms, to_ms }: SourceBarSpan,
  now_ms: number,
  ended: EndedBars = new Map(),
): SourceBar[] {
  const length_ms = BAR_LENGTH_MS[interval];
  const last = Math.floor(Math.min(to_ms, now_ms) / length_ms);
  const first = Math.max(Math.ceil(from_ms / length_ms), last - CHART_BARS_MAX + 1, 0);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => {
    const start_ms = (first + at) * length_ms;
    const key = `${interval} ${start_ms}`;
    const known = ended.get(key);
    if (known !== undefined) return known;
    const { open, high, low, close, volume } = printsOf(process, start_ms, Math.min(start_ms + length_ms - 1, now_ms));
    const bar: SourceBar = {
      start_ms,
      open: decimalOf(open),
      high: decimalOf(high),
      low: decimalOf(low),
      close: decimalOf(close),
      volume: decimalOf(volume),
    };
    if (start_ms + length_ms <= now_ms && ended.size < ENDED_BARS_MAX) ended.set(key, bar);
    return bar;
  });
}
