import { createRoute, z } from '@hono/zod-openapi';
import { leaveService } from '../../../application/events/retention/leave-service.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const LeaveRequest = z
  .strictObject({
    confirm: z.string().openapi({ description: 'The tenant, letter for letter: this cannot be undone.' }),
  })
  .openapi('LeaveRequest');

const Departure = z
  .object({
    tenant: z.string(),
    events: z.number().int().openapi({ description: 'How many are being deleted.' }),
  })
  .openapi('Departure');

/** DELETE /tenant. */
export function leaveServiceRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:delete' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/tenant',
      tags: ['events'],
      summary: 'Leave: destroy the tenant’s key at once; what it sealed is deleted within hours',
      request: { body: bodyOf(LeaveRequest) },
      responses: { 202: jsonOf('The key is destroyed.', Departure) },
    }),
    async (c) => {
      const { tenant } = tenancyOf(c);
      if (c.req.valid('json').confirm !== tenant)
        return failure(c, apiError('VALIDATION_ERROR', 'confirm is not the tenant', { field: 'confirm' }));
      return c.json({ tenant, events: await leaveService(c.env, tenant, principalOf(c).userId) }, 202);
    },
  );
}
