import type { EventDates } from './event-dates.ts';

export interface MovementCounts {
  /** Those that count. */
  readonly entries: number;
  readonly exits: number;
  /** Those of people who were inside, or outside, already. */
  readonly repeatedEntries: number;
  readonly repeatedExits: number;
}

export interface Occupancy extends MovementCounts {
  /** Entries minus exits (E-SVC-07). */
  readonly current: number;
  /** The highest count from the beginning of the event to its end, and when it was first reached; null when nobody was there. */
  readonly peak: number;
  readonly peakAt: number | null;
}

/** Peaks and alerts are of the event; nothing is, before it has begun. */
export interface CountedTime {
  readonly during: EventDates;
  readonly now: number;
}

/** A time in which more people were in a room than it holds. */
export interface CapacityAlert {
  /** The most people in this time. */
  readonly occupancy: number;
  readonly startedAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
}
