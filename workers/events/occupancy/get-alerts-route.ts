import { createRoute, z } from '@hono/zod-openapi';
import { judgedRooms } from '../../../application/events/occupancy/judged-rooms.ts';
import { ROOMS_READ_MAX } from '../../../application/events/occupancy/rooms-read-max.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms, type RoomRow } from '../../../data/events/sites/rooms.ts';
import { type CapacityAlert, capacityAlertsOf } from '../../../domain/events/occupancy.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../time-cursor.ts';
import { isoTime, isoTimeOrNull, jsonOf } from '../wire.ts';

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
      const db = eventsDatabase(c.env.EVENTS_DB);
      const event = await findEvent(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      const of = { eventId: event.id };
      const [rooms, judged] = await Promise.all([listRooms(db, { ...of, limit: ROOMS_READ_MAX }), judgedRooms(db, of)]);
      const { limit, cursor } = c.req.valid('query');
      const after = timeCursorOf(cursor);
      const alerts = rooms
        .flatMap((room) => capacityAlertsOf(judged.get(room.id) ?? [], room.capacity).map((alert) => ({ room, alert })))
        .toSorted(inOrder)
        .filter(
          (one) => after === null || inOrder(one, { room: { id: after.id }, alert: { startedAt: after.at } }) > 0,
        );
      const page = pageOf(c, alerts.slice(0, rowsToRead(limit)), limit, ({ room, alert }) =>
        timeCursorText(alert.startedAt, room.id),
      );
      return c.json({ alerts: page.map(({ room, alert }) => alertView(room, alert)) }, 200);
    },
  );
}

function alertView(
  { id, name, capacity }: RoomRow,
  { occupancy, startedAt, endedAt }: CapacityAlert,
): z.infer<typeof CapacityAlertRecord> {
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

interface Placed {
  readonly room: Pick<RoomRow, 'id'>;
  readonly alert: Pick<CapacityAlert, 'startedAt'>;
}

function inOrder(a: Placed, b: Placed): number {
  return a.alert.startedAt - b.alert.startedAt || (a.room.id === b.room.id ? 0 : a.room.id < b.room.id ? -1 : 1);
}
