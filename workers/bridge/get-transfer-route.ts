import { createRoute } from '@hono/zod-openapi';
import { noSuchTransfer, readTransfer } from '../../application/bridge/own-transfers.ts';
import { hasOneOperator } from '../../application/bridge/tenant-signers.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { knownTenantOf, ownTenant, tenantQuery } from './tenant-of.ts';
import { BridgeTransferView, TransferId, transferOnWire } from './transfer-schema.ts';

/** GET /api/v1/transfer/{id} (P-BRG-03). */
export function getTransferRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/v1/transfer/{id}',
      tags: ['transfers'],
      summary: 'Where a transfer stands, how it got there, and what it waits for',
      request: { params: TransferId, query: tenantQuery },
      responses: { 200: jsonOf('The transfer.', BridgeTransferView) },
    }),
    async (c) => {
      const at = await knownTenantOf(c, c.req.valid('query').hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const view = await readTransfer(c.env, tenant.value.organization, c.req.valid('param').id);
      if (view === null || view.hostname !== tenant.value.hostname) return failure(c, noSuchTransfer());
      return c.json(transferOnWire(view, hasOneOperator(c.env, tenant.value)), 200);
    },
  );
}
