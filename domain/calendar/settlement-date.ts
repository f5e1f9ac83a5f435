import { type CalendarDate, calendarDate } from './calendar-date.ts';
import { isNyseTradingDay, nextNyseTradingDay } from './nyse-calendar.ts';

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

/**
 * The day on which a trade of a public equity settles: one trading day after its trade date (17 CFR 240.15c6-1). The trade date is
 * the day in New York; what trades on a day without trading belongs to the next trading day.
 */
export function settlementDate(tradedAt: number): CalendarDate {
  const parts = Object.fromEntries(NEW_YORK.formatToParts(tradedAt).map((part) => [part.type, Number(part.value)]));
  const day = calendarDate(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0);
  return nextNyseTradingDay(isNyseTradingDay(day) ? day : nextNyseTradingDay(day));
}
