import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { type IsoDate, isoDateOf } from './iso-date.ts';

/** First and last instant of an event, both inclusive, in Unix milliseconds. */
export interface EventDates {
  readonly date: number;
  readonly endDate: number;
}

/** An event without an end lasts so long at least: one that begins in the evening goes on after midnight. */
const LASTS_MS_MIN = 12 * HOUR_MS;
/** The first zone in which a day begins is so far ahead of UTC, the last in which it ends so far behind. */
const FIRST_ZONE_AHEAD_MS = 14 * HOUR_MS;
const LAST_ZONE_BEHIND_MS = 12 * HOUR_MS;

/**
 * Reads an event's dates from ISO 8601 strings; a time without a zone is in UTC. A first or last day is whole: in the zone of the other time where that
 * names one, else from where it begins first to where it is over last. Without an end the event lasts through the day on which it begins, and twelve
 * hours at least. Null where the end is before the beginning, or a text is no date.
 */
export function eventDatesOf(date: string, endDate: string | null): EventDates | null {
  const begin = isoDateOf(date);
  const end = endDate === null ? null : isoDateOf(endDate);
  if (begin === null || (endDate !== null && end === null)) return null;
  const first = begin.names === 'instant' ? begin.at : beginOfDay(begin.at, end?.offset ?? null);
  if (end === null) return { date: first, endDate: endWithout(begin) };
  const last = end.names === 'instant' ? end.at : endOfDay(end.at, begin.offset);
  const earliest = end.names === 'instant' ? end.at : endOfDay(end.at, begin.offset ?? 0);
  const latest = end.names === 'instant' ? first : begin.at;
  return earliest < latest ? null : { date: first, endDate: last };
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
function beginOfDay(day: number, offset: number | null): number {
  return day - (offset ?? FIRST_ZONE_AHEAD_MS);
}

/** @param day its beginning as if in UTC @param offset by which its zone is ahead; null where nobody knows its zone */
function endOfDay(day: number, offset: number | null): number {
  return day + DAY_MS - 1 - (offset ?? -LAST_ZONE_BEHIND_MS);
}
