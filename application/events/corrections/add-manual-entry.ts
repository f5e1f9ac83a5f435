import { eventsDatabase } from '../../../data/events/database.ts';
import { type ManualEntry, writeManualEntry } from '../../../data/events/timeline/timeline-corrections.ts';
import { findEntry, openEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { capturedAtFailure } from '../../../domain/events/captured-at.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { watchCapacitySoon } from '../occupancy/watch-capacity.ts';
import { openEvent } from '../open-event.ts';
import type { Corrector } from './corrector.ts';

/** Writes a timeline entry by hand, under the id of the correction. */
export async function addManualEntry(
  env: Env,
  eventId: string,
  entry: ManualEntry,
  { id, tenant, actor, reason }: Corrector,
): Promise<Result<TimelineEntry, ApiError>> {
  const opened = await openEvent(env, tenant, eventId);
  if (opened === null) return err(notFound('event'));
  const { event, key } = opened;
  const now = Date.now();
  const impossible = capturedAtFailure(entry.at, event, now);
  if (impossible !== null)
    return err(apiError('VALIDATION_ERROR', 'at is out of range', { field: 'at', reason: impossible }));
  const db = eventsDatabase(env.EVENTS_DB);
  const change = { reason, entry_id: id, attendee_id: entry.attendeeId };
  const correction = { id, tenant, eventId, kind: 'manual_entry', actor, change, now } as const;
  const row = (await writeManualEntry(db, key, entry, correction)) ? await findEntry(db, tenant, id) : null;
  const [written] = row === null ? [] : await openEntries(db, key, eventId, [row]);
  if (row !== null) await watchCapacitySoon(env, eventId);
  return written === undefined ? err(notFound('room or attendee')) : ok(written);
}
