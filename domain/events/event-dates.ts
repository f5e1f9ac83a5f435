import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { type IsoDate, isoDateOf } from './iso-date.ts';

/** First and last instant of an event, both inclusive, in Unix milliseconds. */
export interface EventDates {
  readonly date: number;
  readonly endDate: number;
}

/** An event without an end lasts so long at least: one that begins in the evening goes on after midnight. */
const LASTS_MS_MIN = 12 * HOUR_MS;
/** The last zone in which a day ends is so far behind UTC. */
const LAST_ZONE_BEHIND_MS = 12 * HOUR_MS;

/**
 * Reads an event's dates from ISO 8601 strings; a time without a zone is in UTC. A last day is whole: in the zone of the other time where that names
 * one, else until it is over everywhere. Without an end the event lasts through the day on which it begins, and twelve hours at least. Null where the
 * end is before the beginning, or a text is no date.
 */
export function eventDatesOf(date: string, endDate: string | null): EventDates | null {
  const begin = isoDateOf(date);
  const end = endDate === null ? null : isoDateOf(endDate);
  if (begin === null || (endDate !== null && end === null)) return null;
  if (end === null) return { date: begin.at, endDate: endWithout(begin) };
  const [earliest, last] =
    end.names === 'instant' ? [end.at, end.at] : [endOfDay(end.at, begin.offset ?? 0), endOfDay(end.at, begin.offset)];
  return earliest < begin.at ? null : { date: begin.at, endDate: last };
}

export type EventPhase = 'upcoming' | 'ongoing' | 'past';

/** The group of GET /events: ongoing from the first to the last instant, both included. */
export function eventPhaseOf({ date, endDate }: EventDates, now: number): EventPhase {
  if (now < date) return 'upcoming';
  return now > endDate ? 'past' : 'ongoing';
}

function endWithout({ at, offset, names }: IsoDate): number {
  if (names === 'day') return endOfDay(at, null);
  const local = at + (offset ?? 0);
  const day = Math.floor(local / DAY_MS) * DAY_MS;
  return Math.max(endOfDay(day, offset ?? 0), at + LASTS_MS_MIN);
}

/** @param day its beginning as if in UTC @param offset by which its zone is ahead; null where nobody knows its zone */
function endOfDay(day: number, offset: number | null): number {
  return day + DAY_MS - 1 - (offset ?? -LAST_ZONE_BEHIND_MS);
}
