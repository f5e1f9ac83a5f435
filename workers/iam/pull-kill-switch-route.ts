import { createRoute, z } from '@hono/zod-openapi';
import { invalidateUser } from '../../application/identity/invalidate-gates.ts';
import { mayManageUser } from '../../application/identity/may-manage-user.ts';
import { projected } from '../../application/ledger/projected.ts';
import { revokeUser } from '../../application/ledger/revoke.ts';
import { cancelUntilNone } from '../../application/order-book/cancel-until-none.ts';
import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import { endUserTokens } from '../../data/identity/revocations.ts';
import { findUser } from '../../data/identity/users.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';

const Killed = z.object({
  data: z.object({ userId: z.string(), revokedKeyIds: z.array(z.string()), cancelledOrderIds: z.array(z.string()) }),
  message: z.literal('ok'),
});

const NOTHING_OPEN = { orderIds: [], unreachable: [] };

/**
 * The kill switch of a user, themselves or an operator: every token and key ends at once, every open order is cancelled. Signing in
 * again works, so this is no freeze.
 */
export function pullKillSwitchRoute(iam: Profile): void {
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
      await endUserTokens(db, user.id, Date.now());
      // At once: what follows waits for the ledger and for books.
      await invalidateUser(c.env, user.id);
      const ended = await revokeUser(c.env, user.id, Date.now());
      if (ended === null) {
        const message = 'the tokens have ended, but the ledger did not answer for the keys: repeat';
        return failure(c, apiError('SERVICE_UNAVAILABLE', message));
      }
      const { keyIds, cancelIn, askedBy } = ended;
      const account = (await findUserFacts(db, user.id))?.account?.accountId ?? null;
      const command = { keyId: null, side: null, reason: 'revoked' } as const;
      const { orderIds, unreachable } =
        account === null
          ? NOTHING_OPEN
          : await cancelUntilNone(c.env, { command: { ...command, account }, cancelIn, askedBy });
      const isShown = await projected(c.env);
      await invalidateUser(c.env, user.id);
      if (!isShown) return failure(c, apiError('SERVICE_UNAVAILABLE', 'ended, but reads do not show it yet: repeat'));
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
