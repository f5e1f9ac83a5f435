import { createRoute, z } from '@hono/zod-openapi';
import { type RoomOccupancy, readOccupancy } from '../../../application/events/occupancy/read-occupancy.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { Aggregates, aggregatesView } from '../timeline/timeline-schema.ts';

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
      const { id } = c.req.valid('param');
      const rooms = await readOccupancy(c.env, tenancyOf(c).tenant, id);
      if (!rooms.ok) return failure(c, rooms.error);
      return c.json({ event_id: id, rooms: rooms.value.map(occupancyView) }, 200);
    },
  );
}

function occupancyView({ room, occupancy, unknown }: RoomOccupancy): z.infer<typeof Occupancy> {
  return {
    room_id: room.id,
    name: room.name,
    capacity: room.capacity,
    current: occupancy.current,
    peak: occupancy.peak,
    peak_at: isoTimeOrNull(occupancy.peakAt),
    ...aggregatesView(occupancy),
    unknown,
  };
}
