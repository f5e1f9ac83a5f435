import { createRoute, z } from '@hono/zod-openapi';
import { listTransfers } from '../../application/bridge/own-transfers.ts';
import { TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { knownTenantOf, ownTenant, tenantQuery } from './tenant-of.ts';

const PAGE_MAX = 100;

const ListedTransfer = z
  .object({ id: z.uuid(), hostname: z.string(), state: z.enum(TRANSFER_STATES), updated_at: z.iso.datetime() })
  .openapi('BridgeListedTransfer');

/** GET /api/v1/transfer: transfers of the organization, over all its hostnames. */
export function listTransfersRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/v1/transfer',
      tags: ['transfers'],
      summary: 'Your transfers, newest first',
      request: {
        query: tenantQuery.extend({
          limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: jsonOf('The transfers.', z.object({ transfers: z.array(ListedTransfer) })) },
    }),
    async (c) => {
      const { hostname, limit, cursor } = c.req.valid('query');
      const at = await knownTenantOf(c, hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const { organization } = tenant.value;
      const found = await listTransfers(c.env, { organization, before: cursor ?? null, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      if (found.length > limit && last !== undefined) linkNextPage(c, last.id);
      const transfers = page.map(({ id, hostname: begunAt, state, updatedAt }) => ({
        id,
        hostname: begunAt,
        state,
        updated_at: isoTime(updatedAt),
      }));
      return c.json({ transfers }, 200);
    },
  );
}
