import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { openEvent } from '../../../application/events/open-event.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { listCorrections } from '../../../data/events/timeline/corrections.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { tenancyOf } from '../tenancy.ts';
import { CorrectionRecord, correctionView } from './correction-schema.ts';

/** GET /events/{id}/corrections. */
export function listCorrectionsRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/events/{id}/corrections',
      tags: ['timeline'],
      summary: 'Audit trail of what operators corrected, the oldest first',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ limit: limitQuery, cursor: z.uuid().optional() }),
      },
      responses: { 200: jsonOf('The corrections.', z.object({ corrections: z.array(CorrectionRecord) })) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const opened = await openEvent(c.env, tenancyOf(c).tenant, c.req.valid('param').id);
      if (opened === null) return failure(c, notFound('event'));
      const found = await listCorrections(eventsDatabase(c.env.EVENTS_DB), opened.key, {
        eventId: opened.event.id,
        after: cursor,
        limit: rowsToRead(limit),
      });
      const named = await mayReadAttendees(c);
      const page = pageOf(c, found, limit, (last) => last.id);
      return c.json({ corrections: page.map((correction) => correctionView(correction, named)) }, 200);
    },
  );
}
