import { createRoute, z } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { restoreEntry, voidEntry } from '../../../data/events/timeline/timeline-corrections.ts';
import { findEntry, openEntries } from '../../../data/events/timeline/timeline-entries.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { notFound, openEvent } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { TimelineRecord, timelineView } from '../timeline/timeline-schema.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { Reason } from './correction-schema.ts';

const VERBS = {
  void: {
    kind: 'not_this_person',
    apply: voidEntry,
    summary: 'Take an entry back: not this person',
    refused: 'the entry was taken back before',
  },
  restore: {
    kind: 'restored',
    apply: restoreEntry,
    summary: 'Let an entry that was taken back count again',
    refused: 'the entry was not taken back',
  },
} as const;

/** POST /timeline/{entry_id}/void and /restore. */
export function voidEntryRoute(events: Profile): void {
  for (const verb of ['void', 'restore'] as const) {
    const { kind, apply, summary, refused } = VERBS[verb];
    registerRoute(
      events,
      { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private', idempotent: 'unstored' },
      createRoute({
        method: 'post',
        path: `/timeline/{entry_id}/${verb}`,
        tags: ['timeline'],
        summary,
        request: { params: z.object({ entry_id: z.string() }), body: bodyOf(z.object({ reason: Reason })) },
        responses: { 200: jsonOf('The entry.', TimelineRecord) },
      }),
      async (c) => {
        const { tenant } = tenancyOf(c);
        const db = eventsDatabase(c.env.EVENTS_DB);
        const row = await findEntry(db, tenant, c.req.valid('param').entry_id);
        const opened = row === null ? null : await openEvent(c, row.eventId);
        if (row === null || opened === null) return failure(c, notFound('timeline entry'));
        const { key } = opened;
        const [before] = await openEntries(db, key, row.eventId, [row]);
        const done = await apply(db, key, row.id, {
          id: resourceIdOf(c),
          tenant,
          eventId: row.eventId,
          kind,
          actor: principalOf(c).userId,
          change: {
            reason: c.req.valid('json').reason,
            entry_id: row.id,
            attendee_id: before?.person?.attendeeId ?? null,
          },
          now: Date.now(),
        });
        if (!done) return failure(c, apiError('CONFLICT', refused));
        const after = await findEntry(db, tenant, row.id);
        if (after === null) return failure(c, notFound('timeline entry'));
        const [view] = await openEntries(db, key, row.eventId, [after]);
        return c.json(timelineView(view!, true), 200);
      },
    );
  }
}
