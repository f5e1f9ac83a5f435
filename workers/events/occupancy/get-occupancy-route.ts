import { createRoute, z } from '@hono/zod-openapi';
import { judgedRooms } from '../../../application/events/occupancy/judged-rooms.ts';
import { ROOMS_READ_MAX } from '../../../application/events/occupancy/rooms-read-max.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { listRooms } from '../../../data/events/sites/rooms.ts';
import { countUnknown } from '../../../data/events/timeline/timeline-entries.ts';
import { occupancyOf } from '../../../domain/events/occupancy.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { Aggregates } from '../timeline/timeline-schema.ts';
import { isoTimeOrNull, jsonOf } from '../wire.ts';

const Occupancy = Aggregates.extend({
  room_id: z.string(),
  name: z.string(),
  capacity: z.number().int().nullable(),
  current: z.number().int().openapi({ description: 'Entries minus exits.' }),
  peak: z.number().int().openapi({ description: 'The highest concurrent count.' }),
  peak_at: z.iso.datetime().nullable(),
  unknown: z
    .object({ entered: z.number().int(), exited: z.number().int() })
    .openapi({ description: 'Sightings of faces that nobody registered has, beside the count.' }),
}).openapi('RoomOccupancy');

/** GET /events/{id}/occupancy. */
export function getOccupancyRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/occupancy',
      tags: ['occupancy'],
      summary: 'Occupancy of each room of an event',
      request: { params: z.object({ id: z.string() }) },
      responses: {
        200: jsonOf('The rooms.', z.object({ event_id: z.string(), rooms: z.array(Occupancy) })),
      },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const event = await findEvent(db, tenancyOf(c).tenant, c.req.valid('param').id);
      if (event === null) return failure(c, notFound('event'));
      const of = { eventId: event.id };
      const [rooms, judged, unknown] = await Promise.all([
        listRooms(db, { ...of, limit: ROOMS_READ_MAX }),
        judgedRooms(db, of),
        countUnknown(db, event.id),
      ]);
      const views = rooms.map(({ id, name, capacity }) => {
        const occupancy = occupancyOf(judged.get(id) ?? []);
        return {
          room_id: id,
          name,
          capacity,
          current: occupancy.current,
          peak: occupancy.peak,
          peak_at: isoTimeOrNull(occupancy.peakAt),
          entries: occupancy.entries,
          exits: occupancy.exits,
          repeated_entries: occupancy.repeatedEntries,
          repeated_exits: occupancy.repeatedExits,
          unknown: unknown.get(id) ?? { entered: 0, exited: 0 },
        };
      });
      return c.json({ event_id: event.id, rooms: views }, 200);
    },
  );
}
