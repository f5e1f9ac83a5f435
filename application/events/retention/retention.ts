import { DAY_MS } from '../../../domain/calendar/durations.ts';

/** From the soft delete of an event to the destruction of its key (EVENT_RETENTION_DAYS). */
export function retentionMsOf({ EVENT_RETENTION_DAYS }: Pick<Env, 'EVENT_RETENTION_DAYS'>): number {
  const days = Number(EVENT_RETENTION_DAYS);
  if (EVENT_RETENTION_DAYS.trim() === '' || !Number.isFinite(days) || days < 0)
    throw new Error('EVENT_RETENTION_DAYS is no number of days');
  return Math.round(days * DAY_MS);
}
