import { type CalendarDate, calendarDate } from './calendar-date.ts';
import { newYorkDate, newYorkTime } from './new-york-time.ts';

/** A calendar month. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** A span of time, Unix milliseconds: from its first moment, before its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
const MONTHS = 12;

/** A month as `2026-11`; null for what is none. */
export function readMonth(text: string): Month | null {
  const match = MONTH.exec(text);
  return match === null ? null : { year: Number(match[1]), month: Number(match[2]) };
}

export function monthText({ year, month }: Month): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/** The month in New York. */
export function newYorkMonth(at_ms: number): Month {
  const date = new Date(newYorkDate(at_ms));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

export function monthAfter({ year, month }: Month): Month {
  return month === MONTHS ? { year: year + 1, month: 1 } : { year, month: month + 1 };
}

/** A month by the clock of New York: the end of one is the beginning of the next. */
export function spanOfMonth(month: Month): Span {
  const next = monthAfter(month);
  return { from: beginOf(firstDay(month)), to: beginOf(firstDay(next)) };
}

/** A year by the clock of New York. */
export function spanOfYear(year: number): Span {
  return { from: beginOf(firstDay({ year, month: 1 })), to: beginOf(firstDay({ year: year + 1, month: 1 })) };
}

function firstDay({ year, month }: Month): CalendarDate {
  return calendarDate(year, month, 1);
}

function beginOf(date: CalendarDate): number {
  return newYorkTime(date, 0);
}
