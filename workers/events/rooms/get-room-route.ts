import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findRoom } from '../../../data/events/sites/rooms.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { RoomRecord, roomView } from './room-schema.ts';

/** GET /rooms/{id}. */
export function getRoomRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/rooms/{id}',
      tags: ['rooms'],
      summary: 'A room',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The room.', RoomRecord) },
    }),
    async (c) => {
      const room = await findRoom(eventsDatabase(c.env.EVENTS_DB), tenancyOf(c).tenant, c.req.valid('param').id);
      return room === null ? failure(c, notFound('room')) : c.json(roomView(room), 200);
    },
  );
}
