import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';

/** Intervals that bars are kept for. */
export const BAR_INTERVALS = ['1m', '5m', '15m', '1h', '1d'] as const;

export type BarInterval = (typeof BAR_INTERVALS)[number];

export const BAR_LENGTH_MS: Readonly<Record<BarInterval, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': HOUR_MS,
  '1d': DAY_MS,
};
