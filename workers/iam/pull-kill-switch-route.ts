import { createRoute, z } from '@hono/zod-openapi';
import { pullKillSwitch } from '../../application/identity/pull-kill-switch.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { CancelledIds, PendingIds } from '../responses/cancelled-order-ids.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { actorOf } from './actor-of.ts';

const Killed = z.object({
  userId: z.string(),
  revokedKeyIds: z.array(z.string()),
  cancelledOrderIds: CancelledIds,
  pendingOrderIds: PendingIds,
});

/** The kill switch of a user, pulled by themselves or somebody with the power. */
export function pullKillSwitchRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'stops' },
    createRoute({
      method: 'post',
      path: '/v1/users/{id}/kill-switch',
      summary: 'End every session and key of a user and cancel their open orders',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('Ended', Killed) },
    }),
    async (c) => {
      const { id: userId } = c.req.valid('param');
      const killed = await pullKillSwitch(c.env, actorOf(c), userId);
      if (!killed.ok) return failure(c, killed.error);
      const { keyIds, orderIds, pendingOrderIds } = killed.value;
      const ended = {
        revokedKeyIds: [...keyIds],
        cancelledOrderIds: [...orderIds],
        pendingOrderIds: [...pendingOrderIds],
      };
      return c.json(enveloped({ userId, ...ended }), 200);
    },
  );
}
