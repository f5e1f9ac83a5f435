import { createRoute, z } from '@hono/zod-openapi';
import { openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { framesOfAttendee, traceOf } from '../../../data/events/attendees/attendee-frames.ts';
import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { findInviteOf } from '../../../data/events/attendees/invites.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos, photosOfAttendee } from '../../../data/events/images/faces.ts';
import { correctionsNaming } from '../../../data/events/timeline/corrections.ts';
import { listEntries } from '../../../data/events/timeline/timeline-entries.ts';
import type { Box } from '../../../domain/faces/face-quality.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { CorrectionRecord, correctionView } from '../corrections/correction-schema.ts';
import { BoxSchema, DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { InviteRecord, inviteView } from '../invites/invite-schema.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { TimelineRecord, timelineView } from '../timeline/timeline-schema.ts';
import { isoTime, jsonOf } from '../wire.ts';
import { AttendeeRecord, attendeeView } from './attendee-schema.ts';

/** More than an event has of one person. */
const ENTRIES_MAX = 100_000;

const AttendeeExport = z
  .object({
    attendee: AttendeeRecord,
    invites: z.array(InviteRecord),
    photos: z.array(
      z.object({
        id: z.string(),
        byte_length: z.number().int(),
        created_at: z.iso.datetime(),
        url: z.string().openapi({ description: 'Path of the image, for the same credential.' }),
      }),
    ),
    faces: z.array(
      z.object({
        id: z.string(),
        photo_id: z.string(),
        bbox: BoxSchema,
        confidence: z.number(),
        quality: DetectedFaceSchema.shape.quality,
        embedding: z.object({ model: z.string(), version: z.string() }).openapi({
          description: 'A vector is held for each face, made by this model; it is given out to nobody.',
        }),
        created_at: z.iso.datetime(),
      }),
    ),
    timeline: z.array(TimelineRecord),
    frames: z.array(
      z.object({
        id: z.string(),
        camera_id: z.string(),
        room_id: z.string(),
        captured_at: z.iso.datetime(),
        bbox: BoxSchema,
        similarity: z.number(),
      }),
    ),
    corrections: z.array(CorrectionRecord),
  })
  .openapi('AttendeeExport');

/** GET /attendees/{event_id}/{attendee_id}/export. */
export function exportAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'attendees:erase' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/attendees/{event_id}/{attendee_id}/export',
      tags: ['attendees'],
      summary: 'Everything held on an attendee',
      request: { params: z.object({ event_id: z.string(), attendee_id: z.string() }) },
      responses: {
        200: jsonOf('All but the vectors, and the images of frames, which show others too.', AttendeeExport),
      },
    }),
    async (c) => {
      const { event_id: eventId, attendee_id: attendeeId } = c.req.valid('param');
      const open = await openEventCollection(c.env, tenancyOf(c).tenant, eventId);
      if (open === null) return failure(c, notFound('event'));
      const { collection, key } = open;
      const db = eventsDatabase(c.env.EVENTS_DB);
      const attendee = await findAttendee(db, key, eventId, attendeeId);
      if (attendee === null) return failure(c, notFound('attendee'));
      const trace = await traceOf(db, key, eventId, attendeeId);
      const [invite, photos, entries, corrections] = await Promise.all([
        findInviteOf(db, eventId, attendeeId),
        photosOfAttendee(db, collection.id, trace.tag),
        listEntries(db, key, {
          eventId,
          attendeeTag: trace.tag,
          includeVoided: true,
          after: null,
          limit: ENTRIES_MAX,
        }),
        correctionsNaming(db, key, eventId, trace.ids),
      ]);
      const faces = await facesOfPhotos(
        db,
        photos.map(({ id }) => id),
      );
      const seen = new Map<string, z.infer<typeof AttendeeExport>['frames'][number]>();
      for await (const { row, result } of framesOfAttendee(db, key, trace)) {
        const own = result.faces.find(({ match }) => match !== null && trace.ids.has(match.attendee_id));
        if (own?.match == null) continue;
        seen.set(row.id, {
          id: row.id,
          camera_id: row.cameraId,
          room_id: row.roomId,
          captured_at: isoTime(row.capturedAt),
          bbox: boxOf(own.face.bbox),
          similarity: own.match.similarity,
        });
      }
      const here = new URL(c.req.url).pathname.replace(/export$/, 'photos');
      return c.json(
        {
          attendee: attendeeView(attendee),
          invites: invite === null ? [] : [inviteView(invite)],
          photos: photos.map(({ id, byteLength, createdAt }) => ({
            id,
            byte_length: byteLength,
            created_at: isoTime(createdAt),
            url: `${here}/${id}`,
          })),
          faces: faces.map((face) => ({
            id: face.id,
            photo_id: face.photoId,
            bbox: boxOf(face.bbox),
            confidence: face.confidence,
            quality: face.quality,
            embedding: { model: face.modelName, version: face.modelVersion },
            created_at: isoTime(face.createdAt),
          })),
          timeline: entries.map((entry) => timelineView(entry, true)),
          frames: [...seen.values()],
          corrections: corrections.map(correctionView),
        },
        200,
      );
    },
  );
}

function boxOf([left, top, right, bottom]: Box): [number, number, number, number] {
  return [left, top, right, bottom];
}
