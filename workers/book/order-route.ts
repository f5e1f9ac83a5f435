import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { findBookOrder } from '../../data/book-profile/orders.ts';
import { database } from '../../data/database.ts';
import { apiError, failure } from '../middleware/api-error.ts';
import { notCurrent } from '../middleware/not-current.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { accountOf } from './account-of.ts';
import { Order, orderOf } from './order.ts';

/** GET /v1/orders/{order_id}. */
export function orderRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders/{order_id}',
      summary: 'An order of the account',
      request: { params: z.object({ order_id: z.string() }) },
      responses: { 200: { description: 'The order.', content: { 'application/json': { schema: Order } } } },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      if (!(await settleBeforeRead(c.env, account.id))) return failure(c, notCurrent());
      const found = await findBookOrder(database(c.env.DB), account.id, c.req.valid('param').order_id);
      if (found === null) return failure(c, apiError('ORDER_NOT_FOUND', 'order does not exist'));
      return c.json(orderOf(found), 200);
    },
  );
}
