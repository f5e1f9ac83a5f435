import { DAY_MS } from '../calendar/durations.ts';
import type { EventDates } from './event-dates.ts';

/** Clocks of cameras may be ahead of ours by this. */
const AHEAD_MS_MAX = 5 * 60_000;

/** Doors open, and cameras are tried, before an event begins. */
const BEFORE_EVENT_MS_MAX = DAY_MS;
/** The last guests leave, and doors are taken down, after it ends. */
const AFTER_EVENT_MS_MAX = DAY_MS;

/**
 * Frames that come later than this are late: their time is the camera's word alone. An agent that keeps 120 frames of one a second gives up
 * older ones, and a network that is away for longer is seen.
 */
export const LATE_MS = 10 * 60_000;

export type CapturedAtFailure = 'in_the_future' | 'before_the_event' | 'after_the_event';

/**
 * Why a frame cannot have been taken when its camera says, nor an entry be of the time that somebody writes down; null when it can. Both may come
 * late, as long as a camera was cut off. An event may be made for a time that is over: then it goes on until a day after it was made. Times are Unix
 * milliseconds.
 */
export function capturedAtFailure(
  capturedAt: number,
  event: EventDates & { readonly createdAt: number },
  now: number,
): CapturedAtFailure | null {
  if (capturedAt > now + AHEAD_MS_MAX) return 'in_the_future';
  if (capturedAt < Math.min(event.date, event.createdAt) - BEFORE_EVENT_MS_MAX) return 'before_the_event';
  return capturedAt > Math.max(event.endDate, event.createdAt) + AFTER_EVENT_MS_MAX ? 'after_the_event' : null;
}
