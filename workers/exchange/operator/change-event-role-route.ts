import { createRoute, z } from '@hono/zod-openapi';
import { changeEventRole } from '../../../application/operator/event-roles.ts';
import { EVENT_ROLES } from '../../../domain/events/permissions.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { EventPermissions, EventRoleView, eventRoleView } from './event-role-schema.ts';
import { OPERATOR_WRITE, Reason } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const RoleRequest = z
  .strictObject({ permissions: EventPermissions, reason: Reason })
  .openapi('OperatorEventRoleRequest');

/** PUT /v1/operator/event-roles/{role}: all that it grants, in every tenant. */
export function changeEventRoleRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'put',
      path: '/v1/operator/event-roles/{role}',
      tags: ['operator'],
      summary: 'Say what a role of the events service grants',
      description: 'It holds for every tenant, everywhere after ten seconds.',
      request: {
        params: z.object({ role: z.enum(EVENT_ROLES) }),
        body: { required: true, content: { 'application/json': { schema: RoleRequest } } },
      },
      responses: { 200: envelopeOf('The roles.', z.array(EventRoleView)) },
    }),
    async (c) => {
      const { role } = c.req.valid('param');
      const action = actionOf(c);
      const waits = await weigh(c, c.req.valid('json'), action);
      if (waits !== null) return failure(c, waits);
      const roles = await changeEventRole(c.env, { role, ...c.req.valid('json') }, action);
      return c.json(enveloped(roles.map(eventRoleView)), 200);
    },
  );
}
