import { z } from '@hono/zod-openapi';
import type { FrameReport } from '../../../application/events/frames/ingest-frame.ts';
import type { FrameSender } from '../../../application/events/frames/open-camera.ts';
import { TIMELINE_TYPES } from '../../../domain/events/camera-type.ts';
import { Instant } from '../../responses/instant.ts';
import { isoTime } from '../../responses/wire.ts';
import { DetectedFaceSchema } from '../faces/detected-face-schema.ts';

export const CapturedAt = Instant.openapi({ example: '2026-11-21T08:30:00.250Z' });

const MatchedFace = DetectedFaceSchema.extend({
  match: z
    .object({
      attendee_id: z.string().nullable(),
      name: z.string().nullable(),
      face_id: z.string(),
      similarity: z.number(),
    })
    .nullable()
    .openapi({ description: 'Null for somebody unknown, and for a face of poor quality.' }),
  in_review: z.boolean().openapi({ description: 'Unknown until somebody decides whether it is an attendee.' }),
}).openapi('MatchedFace');

export const FrameRecord = z
  .object({
    frame_id: z.string(),
    faces: z.array(MatchedFace),
    unknown: z.int().openapi({ description: 'Faces of good quality that nobody registered has.' }),
    entries: z.array(
      z.object({
        id: z.string(),
        type: z.enum(TIMELINE_TYPES),
        attendee_id: z.string(),
        name: z.string(),
        first_seen_at: z.iso.datetime(),
        last_seen_at: z.iso.datetime(),
      }),
    ),
  })
  .openapi('Frame');

/** What a camera is told: that its frame was taken, and nothing of who is on it. */
export const TakenFrameRecord = z.object({ frame_id: z.string() }).openapi('TakenFrame');

/** A frame as it is shown to whoever sent it. */
export function frameAnswer(
  report: FrameReport,
  { mayReadAttendees }: Pick<FrameSender, 'mayReadAttendees'>,
): z.infer<typeof FrameRecord> | z.infer<typeof TakenFrameRecord> {
  return mayReadAttendees ? frameView(report) : { frame_id: report.frameId };
}

function frameView(report: FrameReport): z.infer<typeof FrameRecord> {
  return {
    frame_id: report.frameId,
    faces: report.faces.map(({ face, match, isInReview }) => ({
      ...face,
      in_review: isInReview,
      match:
        match === null
          ? null
          : {
              attendee_id: match.attendee?.id ?? null,
              name: match.attendee?.name ?? null,
              face_id: match.faceId,
              similarity: match.similarity,
            },
    })),
    unknown: report.unknown,
    entries: report.entries.flatMap(({ id, type, person, firstSeenAt, lastSeenAt }) =>
      person === null
        ? []
        : [
            {
              id,
              type,
              attendee_id: person.attendeeId,
              name: person.name,
              first_seen_at: isoTime(firstSeenAt),
              last_seen_at: isoTime(lastSeenAt),
            },
          ],
    ),
  };
}
