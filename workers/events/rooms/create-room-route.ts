import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { tooMany } from '../../../application/events/too-many.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { createRoom } from '../../../data/events/sites/rooms.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { RoomRecord, roomView } from './room-schema.ts';

const RoomRequest = z
  .strictObject({
    event_id: z.string().min(1).max(64),
    name: lineOfText(200),
    capacity: z.number().int().min(0).max(10_000_000).nullish(),
  })
  .openapi('RoomRequest');

/** POST /rooms. */
export function createRoomRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'events:write' },
      bucket: 'private',
      idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/rooms',
      tags: ['rooms'],
      summary: 'Create a room of an event',
      request: { body: bodyOf(RoomRequest) },
      responses: { 201: jsonOf('The room.', RoomRecord) },
    }),
    async (c) => {
      const { event_id: eventId, name, capacity = null } = c.req.valid('json');
      const { tenant } = tenancyOf(c);
      const room = { id: resourceIdOf(c), tenant, eventId, name, capacity, createdAt: Date.now() };
      const db = eventsDatabase(c.env.EVENTS_DB);
      const created = await createRoom(db, room);
      if (created !== null) return c.json(roomView(created), 201);
      const event = await findEvent(db, tenant, eventId);
      return failure(c, event === null ? notFound('event') : tooMany('rooms_max'));
    },
  );
}
