import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';

/** Intervals that bars are kept for, with their length in milliseconds. */
export const BAR_INTERVALS: readonly (readonly [name: string, length_ms: number])[] = [
  ['1m', 60_000],
  ['5m', 300_000],
  ['15m', 900_000],
  ['1h', HOUR_MS],
  ['1d', DAY_MS],
];
