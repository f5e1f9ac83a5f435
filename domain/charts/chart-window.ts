import { DAY_MS } from '../calendar/durations.ts';

/** Ranges and intervals of charts (X-AEP-06). */
export const CHART_RANGES = ['1d', '5d', '1m', '3m', '6m', '1y', '5y'] as const;
export const CHART_INTERVALS = ['1m', '5m', '15m', '1h', '1d'] as const;

export type ChartRange = (typeof CHART_RANGES)[number];
export type ChartInterval = (typeof CHART_INTERVALS)[number];

/** Most bars of one answer (docs/decisions/api-exchange-profile.md#a-chart-has-5000-bars-at-most). */
export const CHART_BARS_MAX = 5_000;

const MINUTE_MS = 60_000;

const INTERVAL_MS: Readonly<Record<ChartInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '1d': DAY_MS,
};

/** Days back from now, and the interval that shows them well. */
const RANGE: Readonly<Record<ChartRange, { readonly days: number; readonly interval: ChartInterval }>> = {
  '1d': { days: 1, interval: '5m' },
  '5d': { days: 5, interval: '15m' },
  '1m': { days: 30, interval: '1h' },
  '3m': { days: 91, interval: '1d' },
  '6m': { days: 182, interval: '1d' },
  '1y': { days: 365, interval: '1d' },
  '5y': { days: 1_826, interval: '1d' },
};

export type ChartWindow =
  | {
      readonly ok: true;
      readonly interval: ChartInterval;
      /** First bar start, Unix milliseconds; the bar that holds `now` is the last. */
      readonly from: number;
    }
  | {
      readonly ok: false;
      readonly error: { readonly reason: 'too_many_bars'; readonly bars: number; readonly bars_max: number };
    };

/** Which bars a chart shows; the range defaults to 1d, the interval to the one that fits it. */
export function chartWindow(
  range: ChartRange = '1d',
  interval: ChartInterval = RANGE[range].interval,
  now: number,
): ChartWindow {
  const step = INTERVAL_MS[interval];
  const span = RANGE[range].days * DAY_MS;
  const bars = span / step;
  if (bars > CHART_BARS_MAX) return { ok: false, error: { reason: 'too_many_bars', bars, bars_max: CHART_BARS_MAX } };
  return { ok: true, interval, from: (Math.floor((now - span) / step) + 1) * step };
}
