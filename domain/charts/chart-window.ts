import { DAY_MS } from '../calendar/durations.ts';
import { err, ok, type Result } from '../result.ts';
import { BAR_LENGTH_MS, type BarInterval } from './bar-interval.ts';

/** Ranges of charts (X-AEP-06). */
export const CHART_RANGES = ['1d', '5d', '1m', '3m', '6m', '1y', '5y'] as const;

export type ChartRange = (typeof CHART_RANGES)[number];

/** Most bars of one answer (docs/decisions/api-exchange-profile.md#a-chart-has-5000-bars-at-most). */
export const CHART_BARS_MAX = 5_000;

/** Days back from now, and the interval that shows them well. */
const RANGE: Readonly<Record<ChartRange, { readonly days: number; readonly interval: BarInterval }>> = {
  '1d': { days: 1, interval: '5m' },
  '5d': { days: 5, interval: '15m' },
  '1m': { days: 30, interval: '1h' },
  '3m': { days: 91, interval: '1d' },
  '6m': { days: 182, interval: '1d' },
  '1y': { days: 365, interval: '1d' },
  '5y': { days: 1_826, interval: '1d' },
};

export interface ChartWindow {
  readonly interval: BarInterval;
  /** First bar start, Unix milliseconds; the bar that holds `now` is the last. */
  readonly from: number;
}

interface TooManyBars {
  readonly reason: 'too_many_bars';
  readonly bars: number;
  readonly bars_max: number;
}

/** Which bars a chart shows; the range defaults to 1d, the interval to the one that fits it. */
export function chartWindow(
  range: ChartRange = '1d',
  interval: BarInterval = RANGE[range].interval,
  now: number,
): Result<ChartWindow, TooManyBars> {
  const step = BAR_LENGTH_MS[interval];
  const span = RANGE[range].days * DAY_MS;
  const bars = span / step;
  if (bars > CHART_BARS_MAX) return err({ reason: 'too_many_bars', bars, bars_max: CHART_BARS_MAX });
  return ok({ interval, from: (Math.floor((now - span) / step) + 1) * step });
}
