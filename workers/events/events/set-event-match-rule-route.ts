import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { setEventMatchRule } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { MatchRuleRecord, matchSettingOf } from '../match-rule-schema.ts';
import { tenancyOf } from '../tenancy.ts';
import { EventRecord, eventView } from './event-schema.ts';

/** PUT /events/{id}/match-rule. */
export function setEventMatchRuleRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:write' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/events/{id}/match-rule',
      tags: ['events'],
      summary: 'Say from which similarity on faces are attendees of this event',
      request: { params: z.object({ id: z.string() }), body: bodyOf(MatchRuleRecord) },
      responses: { 200: jsonOf('The event.', EventRecord) },
    }),
    async (c) => {
      const event = await setEventMatchRule(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        id: c.req.valid('param').id,
        setting: matchSettingOf(c.req.valid('json')),
      });
      return event === null ? failure(c, notFound('event')) : c.json(eventView(event), 200);
    },
  );
}
