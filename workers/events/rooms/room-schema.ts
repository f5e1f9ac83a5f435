import { z } from '@hono/zod-openapi';
import type { RoomRow } from '../../../data/events/sites/rooms.ts';
import { isoTime } from '../../responses/wire.ts';

export const RoomRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    capacity: z.number().int().nullable().openapi({ description: 'Null: no capacity alerts.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Room');

export function roomView(row: RoomRow): z.infer<typeof RoomRecord> {
  return {
    id: row.id,
    event_id: row.eventId,
    name: row.name,
    capacity: row.capacity,
    created_at: isoTime(row.createdAt),
  };
}
