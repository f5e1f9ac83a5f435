import { createRoute, z } from '@hono/zod-openapi';
import { findManagedKey } from '../../../application/identity/find-managed-key.ts';
import { invalidateKey } from '../../../application/identity/invalidate-gates.ts';
import { projected } from '../../../application/ledger/projected.ts';
import { revokeApiKey } from '../../../application/ledger/revoke.ts';
import { cancelUntilNone } from '../../../application/order-book/cancel-until-none.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';

const Revoked = z.object({
  data: z.object({ id: z.string(), cancelledOrderIds: z.array(z.string()) }),
  message: z.literal('ok'),
});

/** The kill switch of a key: it ends at once and its open orders are cancelled. For its owner, or an operator. */
export function revokeKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/v1/keys/{id}',
      summary: 'Revoke a key and cancel its open orders',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: { description: 'Revoked', content: { 'application/json': { schema: Revoked } } } },
    }),
    async (c) => {
      const key = await findManagedKey(c.env, principalOf(c), c.req.valid('param').id);
      if (key === null) return failure(c, apiError('NOT_FOUND', 'no such key'));
      const ended = await revokeApiKey(c.env, key, Date.now());
      if (ended === null) {
        return failure(c, apiError('SERVICE_UNAVAILABLE', 'no answer from the ledger: repeat'));
      }
      const command = { account: key.account, keyId: key.id, side: null, reason: 'revoked' } as const;
      const { orderIds, unreachable } = await cancelUntilNone(c.env, { ...ended, command });
      const isShown = await projected(c.env);
      await invalidateKey(c.env, key.id);
      if (!isShown) return failure(c, apiError('SERVICE_UNAVAILABLE', 'revoked, but reads do not show it yet: repeat'));
      if (unreachable.length > 0) {
        return failure(
          c,
          apiError('SERVICE_UNAVAILABLE', 'revoked, but some books are out of reach: repeat', { unreachable }),
        );
      }
      return c.json({ data: { id: key.id, cancelledOrderIds: [...orderIds] }, message: 'ok' as const }, 200);
    },
  );
}
