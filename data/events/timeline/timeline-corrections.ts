import { sql } from 'drizzle-orm';
import type { TimelineType } from '../../../domain/events/camera-type.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { correctionExists, correctionStatement, type NewCorrection, tookPlace } from './corrections.ts';
import { sealIdentity } from './timeline-identity.ts';

/** Takes an entry back: it counts no more. False where it was taken back before. */
export async function voidEntry(
  db: EventsDatabase,
  key: ScopeKey,
  entryId: string,
  correction: NewCorrection,
): Promise<boolean> {
  const counts = sql`EXISTS (SELECT 1 FROM timeline WHERE id = ${entryId} AND voided_at IS NULL)`;
  await sqlBatch(db, [
    await correctionStatement(key, correction, counts),
    sql`UPDATE timeline SET voided_at = ${correction.now} WHERE id = ${entryId} AND ${tookPlace(correction)}`,
  ]);
  return correctionExists(db, correction.id);
}

/** Lets an entry that was taken back count again. False where it counts. */
export async function restoreEntry(
  db: EventsDatabase,
  key: ScopeKey,
  entryId: string,
  correction: NewCorrection,
): Promise<boolean> {
  const voided = sql`EXISTS (SELECT 1 FROM timeline WHERE id = ${entryId} AND voided_at IS NOT NULL)`;
  await sqlBatch(db, [
    await correctionStatement(key, correction, voided),
    sql`UPDATE timeline SET voided_at = NULL WHERE id = ${entryId} AND ${tookPlace(correction)}`,
  ]);
  return correctionExists(db, correction.id);
}

export interface ManualEntry {
  readonly roomId: string;
  readonly type: TimelineType;
  readonly attendeeId: string;
  /** In Unix milliseconds. */
  readonly at: number;
}

/** Writes an entry by hand, under the id of the correction. False where room or attendee are not there. */
export async function writeManualEntry(
  db: EventsDatabase,
  key: ScopeKey,
  { roomId, type, attendeeId, at }: ManualEntry,
  correction: NewCorrection,
): Promise<boolean> {
  const { id, tenant, eventId, now } = correction;
  const there = sql`
    EXISTS (SELECT 1 FROM rooms WHERE id = ${roomId} AND event_id = ${eventId})
    AND EXISTS (SELECT 1 FROM attendees WHERE id = ${attendeeId} AND event_id = ${eventId})`;
  const identity = (await sealIdentity(key, id, { attendeeId, faceId: null })).toString('hex');
  const tag = await key.tag('attendee', attendeeId);
  await sqlBatch(db, [
    await correctionStatement(key, correction, there),
    sql`
      INSERT INTO timeline (
        id, tenant, event_id, room_id, type, attendee_tag, sealed_identity, first_seen_at, last_seen_at, created_at
      )
      SELECT ${id}, ${tenant}, ${eventId}, ${roomId}, ${type}, ${tag}, unhex(${identity}), ${at}, ${at}, ${now}
      WHERE ${tookPlace(correction)}`,
  ]);
  return correctionExists(db, id);
}
