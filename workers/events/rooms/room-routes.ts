import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { createRoom, findRoom, listRooms } from '../../../data/events/sites/rooms.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { RoomRecord, roomView } from './room-schema.ts';

const RoomRequest = z
  .object({
    event_id: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(200),
    capacity: z.number().int().min(0).max(10_000_000).nullish(),
  })
  .openapi('RoomRequest');

export function registerRoomRoutes(events: Profile): void {
  registerListRooms(events);
  registerCreateRoom(events);
  registerGetRoom(events);
}

/** GET /rooms. */
function registerListRooms(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
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

/** POST /rooms. */
function registerCreateRoom(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:write' }, bucket: 'private', idempotent: true },
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
      const created = await createRoom(eventsDatabase(c.env.EVENTS_DB), room);
      return created === null ? failure(c, notFound('event')) : c.json(roomView(created), 201);
    },
  );
}

/** GET /rooms/{id}. */
function registerGetRoom(events: Profile): void {
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
