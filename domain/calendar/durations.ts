/** Lengths of time in milliseconds. A day of UTC has no other length. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
