import { HOUR_MS } from './durations.ts';

/** Clocks of the Line Islands are ahead of all others. */
const AHEAD_MS = 14 * HOUR_MS;

/** The latest day that it is anywhere, YYYY-MM-DD: what is written on it has happened. */
export function latestDay(now: number): string {
  return new Date(now + AHEAD_MS).toISOString().slice(0, 10);
}
