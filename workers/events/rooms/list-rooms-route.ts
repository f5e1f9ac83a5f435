import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms } from '../../../data/events/sites/rooms.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { RoomRecord, roomView } from './room-schema.ts';

/** GET /rooms. */
export function listRoomsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/rooms',
      tags: ['rooms'],
      summary: 'Rooms of an event',
      request: { query: z.object({ event_id: z.string(), limit: limitQuery, cursor: z.uuid().optional() }) },
      responses: { 200: jsonOf('The rooms.', z.object({ rooms: z.array(RoomRecord) })) },
    }),
    async (c) => {
      const { event_id: eventId, limit, cursor = null } = c.req.valid('query');
      const db = eventsDatabase(c.env.EVENTS_DB);
      if ((await findEvent(db, tenancyOf(c).tenant, eventId)) === null) return failure(c, notFound('event'));
      const found = await listRooms(db, { eventId, after: cursor, limit: rowsToRead(limit) });
      return c.json({ rooms: pageOf(c, found, limit, (last) => last.id).map(roomView) }, 200);
    },
  );
}
