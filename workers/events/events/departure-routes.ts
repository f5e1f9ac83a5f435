import { createRoute } from '@hono/zod-openapi';
import { readLeave, stopLeave } from '../../../application/events/retention/leave-service.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { DepartureRecord, departureView } from './departure-schema.ts';

/** GET /tenant/departure. */
export function getDepartureRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/tenant/departure',
      tags: ['events'],
      summary: 'Whether the tenant leaves, when, and who asked for it',
      responses: { 200: jsonOf('The departure that waits or is under way.', DepartureRecord) },
    }),
    async (c) => {
      const state = await readLeave(c.env, tenancyOf(c).tenant);
      return state.ok ? c.json(departureView(state.value), 200) : failure(c, state.error);
    },
  );
}

/** POST /tenant/departure/stop: for everybody who works on events, whether or not they may ask to leave. */
export function stopDepartureRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'events:write' },
      bucket: 'private',
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/tenant/departure/stop',
      tags: ['events'],
      summary: 'Stay: take the departure back while it waits',
      responses: { 204: { description: 'The tenant stays.' } },
    }),
    async (c) => {
      const stopped = await stopLeave(c.env, tenancyOf(c).tenant, principalOf(c).userId);
      return stopped.ok ? c.body(null, 204) : failure(c, stopped.error);
    },
  );
}
