import { createRoute, z } from '@hono/zod-openapi';
import { revokeUser } from '../../application/ledger/revoke.ts';
import { cancelInBooks } from '../../application/order-book/cancel-in-books.ts';
import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import { findUser } from '../../data/identity/users.ts';
import { apiError, failure } from '../middleware/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { invalidateUser } from '../middleware/invalidate-gates.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { mayManageUser } from './may-manage-user.ts';

const Killed = z.object({
  data: z.object({ userId: z.string(), revokedKeyIds: z.array(z.string()), cancelledOrderIds: z.array(z.string()) }),
  message: z.literal('ok'),
});

/**
 * The kill switch of a user, themselves or an operator: every token and key ends at once, every open order is cancelled. Signing in
 * again works, so this is no freeze.
 */
export function killSwitch(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/users/{id}/kill-switch',
      summary: 'End every session and key of a user and cancel their open orders',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: { description: 'Ended', content: { 'application/json': { schema: Killed } } } },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const user = await findUser(db, c.req.valid('param').id);
      if (user === null || !mayManageUser(principalOf(c), user))
        return failure(c, apiError('NOT_FOUND', 'no such user'));
      const ended = await revokeUser(c.env, user.id, Date.now());
      await invalidateUser(c.env, user.id);
      if (ended === null) {
        const message = 'the tokens have ended, but the ledger did not answer for the keys: repeat';
        return failure(c, apiError('SERVICE_UNAVAILABLE', message));
      }
      const { keyIds, cancelIn, askedBy } = ended;
      const account = (await findUserFacts(db, user.id))?.account?.accountId ?? null;
      const command = { account, keyId: null, side: null, reason: 'revoked' } as const;
      const { orderIds, unreachable } = await cancelInBooks(c.env, account === null ? [] : cancelIn, command, askedBy);
      if (unreachable.length > 0) {
        return failure(
          c,
          apiError('SERVICE_UNAVAILABLE', 'ended, but some books are out of reach: repeat', { unreachable }),
        );
      }
      return c.json(
        {
          data: { userId: user.id, revokedKeyIds: [...keyIds], cancelledOrderIds: [...orderIds] },
          message: 'ok' as const,
        },
        200,
      );
    },
  );
}
