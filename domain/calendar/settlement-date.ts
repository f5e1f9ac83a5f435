import type { CalendarDate } from './calendar-date.ts';
import { newYorkDate } from './new-york-time.ts';
import { isNyseTradingDay, nextNyseTradingDay } from './nyse-calendar.ts';

/**
 * The day on which a trade of a public equity settles: one trading day after its trade date (17 CFR 240.15c6-1). The trade date is
 * the day in New York; what trades on a day without trading belongs to the next trading day.
 */
export function settlementDate(tradedAt: number): CalendarDate {
  const day = newYorkDate(tradedAt);
  return nextNyseTradingDay(isNyseTradingDay(day) ? day : nextNyseTradingDay(day));
}
