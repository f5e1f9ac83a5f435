import { addDays, calendarDate } from '../calendar/calendar-date.ts';
import { DAY_MS } from '../calendar/durations.ts';
import { newYorkDate, newYorkTime } from '../calendar/new-york-time.ts';
import { err, ok, type Result } from '../result.ts';

/** How far ahead an action may be announced. */
const AHEAD_DAYS_MAX = 731;

/** As the agent states them: a day, YYYY-MM-DD, in New York, or a moment, ISO 8601 with its offset. */
export interface StatedDates {
  /** Of a dividend; else null. */
  readonly recordDate: string | null;
  /** Payment date of a dividend, effective date of anything else. */
  readonly dueDate: string;
}

/** Unix milliseconds. */
export interface ActionMoments {
  readonly recordAt: number | null;
  readonly dueAt: number;
}

export type DateFault =
  | { readonly reason: 'in_the_past'; readonly field: 'recordDate' | 'dueDate' }
  | { readonly reason: 'too_far_ahead'; readonly field: 'recordDate' | 'dueDate' }
  /** Earlier than the venue's notice allows, Unix ms. */
  | { readonly reason: 'notice_too_short'; readonly field: 'recordDate' | 'dueDate'; readonly earliest: number }
  /** Paid on a day before the record date. */
  | { readonly reason: 'paid_before_record' };

/**
 * When an action is recorded and carried out. A record date ends with its day, any other date begins with it; a payment on the record date follows its
 * end. Without a notice, what is stated may lie in the past by no more than today.
 */
export function actionMoments(
  { recordDate, dueDate }: StatedDates,
  now: number,
  notice_ms = 0,
): Result<ActionMoments, DateFault> {
  const recordAt = recordDate === null ? null : statedMoment(recordDate, 'end');
  const dueAt = statedMoment(dueDate, 'begin');
  const today = newYorkTime(newYorkDate(now), 0);
  const last = now + AHEAD_DAYS_MAX * DAY_MS;
  for (const [field, at] of [['recordDate', recordAt] as const, ['dueDate', dueAt] as const]) {
    if (at !== null && at < today) return err({ reason: 'in_the_past', field });
    if (at !== null && at > last) return err({ reason: 'too_far_ahead', field });
    if (at !== null && notice_ms > 0 && at < now + notice_ms)
      return err({ reason: 'notice_too_short', field, earliest: now + notice_ms });
  }
  if (recordAt === null) return ok({ recordAt, dueAt });
  if (newYorkDate(dueAt) < newYorkDate(recordAt)) return err({ reason: 'paid_before_record' });
  return ok({ recordAt, dueAt: Math.max(dueAt, recordAt) });
}

/** Unix ms of what an agent has stated. */
export function statedMoment(text: string, edge: 'begin' | 'end'): number {
  if (text.length > 10) return Date.parse(text);
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = calendarDate(year, month, day);
  return edge === 'begin' ? newYorkTime(date, 0) : newYorkTime(addDays(date, 1), 0) - 1;
}
