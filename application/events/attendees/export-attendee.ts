import { framesOfAttendee, isOneOf, traceOf } from '../../../data/events/attendees/attendee-frames.ts';
import { type Attendee, findAttendee } from '../../../data/events/attendees/attendees.ts';
import { findInviteOf, type InviteRow } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos, photosOfAttendee } from '../../../data/events/images/faces.ts';
import type { Face, Photo } from '../../../data/events/images/photos.ts';
import { type Correction, correctionsNaming } from '../../../data/events/timeline/corrections.ts';
import { listEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import type { Box } from '../../../domain/faces/face-quality.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';

/** A frame in which the attendee was recognized, or may be, with that face in it. */
interface FrameOfSubject {
  readonly id: string;
  readonly cameraId: string;
  readonly roomId: string;
  readonly sentBy: string | null;
  /** Unix milliseconds. */
  readonly capturedAt: number;
  readonly bbox: Box;
  readonly similarity: number;
}

/** Everything held on an attendee but the vectors, and the images of frames, which show others too. */
export interface AttendeeExport {
  readonly attendee: Attendee;
  readonly invites: readonly InviteRow[];
  readonly photos: readonly Photo[];
  readonly faces: readonly Face[];
  readonly entries: readonly TimelineEntry[];
  readonly frames: readonly FrameOfSubject[];
  readonly corrections: readonly Correction[];
}

/** More than an event has of one person. */
const ENTRIES_MAX = 100_000;

export async function exportAttendee(
  env: Env,
  tenant: string,
  eventId: string,
  attendeeId: string,
): Promise<Result<AttendeeExport, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const { collection, key } = open;
  const db = eventsDatabase(env.EVENTS_DB);
  const attendee = await findAttendee(db, key, eventId, attendeeId);
  if (attendee === null) return err(notFound('attendee'));
  const trace = await traceOf(db, key, eventId, attendeeId);
  const [invite, photos, entries, corrections] = await Promise.all([
    findInviteOf(db, eventId, attendeeId),
    photosOfAttendee(db, collection.id, trace.tag),
    listEntries(db, key, { eventId, attendeeTag: trace.tag, includeVoided: true, after: null, limit: ENTRIES_MAX }),
    correctionsNaming(db, key, eventId, trace.ids),
  ]);
  const faces = await facesOfPhotos(
    db,
    photos.map(({ id }) => id),
  );
  const frames = new Map<string, FrameOfSubject>();
  for await (const { row, result } of framesOfAttendee(db, key, trace)) {
    const own = result.faces.find((face) => isOneOf(face, trace.ids));
    const likeness = own?.match ?? own?.review;
    if (own === undefined || likeness === undefined) continue;
    const { id, cameraId, roomId, sentBy, capturedAt } = row;
    const seen = { bbox: own.face.bbox, similarity: likeness.similarity };
    frames.set(id, { id, cameraId, roomId, sentBy, capturedAt, ...seen });
  }
  const invites = invite === null ? [] : [invite];
  return ok({ attendee, invites, photos, faces, entries, frames: [...frames.values()], corrections });
}
