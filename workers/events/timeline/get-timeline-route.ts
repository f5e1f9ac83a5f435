import { createRoute, z } from '@hono/zod-openapi';
import { readTimeline } from '../../../application/events/timeline/read-timeline.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { timeCursorOf, timeCursorQuery, timeCursorText } from '../../responses/time-cursor.ts';
import { jsonOf } from '../../responses/wire.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { tenancyOf } from '../tenancy.ts';
import { Aggregates, aggregatesView, TimelineRecord, timelineView } from './timeline-schema.ts';

const IsoTime = z.iso.datetime({ offset: true });

/** GET /timeline. */
export function getTimelineRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:read' }, bucket: 'private', errors: ['NOT_FOUND'] },
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
      const timeline = await readTimeline(c.env, tenancyOf(c).tenant, {
        eventId: query.event_id,
        roomId: query.room_id,
        cameraId: query.camera_id,
        attendeeId: query.attendee_id,
        from: instantOf(query.from),
        to: instantOf(query.to),
        includeVoided: query.include_voided === 'true',
        after: timeCursorOf(query.cursor),
        limit: rowsToRead(query.limit),
      });
      if (!timeline.ok) return failure(c, timeline.error);
      const { entries, total, rooms } = timeline.value;
      const named = await mayReadAttendees(c);
      const page = pageOf(c, entries, query.limit, (last) => timeCursorText(last.firstSeenAt, last.id));
      return c.json(
        {
          entries: page.map((entry) => timelineView(entry, named)),
          aggregates: {
            total: aggregatesView(total),
            rooms: rooms.map(({ roomId, movements }) => ({ room_id: roomId, ...aggregatesView(movements) })),
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
