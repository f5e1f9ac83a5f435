import { z } from '@hono/zod-openapi';
import type { AttendeeExport } from '../../../application/events/attendees/export-attendee.ts';
import { isoTime } from '../../responses/wire.ts';
import { CorrectionRecord, correctionView } from '../corrections/correction-schema.ts';
import { BoxSchema, boxView, DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { InviteRecord, inviteView } from '../invites/invite-schema.ts';
import { TimelineRecord, timelineView } from '../timeline/timeline-schema.ts';
import { AttendeeRecord, attendeeView } from './attendee-schema.ts';

export const AttendeeExportRecord = z
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
        sent_by: z.string().nullable().openapi({
          description: 'User id of whoever sent it as the camera; null for a frame of before that was kept.',
        }),
        captured_at: z.iso.datetime(),
        bbox: BoxSchema,
        similarity: z.number(),
      }),
    ),
    corrections: z.array(CorrectionRecord),
  })
  .openapi('AttendeeExport');

/** @param photosPath path of the attendee's photographs */
export function exportView(held: AttendeeExport, photosPath: string): z.infer<typeof AttendeeExportRecord> {
  return {
    attendee: attendeeView(held.attendee),
    invites: held.invites.map(inviteView),
    photos: held.photos.map(({ id, byteLength, createdAt }) => ({
      id,
      byte_length: byteLength,
      created_at: isoTime(createdAt),
      url: `${photosPath}/${id}`,
    })),
    faces: held.faces.map((face) => ({
      id: face.id,
      photo_id: face.photoId,
      bbox: boxView(face.bbox),
      confidence: face.confidence,
      quality: face.quality,
      embedding: { model: face.modelName, version: face.modelVersion },
      created_at: isoTime(face.createdAt),
    })),
    timeline: held.entries.map((entry) => timelineView(entry, true)),
    frames: held.frames.map((frame) => ({
      id: frame.id,
      camera_id: frame.cameraId,
      room_id: frame.roomId,
      sent_by: frame.sentBy,
      captured_at: isoTime(frame.capturedAt),
      bbox: boxView(frame.bbox),
      similarity: frame.similarity,
    })),
    corrections: held.corrections.map((correction) => correctionView(correction, true)),
  };
}
