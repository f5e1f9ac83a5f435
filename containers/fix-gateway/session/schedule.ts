import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../../domain/result.ts';

/** When sessions run, daily in UTC: milliseconds after midnight. Null: always, and sequence numbers are kept. */
export type Schedule = { readonly start_ms: number; readonly end_ms: number } | null;

/** @param text `HH:MM:SS-HH:MM:SS` in UTC, or nothing. An end before its start is on the following day. */
export function readSchedule(text: string): Result<Schedule, string> {
  if (text === '') return ok(null);
  const found = /^(\d\d):(\d\d):(\d\d)-(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (found === null) return err(`${text} is not HH:MM:SS-HH:MM:SS`);
  const [h1 = 0, m1 = 0, s1 = 0, h2 = 0, m2 = 0, s2 = 0] = found.slice(1).map(Number);
  return ok({ start_ms: ((h1 * 60 + m1) * 60 + s1) * 1_000, end_ms: ((h2 * 60 + m2) * 60 + s2) * 1_000 });
}

/** Start of the period that `now` lies in, or null outside of every period. */
export function periodStart(schedule: Schedule, now_ms: number): number | null {
  if (schedule === null) return 0;
  const { start_ms, end_ms } = schedule;
  const midnight = now_ms - (now_ms % DAY_MS);
  const length = (end_ms - start_ms + DAY_MS) % DAY_MS || DAY_MS;
  for (const start of [midnight + start_ms, midnight - DAY_MS + start_ms]) {
    if (now_ms >= start && now_ms < start + length) return start;
  }
  return null;
}
