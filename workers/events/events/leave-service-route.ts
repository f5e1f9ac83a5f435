import { createRoute, z } from '@hono/zod-openapi';
import { requestLeave } from '../../../application/events/retention/leave-service.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { DepartureRecord, departureView } from './departure-schema.ts';

const LeaveRequest = z
  .strictObject({
    confirm: z
      .string()
      .openapi({ description: 'The tenant, letter for letter: once its time has come, this cannot be undone.' }),
  })
  .openapi('LeaveRequest');

/** DELETE /tenant. */
export function leaveServiceRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'tenant:leave' }, bucket: 'private', errors: ['CONFLICT'] },
    createRoute({
      method: 'delete',
      path: '/tenant',
      tags: ['events'],
      summary: 'Ask to leave: the tenant’s key is destroyed after the retention period, unless somebody stops it',
      request: { body: bodyOf(LeaveRequest) },
      responses: { 202: jsonOf('It waits.', DepartureRecord) },
    }),
    async (c) => {
      const { tenant } = tenancyOf(c);
      if (c.req.valid('json').confirm !== tenant)
        return failure(c, apiError('VALIDATION_ERROR', 'confirm is not the tenant', { field: 'confirm' }));
      const asked = await requestLeave(c.env, tenant, principalOf(c).userId);
      return asked.ok ? c.json(departureView(asked.value), 202) : failure(c, asked.error);
    },
  );
}
