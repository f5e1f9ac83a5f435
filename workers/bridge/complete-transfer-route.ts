import { createRoute, z } from '@hono/zod-openapi';
import { noSuchTransfer, pushTransfer } from '../../application/bridge/own-transfers.ts';
import { TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { jsonOf } from '../responses/wire.ts';
import { knownTenantOf, tenantQuery } from './tenant-of.ts';
import { TransferId } from './transfer-schema.ts';

const PushedView = z
  .object({
    id: z.uuid(),
    state: z.enum(TRANSFER_STATES),
    transaction: z.string().nullable().openapi({ description: 'Of its payout or refund, once one was handed in.' }),
    waits_for: z.string().nullable().openapi({ description: 'Why it does not go on, if it does not.' }),
  })
  .openapi('BridgeTransferPushed');

/** POST /api/v1/transfer/{id}/complete (P-BRG-04). Whoever knows the id may push; nobody learns by it whose money it is. */
export function completeTransferRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { access: { credential: 'public' }, bucket: 'public', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'post',
      path: '/api/v1/transfer/{id}/complete',
      tags: ['transfers'],
      summary: 'Go on with a transfer whose conditions hold, refunds included',
      description:
        'Anybody may call it, without a body. What can be done now is done; repeated, nothing is paid twice. A tenant that was switched off since is no hindrance.',
      request: { params: TransferId, query: tenantQuery },
      responses: { 200: jsonOf('Where it stands now.', PushedView) },
    }),
    async (c) => {
      const tenant = await knownTenantOf(c, c.req.valid('query').hostname);
      if (!tenant.ok) return failure(c, tenant.error);
      const { organization, hostname } = tenant.value;
      const id = c.req.valid('param').id;
      const view = organization === null ? null : await pushTransfer(c.env, organization, id);
      if (view === null || view.hostname !== hostname) return failure(c, noSuchTransfer());
      const { transfer, waitsFor } = view;
      const transaction = transfer.payment?.transaction ?? null;
      return c.json({ id, state: transfer.state, transaction, waits_for: waitsFor }, 200);
    },
  );
}
