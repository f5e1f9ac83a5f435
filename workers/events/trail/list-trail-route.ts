import { createRoute, z } from '@hono/zod-openapi';
import { readStaffTrail, type TrailEntry } from '../../../application/events/trail/staff-trail.ts';
import { STAFF_ACTS } from '../../../domain/events/staff-act.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const TrailRecord = z
  .object({
    id: z.string(),
    act: z.enum(STAFF_ACTS),
    actor: z.string().openapi({ description: 'User id.' }),
    event_id: z.string().nullable(),
    attendee_id: z.string().nullable().openapi({ description: 'Null once they were erased.' }),
    object: z.string().nullable().openapi({
      description:
        'Id or name of what else it was done to; of a binding the camera’s and the user’s, with a slash between.',
    }),
    reason: z.string().nullable(),
    status: z.int().nullable().openapi({ description: 'Of the answer; null where the request was cut off.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('StaffTrailEntry');

function trailView(entry: TrailEntry): z.infer<typeof TrailRecord> {
  const { id, act, actor, eventId, attendeeId, object, reason, status, createdAt } = entry;
  const named = { event_id: eventId, attendee_id: attendeeId, object };
  return { id, act, actor, ...named, reason, status, created_at: isoTime(createdAt) };
}

/** GET /trail. */
export function listTrailRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'trail:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/trail',
      tags: ['trail'],
      summary: 'What staff did with attendees and faces, the latest first; also of events that were deleted',
      request: {
        query: z.object({ event_id: z.string().max(64).optional(), limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The entries.', z.object({ entries: z.array(TrailRecord) })) },
    }),
    async (c) => {
      const { event_id: eventId = null, limit, cursor = null } = c.req.valid('query');
      const page = { tenant: tenancyOf(c).tenant, eventId, after: cursor, limit: rowsToRead(limit) };
      const found = await readStaffTrail(c.env, page);
      return c.json({ entries: pageOf(c, found, limit, (last) => last.id).map(trailView) }, 200);
    },
  );
}
