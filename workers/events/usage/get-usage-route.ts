import { createRoute, z } from '@hono/zod-openapi';
import { readUsage } from '../../../application/events/quotas/take-quota.ts';
import { QUOTA_RESOURCES, QUOTA_WINDOWS } from '../../../domain/events/tenant-quotas.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';

const Usage = z
  .object({
    resource: z.enum(QUOTA_RESOURCES),
    window: z.enum(QUOTA_WINDOWS),
    used: z.int(),
    max: z.int(),
    resets_at: z.iso.datetime(),
  })
  .openapi('TenantUsage');

/** GET /tenant/usage. */
export function getUsageRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/tenant/usage',
      tags: ['tenant'],
      summary: 'What the tenant has used of its quotas in this minute and on this day in UTC',
      responses: { 200: jsonOf('Each quota.', z.object({ usage: z.array(Usage) })) },
    }),
    async (c) => {
      const used = await readUsage(c.env, tenancyOf(c).tenant, Date.now());
      const usage = used.map(({ resource, window, used: amount, amount_max, endsAt }) => ({
        resource,
        window,
        used: amount,
        max: amount_max,
        resets_at: isoTime(endsAt),
      }));
      return c.json({ usage }, 200);
    },
  );
}
