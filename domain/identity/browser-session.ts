import { HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';

/** How long a browser stays signed in, however much it is used, and how long unused. */
export const SESSION_MS_MAX = 12 * HOUR_MS;
export const SESSION_IDLE_MS_MAX = 2 * HOUR_MS;
/** How exactly its last use is written down. */
export const SESSION_SEEN_MS = 5 * MINUTE_MS;
/** Of a person; beyond that the oldest ends. */
export const SESSIONS_MAX = 10;
/** How long a code is good (OAuth 2.1, 4.1.2). */
export const CODE_MS_MAX = 60_000;
/** Codes of a person that one client uses in a day, and those of one client that are kept unused. */
export const CODES_PER_DAY_MAX = 200;
export const CODES_UNUSED_MAX = 20;
/** How long what was allowed is remembered. */
export const CONSENT_MS_MAX = 365 * 24 * HOUR_MS;
