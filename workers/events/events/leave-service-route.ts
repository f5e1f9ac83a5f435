import { createRoute, z } from '@hono/zod-openapi';
import { destroyTenantKey } from '../../../application/events/retention/destroy-tenant-key.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { recordDeparture } from '../../../data/events/retention/retention-departures.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';

const LeaveRequest = z
  .object({ confirm: z.string().openapi({ description: 'The tenant, letter for letter: this cannot be undone.' }) })
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
      const db = eventsDatabase(c.env.EVENTS_DB);
      const now = Date.now();
      const total = await recordDeparture(db, { tenant, requestedBy: principalOf(c).userId, now });
      await destroyTenantKey(c.env, { tenant, requestedAt: now });
      return c.json({ tenant, events: total }, 202);
    },
  );
}
