import { eventsDatabase } from '../../../data/events/database.ts';
import { restoreEntry, voidEntry } from '../../../data/events/timeline/timeline-corrections.ts';
import { findEntry, openEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { watchCapacitySoon } from '../occupancy/watch-capacity.ts';
import { openEvent } from '../open-event.ts';
import type { Corrector } from './corrector.ts';

const VERBS = {
  void: { kind: 'not_this_person', apply: voidEntry, refused: 'the entry was taken back before' },
  restore: { kind: 'restored', apply: restoreEntry, refused: 'the entry was not taken back' },
} as const;

/** Takes a timeline entry back, or lets it count again. */
export async function voidOrRestoreEntry(
  env: Env,
  verb: keyof typeof VERBS,
  entryId: string,
  { id, tenant, actor, reason }: Corrector,
): Promise<Result<TimelineEntry, ApiError>> {
  const { kind, apply, refused } = VERBS[verb];
  const db = eventsDatabase(env.EVENTS_DB);
  const row = await findEntry(db, tenant, entryId);
  const opened = row === null ? null : await openEvent(env, tenant, row.eventId);
  if (row === null || opened === null) return err(notFound('timeline entry'));
  const { eventId } = row;
  const { key } = opened;
  const [before] = await openEntries(db, key, eventId, [row]);
  const change = { reason, entry_id: row.id, attendee_id: before?.person?.attendeeId ?? null };
  const done = await apply(db, key, row.id, { id, tenant, eventId, kind, actor, change, now: Date.now() });
  if (!done) return err(apiError('CONFLICT', refused));
  const after = await findEntry(db, tenant, row.id);
  const [entry] = after === null ? [] : await openEntries(db, key, eventId, [after]);
  await watchCapacitySoon(env, eventId);
  return entry === undefined ? err(notFound('timeline entry')) : ok(entry);
}
