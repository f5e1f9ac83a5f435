import { z } from '@hono/zod-openapi';
import type { Attendee } from '../../../data/events/attendees/attendees.ts';
import { isoTime } from '../../responses/wire.ts';

/** Embeddings are in no response (E-RES-07). */
export const AttendeeRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    email: z.string(),
    consent: z.object({ given_at: z.iso.datetime(), taken_by: z.string(), text: z.string() }),
    created_at: z.iso.datetime(),
  })
  .openapi('Attendee');

export function attendeeView(attendee: Attendee): z.infer<typeof AttendeeRecord> {
  return {
    id: attendee.id,
    event_id: attendee.eventId,
    name: attendee.name,
    email: attendee.email,
    consent: {
      given_at: isoTime(attendee.consentAt),
      taken_by: attendee.consentBy,
      text: attendee.consentText,
    },
    created_at: isoTime(attendee.createdAt),
  };
}
