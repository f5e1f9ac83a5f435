import { z } from '@hono/zod-openapi';
import type { InviteRow } from '../../../data/events/attendees/invites.ts';
import { INVITE_STATUSES } from '../../../domain/events/invite-status.ts';
import { isoTime } from '../../responses/wire.ts';

export const InviteRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    attendee_id: z.string(),
    status: z.enum(INVITE_STATUSES),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Invite');

export function inviteView(row: InviteRow): z.infer<typeof InviteRecord> {
  return {
    id: row.id,
    event_id: row.eventId,
    attendee_id: row.attendeeId,
    status: row.status,
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
  };
}
