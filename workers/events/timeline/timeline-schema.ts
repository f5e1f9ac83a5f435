import { z } from '@hono/zod-openapi';
import type { TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { TIMELINE_TYPES } from '../../../domain/events/camera-type.ts';
import type { MovementCounts } from '../../../domain/events/occupancy.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';

export const TimelineRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    room_id: z.string(),
    camera_id: z.string().nullable(),
    type: z.enum(TIMELINE_TYPES),
    attendee_id: z.string().nullable().openapi({ description: 'Null once the attendee was erased.' }),
    name: z.string().nullable().openapi({ description: 'Null too for those who may not see attendees.' }),
    similarity: z.number().nullable().openapi({ description: 'Of the best sighting; null for an entry by hand.' }),
    at: z.iso.datetime().openapi({ description: 'When it counts: of an exit the last sight, else the first.' }),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    late: z.boolean().openapi({ description: 'A frame of it came more than ten minutes after its time.' }),
    source: z.enum(['camera', 'manual']),
    frame_id: z.string().nullable().openapi({ description: 'Frame of the first sight.' }),
    voided_at: z.iso.datetime().nullable().openapi({ description: 'When an operator took it back.' }),
  })
  .openapi('TimelineEntry');

/** An entry as it is shown; `named` to callers who may see attendees. */
export function timelineView(entry: TimelineEntry, named: boolean): z.infer<typeof TimelineRecord> {
  const { type, firstSeenAt, lastSeenAt, person } = entry;
  return {
    id: entry.id,
    event_id: entry.eventId,
    room_id: entry.roomId,
    camera_id: entry.cameraId,
    type,
    attendee_id: person?.attendeeId ?? null,
    name: named ? (person?.name ?? null) : null,
    similarity: entry.similarity,
    at: isoTime(type === 'exited' ? lastSeenAt : firstSeenAt),
    first_seen_at: isoTime(firstSeenAt),
    last_seen_at: isoTime(lastSeenAt),
    late: entry.late,
    source: entry.cameraId === null ? 'manual' : 'camera',
    frame_id: entry.frameId,
    voided_at: isoTimeOrNull(entry.voidedAt),
  };
}

export const Aggregates = z
  .object({
    entries: z.number().int(),
    exits: z.number().int(),
    repeated_entries: z.number().int().openapi({ description: 'Of people who were inside already.' }),
    repeated_exits: z.number().int().openapi({ description: 'Of people who were outside already.' }),
  })
  .openapi('MovementAggregates');

export function aggregatesView(movements: MovementCounts): z.infer<typeof Aggregates> {
  const { entries, exits, repeatedEntries, repeatedExits } = movements;
  return { entries, exits, repeated_entries: repeatedEntries, repeated_exits: repeatedExits };
}
