import { createRoute, z } from '@hono/zod-openapi';
import { revokeKey } from '../../../application/identity/keys/revoke-key.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { CancelledIds, PendingIds } from '../../responses/cancelled-order-ids.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const Revoked = z.object({
  id: z.string(),
  cancelledOrderIds: CancelledIds,
  pendingOrderIds: PendingIds,
});

/** The kill switch of a key: it ends at once and its open orders are cancelled. For its owner, or somebody with the power. */
export function revokeKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'stops' },
    createRoute({
      method: 'delete',
      path: '/v1/keys/{id}',
      summary: 'Revoke a key and cancel its open orders',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('Revoked', Revoked) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const cancelled = await revokeKey(c.env, actorOf(c), id);
      if (!cancelled.ok) return failure(c, cancelled.error);
      const { orderIds, pendingOrderIds } = cancelled.value;
      return c.json(enveloped({ id, cancelledOrderIds: [...orderIds], pendingOrderIds: [...pendingOrderIds] }), 200);
    },
  );
}
