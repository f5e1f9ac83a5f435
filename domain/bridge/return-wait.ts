import { HOUR_MS } from '../calendar/durations.ts';

/**
 * How long after the quote's end what a transfer's payer has not paid stays where it is: what is too little to count, and what somebody else has paid in. A payer who is late, or whose payment waits for its block, comes first. It is
 * looked for by itself for a day.
 */
export const RETURN_WAIT_MS = 12 * HOUR_MS;
