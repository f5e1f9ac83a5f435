import { DAY_MS } from './durations.ts';

/** A day without a time zone, as Unix milliseconds of its midnight UTC: arithmetic on days needs no zone. */
export type CalendarDate = number;

export function calendarDate(year: number, month: number, day: number): CalendarDate {
  return Date.UTC(year, month - 1, day);
}

/** Whether a number is one. */
export function isCalendarDate(date: number): boolean {
  return Number.isSafeInteger(date) && date % DAY_MS === 0;
}

/** 0 is Sunday. */
export function weekday(date: CalendarDate): number {
  return new Date(date).getUTCDay();
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return date + days * DAY_MS;
}

/** The n-th (from 1) given weekday of a month. */
export function nthWeekday(year: number, month: number, day: number, n: number): CalendarDate {
  const first = calendarDate(year, month, 1);
  return addDays(first, ((day - weekday(first) + 7) % 7) + (n - 1) * 7);
}

/** The last given weekday of a month. */
export function lastWeekday(year: number, month: number, day: number): CalendarDate {
  const last = addDays(calendarDate(year, month + 1, 1), -1);
  return addDays(last, -((weekday(last) - day + 7) % 7));
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easter(year: number): CalendarDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return calendarDate(year, Math.floor(f / 31), (f % 31) + 1);
}
