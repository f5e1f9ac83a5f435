import { type ApiTime, readTime } from '../time/show-time.ts';

/** Papers name times by the clock of New York, whatever the reader's is. */
const NEW_YORK = 'America/New_York';

export function showNewYorkTime(time: ApiTime, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: NEW_YORK,
  }).format(readTime(time));
}

/** @param month as `2026-11` */
export function showMonth(month: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    readTime(`${month}-15T12:00:00Z`),
  );
}

/** The last day that a span holds which ends at a midnight of New York. */
export function lastDayBefore(end: ApiTime, locale: string): string {
  return showDay(readTime(end).getTime() - 1, locale);
}

export function showDay(time: ApiTime, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: NEW_YORK,
  }).format(readTime(time));
}
