import { DAY_MS } from '../calendar/durations.ts';
import { rounded } from '../portfolio/average-price.ts';

/** A daily bar, prices in JSON numbers or scaled integers alike. */
export interface DayBar {
  /** Start of the day, UTC, Unix milliseconds. */
  readonly bucket: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The numbers of a quote, in scaled integers but for `changePercent`. */
export interface DayQuote {
  readonly last: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly prevClose: number;
  readonly change: number;
  readonly changePercent: number;
  readonly volume: number;
}

/**
 * The day's quote from the two latest daily bars (latest first) and the last price known elsewhere, which may be ahead of the bars.
 * On a day without trades the prices stand where the day before left them; where there was none, at `reference`; else at 0.
 */
export function dayQuote(
  bars: readonly DayBar[],
  lastKnown: number | null,
  reference: number | null,
  now: number,
): DayQuote {
  const dayStart = Math.floor(now / DAY_MS) * DAY_MS;
  const today = bars.find((bar) => bar.bucket >= dayStart);
  const before = bars.find((bar) => bar.bucket < dayStart);
  const prevClose = before?.close ?? reference ?? today?.open ?? lastKnown ?? 0;
  const last = lastKnown ?? today?.close ?? prevClose;
  const open = today?.open ?? last;
  const change = last - prevClose;
  return {
    last,
    open,
    high: Math.max(today?.high ?? last, last),
    low: Math.min(today?.low ?? last, last),
    prevClose,
    change,
    changePercent: prevClose === 0 ? 0 : rounded((change / prevClose) * 100),
    volume: today?.volume ?? 0,
  };
}
