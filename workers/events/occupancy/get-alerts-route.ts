import { createRoute, z } from '@hono/zod-openapi';
import { listAlerts, type RoomAlert } from '../../../application/events/occupancy/list-alerts.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../../responses/time-cursor.ts';
import { isoTime, isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const CapacityAlertRecord = z
  .object({
    id: z.string().openapi({ description: 'The same at every read, while the time at which it started is.' }),
    room_id: z.string(),
    name: z.string(),
    capacity: z.number().int(),
    occupancy: z.number().int().openapi({ description: 'The most people in this time.' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable().openapi({ description: 'Null while it lasts.' }),
  })
  .openapi('CapacityAlert');

/** GET /events/{id}/alerts. */
export function getAlertsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/alerts',
      tags: ['occupancy'],
      summary: 'Times in which a room held more people than its capacity, the oldest first',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ limit: limitQuery, cursor: timeCursorQuery }),
      },
      responses: { 200: jsonOf('The alerts.', z.object({ alerts: z.array(CapacityAlertRecord) })) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const read = { after: timeCursorOf(cursor), limit: rowsToRead(limit) };
      const listed = await listAlerts(c.env, tenancyOf(c).tenant, c.req.valid('param').id, read);
      if (!listed.ok) return failure(c, listed.error);
      const { alerts, isCutShort } = listed.value;
      const cursorOf = ({ room, alert }: RoomAlert) => timeCursorText(alert.startedAt, room.id);
      const page = pageOf(c, alerts, limit, cursorOf);
      const last = page.at(-1);
      if (isCutShort && last !== undefined) linkNextPage(c, cursorOf(last));
      return c.json({ alerts: page.map(alertView) }, 200);
    },
  );
}

function alertView({ room, alert }: RoomAlert): z.infer<typeof CapacityAlertRecord> {
  const { id, name, capacity } = room;
  const { occupancy, startedAt, endedAt } = alert;
  return {
    id: `${id}.${startedAt}`,
    room_id: id,
    name,
    capacity: capacity ?? 0,
    occupancy,
    started_at: isoTime(startedAt),
    ended_at: isoTimeOrNull(endedAt),
  };
}
