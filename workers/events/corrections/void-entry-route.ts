import { createRoute, z } from '@hono/zod-openapi';
import { voidOrRestoreEntry } from '../../../application/events/corrections/void-or-restore-entry.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { TimelineRecord, timelineView } from '../timeline/timeline-schema.ts';
import { Reason } from './correction-schema.ts';
import { correctorOf } from './corrector-of.ts';

const SUMMARIES = {
  void: 'Take an entry back: not this person',
  restore: 'Let an entry that was taken back count again',
} as const;

/** POST /timeline/{entry_id}/void and /restore. */
export function voidEntryRoute(events: Profile): void {
  for (const verb of ['void', 'restore'] as const) {
    registerRoute(
      events,
      { access: { credential: 'bearer', permission: 'timeline:correct' }, bucket: 'private', idempotent: 'unstored' },
      createRoute({
        method: 'post',
        path: `/timeline/{entry_id}/${verb}`,
        tags: ['timeline'],
        summary: SUMMARIES[verb],
        request: { params: z.object({ entry_id: z.string() }), body: bodyOf(z.strictObject({ reason: Reason })) },
        responses: { 200: jsonOf('The entry.', TimelineRecord) },
      }),
      async (c) => {
        const corrector = correctorOf(c, c.req.valid('json').reason);
        const entry = await voidOrRestoreEntry(c.env, verb, c.req.valid('param').entry_id, corrector);
        if (!entry.ok) return failure(c, entry.error);
        return c.json(timelineView(entry.value, await mayReadAttendees(c)), 200);
      },
    );
  }
}
