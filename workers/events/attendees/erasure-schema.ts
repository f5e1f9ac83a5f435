import { z } from '@hono/zod-openapi';
import type { Erasure } from '../../../data/events/attendees/erasures.ts';
import { isoTime } from '../../responses/wire.ts';

export const ErasureRecord = z
  .object({
    attendee_id: z.string(),
    requested_by: z.string().openapi({ description: 'User id.' }),
    requested_at: z.iso.datetime(),
    erase_at: z.iso.datetime().openapi({ description: 'Until then it can be taken back.' }),
  })
  .openapi('Erasure');

export function erasureView(erasure: Erasure): z.infer<typeof ErasureRecord> {
  return {
    attendee_id: erasure.attendeeId,
    requested_by: erasure.requestedBy,
    requested_at: isoTime(erasure.requestedAt),
    erase_at: isoTime(erasure.eraseAt),
  };
}
