import { addDays, type CalendarDate, calendarDate, nthWeekday, weekday } from './calendar-date.ts';
import { newYorkDate } from './new-york-time.ts';
import { isNyseTradingDay, nextNyseTradingDay } from './nyse-calendar.ts';

const SUNDAY = 0;
const MONDAY = 1;

/**
 * The day on which a trade of a public equity settles: one business day after its trade date (17 CFR 240.15c6-1). The trade date is
 * the day in New York; what trades on a day without trading belongs to the next trading day. On Columbus Day and Veterans Day the exchange trades
 * and banks are closed: nothing settles (FINRA's yearly notice on both days).
 *
 * @param banksClose false for books' rows of before these two days were known
 */
export function settlementDate(tradedAt: number, banksClose = true): CalendarDate {
  const day = newYorkDate(tradedAt);
  let settles = nextNyseTradingDay(isNyseTradingDay(day) ? day : nextNyseTradingDay(day));
  while (banksClose && areBanksClosed(settles)) settles = nextNyseTradingDay(settles);
  return settles;
}

/** Whether a trading day is a holiday of the Federal Reserve Banks: of those, these two alone are not the exchange's, too. */
function areBanksClosed(day: CalendarDate): boolean {
  const year = new Date(day).getUTCFullYear();
  const veterans = calendarDate(year, 11, 11);
  // A holiday on a Sunday is kept on the Monday; one on a Saturday on no trading day.
  const kept = weekday(veterans) === SUNDAY ? addDays(veterans, 1) : veterans;
  return day === nthWeekday(year, 10, MONDAY, 2) || day === kept;
}
