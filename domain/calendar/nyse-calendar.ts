import { addDays, type CalendarDate, calendarDate, easter, lastWeekday, nthWeekday, weekday } from './calendar-date.ts';

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** First year in which the exchange closed for Juneteenth. */
const JUNETEENTH_SINCE = 2022;
const MARTIN_LUTHER_KING_SINCE = 1998;

/**
 * Full-day holidays of a year under NYSE Rule 7.2: a holiday on a Sunday is kept on the Monday, one on a Saturday on the Friday
 * before, except that New Year's Day on a Saturday is not kept (the Friday ends an accounting year).
 *
 * @internal
 */
export function nyseHolidays(year: number): readonly CalendarDate[] {
  const newYear = calendarDate(year, 1, 1);
  return [
    ...(weekday(newYear) === SATURDAY ? [] : [observed(newYear)]),
    ...(year >= MARTIN_LUTHER_KING_SINCE ? [nthWeekday(year, 1, MONDAY, 3)] : []),
    nthWeekday(year, 2, MONDAY, 3),
    addDays(easter(year), -2),
    lastWeekday(year, 5, MONDAY),
    ...(year >= JUNETEENTH_SINCE ? [observed(calendarDate(year, 6, 19))] : []),
    observed(calendarDate(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 11, THURSDAY, 4),
    observed(calendarDate(year, 12, 25)),
  ];
}

function observed(holiday: CalendarDate): CalendarDate {
  if (weekday(holiday) === SATURDAY) return addDays(holiday, -1);
  if (weekday(holiday) === SUNDAY) return addDays(holiday, 1);
  return holiday;
}

export function isNyseTradingDay(date: CalendarDate): boolean {
  if (weekday(date) === SATURDAY || weekday(date) === SUNDAY) return false;
  return !nyseHolidays(new Date(date).getUTCFullYear()).includes(date);
}

/** The first trading day after `date`. */
export function nextNyseTradingDay(date: CalendarDate): CalendarDate {
  let day = addDays(date, 1);
  while (!isNyseTradingDay(day)) day = addDays(day, 1);
  return day;
}
