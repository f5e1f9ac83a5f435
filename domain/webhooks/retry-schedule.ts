import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';

/** From the first try of a message until it is given up, and its endpoint with it. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;

/** Waits after the first tries that failed; after each later one the last. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
] as const;
const LAST_WAIT_MS = 6 * HOUR_MS;
/** So that receivers which failed together are not called together: a wait is up to so much shorter or longer. */
const JITTER = 0.2;

export interface FailedTries {
  /** At least one. */
  readonly tries: number;
  /** Unix milliseconds. */
  readonly firstTriedAt: number;
}

/**
 * When a message that failed is tried again; null once it is given up. The last try comes when the three days are over, not later.
 *
 * @param random of [0, 1)
 */
export function nextTryAt({ tries, firstTriedAt }: FailedTries, now: number, random: number): number | null {
  const end = firstTriedAt + GIVE_UP_AFTER_MS;
  if (now >= end) return null;
  const wait_ms = WAITS_MS[tries - 1] ?? LAST_WAIT_MS;
  return Math.min(end, now + Math.round(wait_ms * (1 - JITTER + 2 * JITTER * random)));
}

/** A receiver that asks for more is called after so long all the same: its messages would be given up with it. */
export const RETRY_AFTER_MAX_MS = DAY_MS;

/** A try that the schedule has at `at`, put off until the receiver asks for it: no longer than a day, nor beyond the last try. */
export function notBefore(at: number, asked: number | null, { firstTriedAt }: FailedTries, now: number): number {
  if (asked === null) return at;
  const latest = Math.min(now + RETRY_AFTER_MAX_MS, firstTriedAt + GIVE_UP_AFTER_MS);
  return Math.max(at, Math.min(asked, latest));
}

/** Seconds of RFC 9110, section 10.2.3. */
const DELAY_SECONDS = /^\d+$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A date of RFC 9110, section 5.6.7, in its current form and its two old ones. The last names no zone: it is in UTC, too. */
const HTTP_DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];
/** A year of two digits that seems to be further ahead is of the century before (RFC 9110, section 5.6.7). */
const YEARS_AHEAD_MAX = 50;

/** When an answer’s Retry-After asks to be called again, Unix ms; null where it says nothing that the RFC knows. */
export function retryAtOf(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_SECONDS.test(text)) return now + Math.min(Number(text) * SECOND_MS, RETRY_AFTER_MAX_MS);
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return httpDate(parts, now);
  }
  return null;
}

/** Null for a day or a time that there is not. */
function httpDate(parts: Readonly<Record<string, string>>, now: number): number | null {
  const { day = '', month = '', year = '', time = '' } = parts;
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const midnight = new Date(Date.UTC(fullYear(year, now), MONTHS.indexOf(month), Number(day)));
  const isDay = MONTHS[midnight.getUTCMonth()] === month && midnight.getUTCDate() === Number(day);
  // A leap second is the first one of the next minute.
  if (!isDay || hours > 23 || minutes > 59 || seconds > 60) return null;
  return midnight.getTime() + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
}

function fullYear(text: string, now: number): number {
  if (text.length === 4) return Number(text);
  const current = new Date(now).getUTCFullYear();
  const year = Math.floor(current / 100) * 100 + Number(text);
  return year > current + YEARS_AHEAD_MAX ? year - 100 : year;
}
