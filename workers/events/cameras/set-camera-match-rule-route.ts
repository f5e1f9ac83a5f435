import { createRoute, z } from '@hono/zod-openapi';
import { unreasonedRule } from '../../../application/events/frames/match-rule-reason.ts';
import { notFound } from '../../../application/events/not-found.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findCamera, setCameraMatchRule } from '../../../data/events/sites/cameras.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { MatchRuleRequest, matchSettingOf } from '../match-rule-schema.ts';
import { callerOf, tenancyOf } from '../tenancy.ts';
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
      request: { params: z.object({ id: z.string() }), body: bodyOf(MatchRuleRequest) },
      responses: { 200: jsonOf('The camera.', CameraRecord) },
    }),
    async (c) => {
      const db = eventsDatabase(c.env.EVENTS_DB);
      const { tenant } = tenancyOf(c);
      const { id } = c.req.valid('param');
      const body = c.req.valid('json');
      const setting = matchSettingOf(body);
      if ((await findCamera(db, tenant, id)) === null) return failure(c, notFound('camera'));
      const unfit = await unreasonedRule(c.env, callerOf(c), { setting, reason: body.reason ?? null });
      if (unfit !== null) return failure(c, unfit);
      const camera = await setCameraMatchRule(db, { tenant, id, setting });
      if (camera === null) return failure(c, notFound('camera'));
      const [view] = await cameraViews(c, [camera]);
      return c.json(view!, 200);
    },
  );
}
