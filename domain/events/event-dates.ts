import { DAY_MS } from '../calendar/durations.ts';

/** First and last instant of an event, both inclusive, in Unix milliseconds. */
export interface EventDates {
  readonly date: number;
  readonly endDate: number;
}

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const WITH_ZONE = /(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads an event's dates from ISO 8601 strings: a day begins and ends with the UTC day, a time without a zone is in UTC. Without an end
 * the event lasts to the end of the UTC day on which it begins. Null where the end is before the beginning.
 */
export function eventDatesOf(date: string, endDate: string | null): EventDates | null {
  const begin = firstInstantOf(date);
  const end = endDate === null ? endOfDay(begin) : lastInstantOf(endDate);
  return end < begin ? null : { date: begin, endDate: end };
}

export type EventPhase = 'upcoming' | 'ongoing' | 'past';

/** The group of GET /events: ongoing from the first to the last instant, both included. */
export function eventPhaseOf({ date, endDate }: EventDates, now: number): EventPhase {
  if (now < date) return 'upcoming';
  return now > endDate ? 'past' : 'ongoing';
}

function firstInstantOf(text: string): number {
  return Date.parse(DATE_ONLY.test(text) || WITH_ZONE.test(text) ? text : `${text}Z`);
}

function lastInstantOf(text: string): number {
  return DATE_ONLY.test(text) ? endOfDay(firstInstantOf(text)) : firstInstantOf(text);
}

function endOfDay(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS + DAY_MS - 1;
}
