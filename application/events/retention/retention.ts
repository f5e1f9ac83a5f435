import { DAY_MS } from '../../../domain/calendar/durations.ts';

/** Long enough that somebody notices, and takes the deletion back. */
const RETENTION_MS_MIN = DAY_MS;

/** From the soft delete of an event to the destruction of its key (EVENT_RETENTION_DAYS), a day at least. */
export function retentionMsOf({ EVENT_RETENTION_DAYS }: Pick<Env, 'EVENT_RETENTION_DAYS'>): number {
  const days = Number(EVENT_RETENTION_DAYS);
  if (EVENT_RETENTION_DAYS.trim() === '' || !Number.isFinite(days) || days < 0)
    throw new Error('EVENT_RETENTION_DAYS is no number of days');
  return Math.max(Math.round(days * DAY_MS), RETENTION_MS_MIN);
}
