import { addDays, type CalendarDate, calendarDate, nthWeekday } from './calendar-date.ts';
import { newYorkDate, newYorkTime } from './new-york-time.ts';
import { isNyseTradingDay, nextNyseTradingDay } from './nyse-calendar.ts';

/** Minutes after midnight in New York: the core session (NYSE Rule 7.34), and its end on days with an early close. */
const OPENS = 9 * 60 + 30;
const CLOSES = 16 * 60;
const CLOSES_EARLY = 13 * 60;

const THURSDAY = 4;

interface NyseSession {
  /** Unix milliseconds; the session is open from the first until before the second. */
  readonly opensAt: number;
  readonly closesAt: number;
}

/** The core session of a day; null for a day without one. Closures that no rule foresees are not known: an operator halts the market. */
export function nyseSession(date: CalendarDate): NyseSession | null {
  if (!isNyseTradingDay(date)) return null;
  const closes = closesEarly(date) ? CLOSES_EARLY : CLOSES;
  return { opensAt: newYorkTime(date, OPENS), closesAt: newYorkTime(date, closes) };
}

/** The day after Thanksgiving, and the trading days before Independence Day and Christmas, as the exchange has published each year. */
function closesEarly(date: CalendarDate): boolean {
  const year = new Date(date).getUTCFullYear();
  const afterThanksgiving = addDays(nthWeekday(year, 11, THURSDAY, 4), 1);
  return [calendarDate(year, 7, 3), afterThanksgiving, calendarDate(year, 12, 24)].includes(date);
}

export function isNyseOpen(at_ms: number): boolean {
  const session = nyseSession(newYorkDate(at_ms));
  return session !== null && at_ms >= session.opensAt && at_ms < session.closesAt;
}

/** When the first session begins that has not begun. */
export function nextNyseOpening(at_ms: number): number {
  const today = newYorkDate(at_ms);
  const opensAt = nyseSession(today)?.opensAt ?? 0;
  return opensAt > at_ms ? opensAt : newYorkTime(nextNyseTradingDay(today), OPENS);
}
