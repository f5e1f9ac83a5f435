import type { CalendarDate } from './calendar-date.ts';

/** `YYYY-MM-DD`. */
export function dateText(date: CalendarDate): string {
  return new Date(date).toISOString().slice(0, 10);
}
