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
 * deleted.
 *
 * @param sightings statements of `sightingStatements` and `reviewStatements`
 * @param outgoing what the tenant is told of it
 * @returns whether there is something to tell
 */
export async function recordFrame(
  db: EventsDatabase,
  frame: FrameRow,
  sightings: readonly SQL[],
  outgoing: readonly SQL[],
): Promise<boolean> {
  const statements = [insertFrame(frame), insertPicture(frame), ...sightings];
  try {
    const results = await sqlBatch(db, [...statements, ...outgoing]);
    return results.slice(statements.length).some((rows) => rows.length > 0);
  } catch (error) {
    if (failedOn(error, 'UNIQUE')) return false;
    throw error;
  }
}

function insertFrame(frame: FrameRow): SQL {
  return sql`
    INSERT INTO frames (
      id, tenant, event_id, room_id, camera_id, sent_by, captured_at, image_tag, object_key, faces_detected, matched, "unknown",
      sealed_result, received_at
    )
    SELECT
      ${frame.id}, ${frame.tenant}, ${frame.eventId}, ${frame.roomId}, ${frame.cameraId}, ${frame.sentBy},
      ${frame.capturedAt}, ${frame.imageTag}, ${frame.objectKey}, ${frame.facesDetected}, ${frame.matched}, ${frame.unknown},
      unhex(${frame.sealedResult.toString('hex')}), ${frame.receivedAt}
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
