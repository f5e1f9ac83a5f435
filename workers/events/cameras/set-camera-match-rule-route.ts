import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { setCameraMatchRule } from '../../../data/events/sites/cameras.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { MatchRuleRecord, matchSettingOf } from '../match-rule-schema.ts';
import { tenancyOf } from '../tenancy.ts';
import { CameraRecord, cameraViews } from './camera-schema.ts';

/** PUT /cameras/{id}/match-rule. */
export function setCameraMatchRuleRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'cameras:write' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/cameras/{id}/match-rule',
      tags: ['cameras'],
      summary: 'Say from which similarity on this camera recognizes somebody',
      request: { params: z.object({ id: z.string() }), body: bodyOf(MatchRuleRecord) },
      responses: { 200: jsonOf('The camera.', CameraRecord) },
    }),
    async (c) => {
      const camera = await setCameraMatchRule(eventsDatabase(c.env.EVENTS_DB), {
        tenant: tenancyOf(c).tenant,
        id: c.req.valid('param').id,
        setting: matchSettingOf(c.req.valid('json')),
      });
      if (camera === null) return failure(c, notFound('camera'));
      const [view] = await cameraViews(c, [camera]);
      return c.json(view!, 200);
    },
  );
}
