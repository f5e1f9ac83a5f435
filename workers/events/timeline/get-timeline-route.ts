import { createRoute, z } from '@hono/zod-openapi';
import { judgedRooms } from '../../../application/events/occupancy/judged-rooms.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listEntries, type RoomMovement } from '../../../data/events/timeline/timeline-entries.ts';
import { type JudgedMovement, occupancyOf } from '../../../domain/events/occupancy.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { rolesGrant } from '../../middleware/role-permissions.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { notFound, openEvent } from '../open-event.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../time-cursor.ts';
import { jsonOf } from '../wire.ts';
import { Aggregates, TimelineRecord, timelineView } from './timeline-schema.ts';

const IsoTime = z.iso.datetime({ offset: true });

/** GET /timeline. */
export function getTimelineRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/timeline',
      tags: ['timeline'],
      summary: 'Who was seen where at an event, with its entries and exits; in order of first sight',
      request: {
        query: z.object({
          event_id: z.string(),
          room_id: z.string().optional(),
          camera_id: z.string().optional(),
          attendee_id: z.string().optional(),
          from: IsoTime.optional().openapi({ description: 'Entries that end at or after this.' }),
          to: IsoTime.optional().openapi({ description: 'Entries that begin at or before this.' }),
          include_voided: z.enum(['true', 'false']).default('false'),
          limit: limitQuery,
          cursor: timeCursorQuery,
        }),
      },
      responses: {
        200: jsonOf(
          'The entries of this page, and aggregates of all that match. What an operator took back counts in none.',
          z.object({
            entries: z.array(TimelineRecord),
            aggregates: z.object({
              total: Aggregates,
              rooms: z.array(Aggregates.extend({ room_id: z.string() })),
            }),
          }),
        ),
      },
    }),
    async (c) => {
      const query = c.req.valid('query');
      const opened = await openEvent(c, query.event_id);
      if (opened === null) return failure(c, notFound('event'));
      const { event, key } = opened;
      const db = eventsDatabase(c.env.EVENTS_DB);
      const filter = {
        eventId: event.id,
        roomId: query.room_id,
        cameraId: query.camera_id,
        attendeeTag: query.attendee_id === undefined ? undefined : await key.tag('attendee', query.attendee_id),
        from: instantOf(query.from),
        to: instantOf(query.to),
      };
      const found = await listEntries(db, key, {
        ...filter,
        includeVoided: query.include_voided === 'true',
        after: timeCursorOf(query.cursor),
        limit: rowsToRead(query.limit),
      });
      // Whether a movement counts follows from all of its room; which of them are shown, from the filter.
      const rooms = [...(await judgedRooms(db, filter))].map(
        ([roomId, judged]) => [roomId, judged.filter((movement) => isWithin(movement, filter))] as const,
      );
      const named = await rolesGrant(c.env, principalOf(c).roles, 'attendees:read');
      const page = pageOf(c, found, query.limit, (last) => timeCursorText(last.firstSeenAt, last.id));
      return c.json(
        {
          entries: page.map((entry) => timelineView(entry, named)),
          aggregates: {
            total: aggregatesOf(rooms.flatMap(([, movements]) => movements)),
            rooms: rooms.map(([roomId, movements]) => ({ room_id: roomId, ...aggregatesOf(movements) })),
          },
        },
        200,
      );
    },
  );
}

function instantOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

interface Filter {
  readonly cameraId: string | undefined;
  readonly attendeeTag: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function isWithin(movement: RoomMovement, { cameraId, attendeeTag, from, to }: Filter): boolean {
  return (
    (cameraId === undefined || movement.cameraId === cameraId) &&
    (attendeeTag === undefined || movement.person === attendeeTag) &&
    (from === undefined || movement.at >= from) &&
    (to === undefined || movement.at <= to)
  );
}

function aggregatesOf(judged: readonly JudgedMovement<RoomMovement>[]): z.infer<typeof Aggregates> {
  const { entries, exits, repeatedEntries, repeatedExits } = occupancyOf(judged);
  return { entries, exits, repeated_entries: repeatedEntries, repeated_exits: repeatedExits };
}
