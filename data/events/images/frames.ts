import { and, eq, type SQL, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { framePictures, frames } from '../schema.ts';
import { eventIsLive } from '../sites/events.ts';
import { failedOn } from './photos.ts';

export type FrameRow = typeof frames.$inferSelect;

/** The frame of a camera with that time and image. */
export async function findFrame(
  db: EventsDatabase,
  { cameraId, capturedAt, imageTag }: Pick<FrameRow, 'cameraId' | 'capturedAt' | 'imageTag'>,
): Promise<FrameRow | null> {
  const [row] = await db
    .select()
    .from(frames)
    .where(and(eq(frames.cameraId, cameraId), eq(frames.capturedAt, capturedAt), eq(frames.imageTag, imageTag)));
  return row ?? null;
}

/** Whether the event has a frame with this picture, whatever its camera and time. */
export async function hasFrameImage(
  db: EventsDatabase,
  { eventId, imageTag }: Pick<FrameRow, 'eventId' | 'imageTag'>,
): Promise<boolean> {
  const rows = await db
    .select({ imageTag: framePictures.imageTag })
    .from(framePictures)
    .where(and(eq(framePictures.eventId, eventId), eq(framePictures.imageTag, imageTag)));
  return rows.length > 0;
}

/**
 * Writes down a frame with what it showed, in one batch: all or nothing. Nothing where the frame, or its picture, is there already, or its event was
 * deleted, or somebody whom its result names is no attendee any more (`names_others`): whoever is erased while it is on its way is in no frame afterwards.
 *
 * @param named ids of the attendees whom the sealed result names
 * @param sightings statements of `sightingStatements` and `reviewStatements`
 * @param outgoing what the tenant is told of it
 * @returns `has_news` where there is something to tell
 */
export async function recordFrame(
  db: EventsDatabase,
  frame: FrameRow,
  named: readonly string[],
  sightings: readonly SQL[],
  outgoing: readonly SQL[],
): Promise<'has_news' | 'nothing_to_tell' | 'names_others'> {
  const statements = [insertFrame(frame, named), insertPicture(frame), ...sightings];
  try {
    const results = await sqlBatch(db, [...statements, ...outgoing]);
    return results.slice(statements.length).some((rows) => rows.length > 0) ? 'has_news' : 'nothing_to_tell';
  } catch (error) {
    if (failedOn(error, 'UNIQUE')) return 'nothing_to_tell';
    if (failedOn(error, 'NOT NULL')) return 'names_others';
    throw error;
  }
}

/** Whether all of these are attendees of the event, under their own ids or those of whom they were merged into. */
function areAttendees(eventId: string, named: readonly string[]): SQL {
  if (named.length === 0) return sql`TRUE`;
  return sql`NOT EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify(named)}) AS n
      LEFT JOIN attendee_aliases AS alias ON alias.id = n.value AND alias.event_id = ${eventId}
    WHERE NOT EXISTS (SELECT 1 FROM attendees WHERE id = coalesce(alias.attendee_id, n.value) AND event_id = ${eventId}))`;
}

/** The column takes no null, so that the batch comes to nothing where the result names somebody who is none any more. */
function insertFrame(frame: FrameRow, named: readonly string[]): SQL {
  return sql`
    INSERT INTO frames (
      id, tenant, event_id, room_id, camera_id, sent_by, captured_at, image_tag, object_key, faces_detected, matched, "unknown",
      sealed_result, received_at
    )
    SELECT
      ${frame.id}, ${frame.tenant}, ${frame.eventId}, ${frame.roomId}, ${frame.cameraId}, ${frame.sentBy},
      ${frame.capturedAt}, ${frame.imageTag}, ${frame.objectKey}, ${frame.facesDetected}, ${frame.matched}, ${frame.unknown},
      CASE WHEN ${areAttendees(frame.eventId, named)} THEN unhex(${frame.sealedResult.toString('hex')}) END, ${frame.receivedAt}
    WHERE ${eventIsLive(frame.tenant, frame.eventId)}`;
}

function insertPicture({ eventId, imageTag, tenant }: FrameRow): SQL {
  return sql`
    INSERT INTO frame_pictures (event_id, image_tag, tenant)
    SELECT ${eventId}, ${imageTag}, ${tenant} WHERE ${eventIsLive(tenant, eventId)}`;
}

/** What makes an image this frame's: one that is sent twice lies there once. */
export function frameImageId({
  cameraId,
  capturedAt,
  imageTag,
}: Pick<FrameRow, 'cameraId' | 'capturedAt' | 'imageTag'>) {
  return `${cameraId}/${capturedAt}-${imageTag}`;
}

/** Where a frame's image lies, and as what it is sealed. */
export async function findFrameImage(
  db: EventsDatabase,
  id: string,
): Promise<{ readonly path: string; readonly imageId: string } | null> {
  const [row] = await db.select().from(frames).where(eq(frames.id, id));
  return row === undefined ? null : { path: row.objectKey, imageId: frameImageId(row) };
}
