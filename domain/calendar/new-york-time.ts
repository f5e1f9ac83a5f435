import { type CalendarDate, nthWeekday } from './calendar-date.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

const SUNDAY = 0;
const MARCH = 3;
const NOVEMBER = 11;

/** Of New York's clock behind UTC. */
const STANDARD_MS = 5 * HOUR_MS;
const DAYLIGHT_MS = 4 * HOUR_MS;
/** On the clock of before, both changes happen at two in the morning. */
const CHANGE_MS = 2 * HOUR_MS;

/**
 * How far New York's clock is behind UTC: daylight saving time runs from the second Sunday of March to the first of November (15 U.S.C. 260a, since
 * 2007). Arithmetic, because what a replay depends on must not change with the runtime's table of time zones.
 */
function behindUtc(at_ms: number): number {
  const year = new Date(at_ms - STANDARD_MS).getUTCFullYear();
  const begins = nthWeekday(year, MARCH, SUNDAY, 2) + CHANGE_MS + STANDARD_MS;
  const ends = nthWeekday(year, NOVEMBER, SUNDAY, 1) + CHANGE_MS + DAYLIGHT_MS;
  return at_ms >= begins && at_ms < ends ? DAYLIGHT_MS : STANDARD_MS;
}

/** The day in New York. */
export function newYorkDate(at_ms: number): CalendarDate {
  const local = at_ms - behindUtc(at_ms);
  return local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
}

/** When New York's clock shows `minutes` after the midnight of a day: of a time of day that the changes at night do not touch. */
export function newYorkTime(date: CalendarDate, minutes: number): number {
  const local = date + minutes * MINUTE_MS;
  const asStandard = local + STANDARD_MS;
  return local + behindUtc(asStandard);
}
