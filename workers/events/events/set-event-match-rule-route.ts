import { createRoute, z } from '@hono/zod-openapi';
import { unreasonedRule } from '../../../application/events/frames/match-rule-reason.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent, setEventMatchRule } from '../../../data/events/sites/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { MatchRuleRequest, matchSettingOf } from '../match-rule-schema.ts';
import { callerOf, tenancyOf } from '../tenancy.ts';
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
      request: { params: z.object({ id: z.string() }), body: bodyOf(MatchRuleRequest) },
      responses: { 200: jsonOf('The event.', EventRecord) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const { id } = c.req.valid('param');
      const body = c.req.valid('json');
      const setting = matchSettingOf(body);
      if ((await findEvent(db, tenant, id)) === null) return failure(c, notFound('event'));
      const unfit = await unreasonedRule(c.env, callerOf(c), { setting, reason: body.reason ?? null });
      if (unfit !== null) return failure(c, unfit);
      const event = await setEventMatchRule(db, { tenant, id, setting });
      return event === null ? failure(c, notFound('event')) : c.json(eventView(event), 200);
    },
  );
}
