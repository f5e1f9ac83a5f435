import type { CalendarDate } from '../calendar/calendar-date.ts';
import { DAY_MS } from '../calendar/durations.ts';
import { nyseSession } from '../calendar/nyse-session.ts';
import type { TradingHours } from '../markets/trading-hours.ts';

/** A day of UTC, which bars of a day have as well; a session of New York lies within one. */
export interface TradingDay {
  /** Unix milliseconds: from the first until before the second. */
  readonly from: number;
  readonly to: number;
}

export function tradingDay(day: CalendarDate): TradingDay {
  return { from: day, to: day + DAY_MS };
}

/** When a market opens and closes on a day: its session, else the day. Null where it has no session on that day. */
export function sessionOf(hours: TradingHours, day: CalendarDate): TradingDay | null {
  if (hours !== 'nyse') return tradingDay(day);
  const session = nyseSession(day);
  return session && { from: session.opensAt, to: session.closesAt };
}
